// The state of a table's page: the view sent with the page, updated by each frame of the socket. It
// contains no rules of the game.

/** The initial state of the page, from the data sent with it. */
export function begin(view, mine) {
  return { ...view, mine: mine && { ...mine }, proofs: proofsOf(view.cards) };
}

/** Apply a frame to the state; frames older than the state are ignored. */
export function take(state, { view, stakes, roads, mine, through, events }) {
  if (through <= state.sequence) return;
  const dealt = events.filter(({ type }) => type === "CardDealt").map((event) => event.card);
  Object.assign(state.proofs, proofsOf(dealt)); // each proof comes once, with its card
  if (view) {
    const cards = view.cards.map((card) => ({ ...card, ...state.proofs[card.position] }));
    Object.assign(state, view, { cards, proofs: proofsOf(cards) });
  }
  if (stakes?.round === state.round) state.stakes = stakes;
  if (roads) state.roads = roads;
  if (state.mine && dealt.length) state.mine.peek = null;
  if (state.mine && mine) Object.assign(state.mine, mine);
  if (state.mine && state.mine.round !== state.round) Object.assign(state.mine, { round: state.round, wagers: [], result: null, net: null });
  state.sequence = through;
}

function proofsOf(cards) {
  return Object.fromEntries(cards.map(({ position, nonce, proof }) => [position, { nonce, proof }]));
}

/** The player's stake on a bet: the settled one while that is shown, or else the intended one. */
export function stakeOn(state, wagers, bet) {
  const result = state.mine?.result;
  return result?.length ? result.find((one) => one.bet === bet)?.stake ?? 0 : wagers?.stake(bet) ?? 0;
}
