// What this page knows of the table: the view it was handed, and every event since, folded in. No
// rule of the game is here: totals, rows, winners and payments come with the events.

/** The state of the page, from what the server handed over. */
export function begin(view, mine) {
  return { ...view, mine: mine && { ...mine }, due: dueOf(view), lastWagers: [] };
}

/** When the next thing happens by the table's clock, for what can be counted down to. */
function dueOf(state) {
  if (state.phase === "open") return { at: state.closes_at, of: state.clock.betting };
  if (state.shoe?.phase === "contributing") return { at: state.shoe.contribute_until, of: state.clock.contribute };
  if (state.shoe?.phase === "revealing") return { at: state.shoe.reveal_until, of: state.clock.reveal };
  const resting = ["settled", "cancelled"].includes(state.phase);
  if (resting && state.shoe?.phase === "in-play" && !state.paused) {
    return { at: state.moved_at + state.clock.pause, of: state.clock.pause };
  }
  return null;
}

const FOLD = {
  RoundOpened(state, value) {
    if (state.mine) Object.assign(state.mine, { round: value.round, wagers: [], result: null });
    Object.assign(state, {
      round: value.round, phase: "open", closes_at: value.closes_at, cards: [], decided: null,
      stakes: { round: value.round, players: 0, bets: {} },
    });
  },
  WagersPlaced(state, value) {
    if (state.mine && value.round === state.round) state.mine.wagers = value.wagers;
  },
  BettingClosed(state) {
    state.phase = "closed";
    if (state.mine?.wagers.length) state.lastWagers = state.mine.wagers;
  },
  CardDealt(state, value) {
    state.phase = "dealing";
    // The view may have been a moment ahead of its number: a card is known by its position.
    if (state.cards.some((card) => card.position === value.card.position)) return;
    state.cards = [...state.cards, { hand: value.hand, total: value.total, row: value.row, ...value.card }];
    if (state.shoe) state.shoe.left -= 1;
  },
  CutCardShown(state) {
    if (state.shoe) state.shoe.cut_card_out = true;
  },
  CoupDecided(state, value) {
    state.phase = "decided";
    state.decided = { round: value.round, coup: value.coup, winner: value.winner };
  },
  RoundSettled(state, value) {
    ended(state, "settled", value);
  },
  RoundCancelled(state, value) {
    ended(state, "cancelled", value);
  },
  ShoeCommitted(state, value) {
    const { at, ...terms } = value;
    state.shoe = { ...terms, phase: "contributing", contributors: [], left: value.decks * 52, size: value.decks * 52, last_coup: false, cut_card_out: false };
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
  TableResumed(state) {
    state.paused = false;
  },
};

function ended(state, phase, value) {
  state.phase = phase;
  if (state.mine) {
    state.mine.result = value.results[0]?.wagers ?? null;
    state.mine.wagers = [];
  }
}

/** The state after one more event; the same object, changed. */
export function fold(state, event) {
  FOLD[event.type]?.(state, event.value);
  state.moved_at = event.type === "WagersPlaced" ? state.moved_at : event.value.at;
  state.due = dueOf(state);
}
