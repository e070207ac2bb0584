"""How it is said what a bet pays: the phrases that the sentences are put together from.

English is here; another language is another set with the same keys and the same places in them. The
one rule: a phrase is whole, so that no grammar is assumed.
"""


class Phrases(dict[str, str]):
    """The phrases of one language; one object for each, so it can be remembered by."""

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def say(self, key: str, **values: str) -> str:
        return self[key].format(**values)


ENGLISH = Phrases(
    {
        "bet": "{name} {lines}.",
        "bet-assumed": "{name} {lines} (assumed: the poster does not print these odds).",
        "pays": "pays {odds} when {when}",
        "pays-percent": "pays {percent}% of the stake when {when}",
        "returns": "returns the stake when {when}",
        "otherwise": "otherwise {line}",
        "stand-off": "stand-off",
        "result-player": "player {odds}",
        "result-banker": "banker {odds}",
        "result-tie": "tie {odds}",
        "and": "{one} and {other}",
        "or": "{one} or {other}",
        "not": "not ({one})",
        "always": "always",
        "player-wins": "Player wins",
        "banker-wins": "Banker wins",
        "tie-wins": "the hands tie",
        "player_total": "Player's total is {values}",
        "banker_total": "Banker's total is {values}",
        "margin": "the totals differ by {values}",
        "player_cards": "Player has {values} cards",
        "banker_cards": "Banker has {values} cards",
        "cards": "{values} cards are dealt",
        "player_natural": "Player has a natural",
        "player_natural-not": "Player has no natural",
        "banker_natural": "Banker has a natural",
        "banker_natural-not": "Banker has no natural",
        "player_start": "Player's first two cards make {values}",
        "banker_start": "Banker's first two cards make {values}",
        "player_third": "Player's third card is worth {values}",
        "player_third-none": "Player has no third card",
        "banker_third": "Banker's third card is worth {values}",
        "banker_third-none": "Banker has no third card",
        "player_pair": "Player's first two cards are a pair",
        "player_pair-not": "Player's first two cards are no pair",
        "banker_pair": "Banker's first two cards are a pair",
        "banker_pair-not": "Banker's first two cards are no pair",
        "player_perfect_pair": "Player's first two cards are a pair of one suit",
        "player_perfect_pair-not": "Player's first two cards are no pair of one suit",
        "banker_perfect_pair": "Banker's first two cards are a pair of one suit",
        "banker_perfect_pair-not": "Banker's first two cards are no pair of one suit",
    }
)
