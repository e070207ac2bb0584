// What this page knows of the table: the view it was handed, and every event since, folded in. No
// rule of the game is here: totals, rows, winners and payments come with the events, and where an
// event leaves something to be computed (`ASKS`), the whole view is asked for again.

/** After these the page asks for the view again: cards were put elsewhere, or terms have changed. */
export const ASKS = new Set(["SettingsChanged", "CoupRectified", "RoundCorrected"]);

/** The state of the page, from what the server handed over. */
export function begin(view, mine) {
  const state = { ...view, mine: mine && { ...mine }, due: dueOf(view) };
  if (state.shoe) shoeCame(state, {});
  return state;
}

/** When the next thing happens by the table's clock, for what can be counted down to. */
function dueOf(state) {
  if (byHand(state)) return null; // the dealer says when
  if (state.phase === "open") return { at: state.closes_at, of: state.clock.betting };
  if (state.shoe?.phase === "contributing") return { at: state.shoe.contribute_until, of: state.clock.contribute };
  if (state.shoe?.phase === "revealing") return { at: state.shoe.reveal_until, of: state.clock.reveal };
  if (isResting(state) && state.shoe?.phase === "in-play" && !state.paused) {
    return { at: state.moved_at + state.clock.pause, of: state.clock.pause };
  }
  return null;
}

export function byHand(state) {
  return state.source === "cards";
}

export function isResting(state) {
  return ["none", "settled", "cancelled"].includes(state.phase);
}

/** What I have on a bet: what was settled, as long as that is shown, or else what I mean. */
export function stakeOn(state, wagers, bet) {
  const result = state.mine?.result;
  return result?.length ? result.find((one) => one.bet === bet)?.stake ?? 0 : wagers?.stake(bet) ?? 0;
}

/** Are wagers taken now? */
export function takesBets(state) {
  return state.phase === "open" && state.bets;
}

/** The round whose cards a player can still object to: until the first card of the next one. */
export function reportable(state) {
  if (!byHand(state) || !state.mine) return null;
  if (state.phase === "settled") return state.round;
  return ["open", "closed"].includes(state.phase) && !state.cards.length && state.round > 1 ? state.round - 1 : null;
}

const FOLD = {
  RoundOpened(state, value) {
    if (state.mine) Object.assign(state.mine, { round: value.round, wagers: [], result: null });
    Object.assign(state, {
      round: value.round, phase: "open", bets: value.bets !== false, closes_at: value.closes_at, cards: [], decided: null,
      stakes: { round: value.round, players: 0, bets: {} },
    });
    if (state.shoe) shoeCame(state, {});
    // What is said of a round stays until the one after the next.
    if (state.notice && state.notice.until < value.round) state.notice = null;
  },
  WagersPlaced(state, value) {
    if (state.mine && value.round === state.round) state.mine.wagers = value.wagers;
  },
  BettingClosed(state) {
    state.phase = "closed";
  },
  CardDealt(state, value) {
    const { card, hand, total, row, reason } = value;
    lay(state, { ...card, hand, total, row, reason });
  },
  CardPlaced(state, value) {
    const { card, hand, total, row, reason } = value;
    lay(state, { card, hand, total, row, reason });
  },
  CutCardShown(state) {
    if (state.shoe) state.shoe.cut_card_out = true;
  },
  CoupDecided(state, value) {
    state.phase = "decided";
    const { round, coup, winner, row, reason } = value;
    state.decided = { round, coup, winner, row, reason };
  },
  RoundSettled(state, value) {
    ended(state, "settled", value);
  },
  RoundCancelled(state, value) {
    ended(state, "cancelled", value);
    state.decided = null;
  },
  ShoeCommitted(state, value) {
    const { at, ...terms } = value;
    state.shoe = newShoe(value.decks, { ...terms, phase: "contributing" });
  },
  ContributionCommitted(state, value) {
    if (state.shoe) state.shoe.contributors = [...state.shoe.contributors, value.name];
  },
  ContributionsClosed(state) {
    if (state.shoe) state.shoe.phase = "revealing";
  },
  ShoeReady(state) {
    if (state.shoe) state.shoe.phase = "ready";
  },
  CardsBurned(state, value) {
    if (state.shoe) Object.assign(state.shoe, { phase: "in-play", left: state.shoe.size - value.count });
  },
  ShoeEnded(state) {
    state.shoe = null;
  },
  TablePaused(state) {
    state.paused = true;
  },
  TableResumed(state, value) {
    state.paused = value.stays === true;
  },
  AgreementMade(state, value) {
    state.terms_from = value.from_round;
  },
  AgreementEnded(state, value) {
    state.terms_from = value.from_round;
  },

  // A table of real cards.
  DealerChanged(state, value) {
    state.dealer = value.dealer;
  },
  ShoeBegun(state, value) {
    state.shoe = newShoe(value.decks, { shoe: value.shoe, source: "cards", phase: "in-play" });
  },
  BurnedByHand(state, value) {
    if (state.shoe) state.shoe.left -= value.count;
  },
  ShoeClosed(state) {
    state.shoe = null;
  },
  IrregularityFound(state, value) {
    state.notice = { type: "IrregularityFound", value, until: value.round };
  },
  CoupRectified(state, value) {
    state.phase = "dealing";
    state.decided = null;
    state.notice = { type: "CoupRectified", value, until: value.round };
  },
  RoundCorrected(state, value) {
    state.notice = { type: "RoundCorrected", value, until: state.round + 1 };
    if (state.mine && value.round === state.round && value.results[0]) state.mine.result = value.results[0].wagers;
  },
  ErrorReported(state, value) {
    if (!state.mine) return; // the staff is told of everybody's
    state.notice = { type: "ErrorReported", value, until: state.round + 1 };
  },
  ReportDismissed(state, value) {
    state.notice = { type: "ReportDismissed", value, until: state.round + 1 };
  },
  AlarmRaised(state, value) {
    state.notice = { type: "AlarmRaised", value, until: state.round };
  },
};

/** How far the shoe has come, as the house says after a coup. The round of its last coup is kept. */
export function shoeCame(state, progress) {
  Object.assign(state.shoe, progress);
  const between = isResting(state) || state.phase === "decided";
  if (state.shoe.coups_to_come === 1 && !between) state.shoe.last_round = state.round;
}

/** What comes after the cut card: "one_more" coup, the "next_is_last", the "last_coup", "shoe_over". */
export function toCome(state) {
  const { coups_to_come, cut_card_out, last_round } = state.shoe;
  const between = isResting(state) || state.phase === "decided";
  if (coups_to_come === 0 || (between && last_round === state.round)) return "shoe_over";
  if (coups_to_come === 1) return between ? "next_is_last" : "last_coup";
  return cut_card_out ? "one_more" : null;
}

function newShoe(decks, terms) {
  const size = decks * 52;
  return { contributors: [], left: size, size, coups_to_come: null, cut_card_out: false, ...terms };
}

function lay(state, card) {
  if (state.phase === "closed") state.phase = "dealing";
  state.cards = [...state.cards, card];
  if (state.shoe) state.shoe.left -= 1;
}

function ended(state, phase, value) {
  state.phase = phase;
  if (state.mine) {
    state.mine.result = value.results[0]?.wagers ?? null;
    state.mine.wagers = [];
  }
}

/** The state after one more event; the same object, changed. One that is in the view already is known. */
export function fold(state, event) {
  if (event.sequence <= state.sequence) return false;
  state.sequence = event.sequence;
  FOLD[event.type]?.(state, event.value);
  state.moved_at = event.type === "WagersPlaced" ? state.moved_at : event.value.at;
  state.due = dueOf(state);
  return true;
}
