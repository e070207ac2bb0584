"""Events and proposals as text: every type has a message."""

from typing import get_args

import pytest

from baccarat.core.cards import parse_cards
from baccarat.core.misdeals import Irregularity, IrregularityKind
from baccarat.core.tableau import Hand, TurnReason, TurnRule
from baccarat.house import events as h
from baccarat.house import staff_events as sv
from baccarat.house.cards import events as d
from baccarat.house.people.roles import Role
from baccarat.house.safety.periods import Period
from baccarat.house.watch.audit_log import TOPICS, actor_of, kinds_of, significant
from baccarat.house.watch.in_words import event_in_words, proposal_in_words, subject_in_words
from baccarat.shoe.commitment import Hex
from baccarat.shoe.unshuffled import UnshuffledSign
from baccarat.table import events as e
from baccarat.table.events import PlayerResult, WagerResult
from baccarat.table.four_eyes import subjects as s
from baccarat.table.four_eyes import terms
from baccarat.table.settings import Change, Clock, Excess, StakeLimits
from baccarat.table.settings_changes import changes
from baccarat.wording.catalogue import Catalogue, catalogue
from support.live import settings_for

T = catalogue()
BEFORE, AFTER = "P:3d4d=7 B:8c8c=6", "P:3d4d=7 B:9c9s=8"
HANDS = "Player 3♦ 4♦ (7), Banker 8♣ 8♣ (6)", "Player 3♦ 4♦ (7), Banker 9♣ 9♠ (8)"
SIX, SEVEN, TWO = parse_cards("6h 7h 2c")


def irregular(kind, place, *more, **fields):
    return e.IrregularityFound(1, 6, "marco", Irregularity(kind, place, SEVEN, *more, **fields))


ANN_WON = PlayerResult("ann", (WagerResult("player", 1000, 1000),), 0)
ANN_LOST = PlayerResult("ann", (WagerResult("player", 1000, -1000),), 0)
CASH = (500_000_00, "the-pit", 100, "the-cashier", 0, None)
LIMIT = Change("maximum", "Tie", 10_000, 50_000)
SETTINGS = settings_for()
SHOE = Hex(bytes(16))

EVENTS: list[tuple[e.Event, str]] = [
    (h.SignInFailed(1, "marco"), "Wrong password entered for marco."),
    (
        h.SignInsLocked(1, "marco", 5, 9),
        "After 5 wrong passwords in a row for marco, sign-ins from the browsers or networks they "
        "came from are locked for a while.",
    ),
    (h.SignedIn(1, "marco", "ab"), "marco signed in."),
    (h.PasswordChanged(1, "marco"), "marco changed their password."),
    (h.PasswordIssued(1, "marco", "pit", "", 9), "New initial password issued to marco."),
    (
        h.AccountOpened(1, "marco", "pit", "", Role.DEALER, guest=False),
        "Account opened: marco (dealer).",
    ),
    (
        h.AccountSuspended(1, "marco", "pit", "lost his key"),
        "Account suspended: marco. Reason: lost his key",
    ),
    (h.SuspensionLifted(1, "marco", "pit", ""), "Suspension lifted: marco."),
    (sv.StaffAssigned(1, "marco", ("a", "b"), "pit"), "marco was assigned to a, b."),
    (sv.EmergencyStopped(1, "pit"), "Emergency stop of all tables."),
    (sv.StopExplained(1, 7, "smoke", "pit"), "Reason for the emergency stop: smoke"),
    (sv.SecondFactorSet(1, "marco"), "marco set up a second factor."),
    (sv.SecondFactorRemoved(1, "marco", "pit", ""), "Second factor removed: marco."),
    (
        sv.RecoveryCodeUsed(1, "marco", 9),
        "marco signed in with a recovery code. Codes left: 9.",
    ),
    (h.KeyRotated(1, "1a2b3c4d", h.OPERATOR), "The server’s key was replaced (new key 1a2b3c4d)."),
    (sv.StaffAssigned(1, "marco", (), "pit"), "marco may work at every table."),
    (h.AccountClosed(1, "marco", "pit", ""), "Account closed: marco."),
    (h.PersonErased(1, "ann", "pit"), "Personal data erased: ann."),
    (h.MoneyPaidIn(1, "ann", *CASH), "£500,000.00 paid in for ann, in cash."),
    (h.MoneyPaidOut(1, "ann", *CASH), "£500,000.00 paid out to ann, in cash."),
    (
        h.CashVoided(1, "ann", *CASH, h.Cash.PAY_IN, 1234, "wrong player"),
        "Voided: £500,000.00 paid in for ann (entry 1234). Reason: wrong player",
    ),
    (
        h.CashVoided(1, "ann", *CASH, h.Cash.PAY_OUT, 1234, "wrong player"),
        "Voided: £500,000.00 paid out to ann (entry 1234). Reason: wrong player",
    ),
    (e.LargeWinPaid(1, 1204, "ann", 1_000_000, 500_000), "ann won £10,000.00 in round 1204."),
    (
        e.RoundCancelled(1, 6, e.CancelReason.FOREIGN_CARD, ("pit",), (), None),
        "Round 6 cancelled: card that does not belong to the shoe.",
    ),
    (
        e.CoupRectified(1, 6, "marco", (SEVEN,), (TWO,), (), (), Excess.BURNED),
        "Round 6: cards changed from 7♥ (not complete) to 2♣ (not complete).",
    ),
    (
        e.CoupRectified(
            *(1, 6, "marco", (), (), (), (SEVEN,), Excess.RETURNED, ("marco", "pit")),
            *(BEFORE, "", (ANN_WON,), ()),
        ),
        f"Round 6: cards changed from {HANDS[0]} to no cards. Returned to the shoe: 7♥. Players' "
        "result before: £10.00, after: not known.",
    ),
    (
        e.RoundCorrected(
            *(1, 6, "pit", (), (), Excess.BURNED, AFTER, "banker", (ANN_LOST,)),
            *((e.Correction("ann", -2000, 0, 0, 0),), None, BEFORE, (ANN_WON,)),
        ),
        f"Round 6 corrected from {HANDS[0]} to {HANDS[1]}: £20.00 changed hands. Players' result "
        "before: £10.00, after: −£10.00.",
    ),
    (e.FloorCalled(1, "marco"), "marco called the floor. The table is frozen."),
    (e.FloorAnswered(1, "pit", "no error"), "The pit answered the call for the floor: no error"),
    (e.DealerChanged(1, "", "marco", "marco"), "marco left the table."),
    (e.DealerChanged(1, "marco", "", ""), "marco took the table."),
    (e.DealerChanged(1, "dino", "marco", "dino"), "dino took over the table from marco."),
    (
        e.DealerChanged(1, "dino", "marco", "pit"),
        "dino took over the table from marco, confirmed by pit.",
    ),
    (e.ErrorReported(1, 6, "ann", "it was a nine"), "Error reported in round 6: it was a nine"),
    (
        e.ReportDismissed(1, 6, "pit", "the tape shows it", ""),
        "Round 6 stands; the reported error was dismissed: the tape shows it",
    ),
    (
        e.RectificationConsidered(1, 6, "pit", "cards mixed"),
        "Round 6 cannot be rectified: cards mixed",
    ),
    (
        e.DisputeDecided(1, 6, "ann", (), BEFORE, ANN_LOST, ANN_WON, 0, ("pit",), "R46", 0, None),
        "Dispute over round 6 decided: £20.00 paid to ann.",
    ),
    (
        e.DisputeAnswered(1, 6, "ann", 2000, "Sorry.", ("pit", "boss")),
        "Dispute over round 6 answered: £20.00 paid to ann. Sorry.",
    ),
    (
        h.AmbiguityListed(1, "L1", "punto-banco", 1, "Is a tie a win?", "", "one", 6, "ann", "pit"),
        "L1 listed as an ambiguity of punto banco, after ann's dispute over round 6 at one: "
        "Is a tie a win?",
    ),
    (
        h.ListedAmbiguityResolved(1, "L1", "punto-banco", "It is not.", "boss", "pit"),
        "L1 (punto banco) resolved: It is not.",
    ),
    (
        h.ListedAmbiguityWithdrawn(1, "L1", "punto-banco", "The rule is clear.", "boss", "pit"),
        "L1 (punto banco) withdrawn: The rule is clear.",
    ),
    (
        e.AmbiguityResolved(
            1, "punto-banco", "after-standing", "banker-draws", "as printed", 0, ("a", "b")
        ),
        "Ruling on “after standing” (punto banco): “banker draws”. as printed",
    ),
    (
        e.AgreementMade(1, "ann", (("double_chance", "2%"),), 1204, e.THE_HOUSE, "ann"),
        "Terms agreed with ann from round 1204: double chance 2%. The player accepted the table's "
        "standing offer.",
    ),
    (
        e.AgreementMade(1, "ann", (("double_chance", "2%"),), 1204, "ann", e.THE_HOUSE),
        "Terms agreed with ann from round 1204: double chance 2%. The request was within what the "
        "house grants automatically.",
    ),
    (
        e.AgreementMade(1, "ann", (("double_chance", "10%"),), 1204, "ann", "pit"),
        "Terms agreed with ann from round 1204: double chance 10%. Proposed by ann, confirmed by "
        "pit.",
    ),
    (
        e.AgreementEnded(1, "ann", "pit", 1204),
        "The agreement with ann has ended. It no longer applies from round 1204 on.",
    ),
    (e.TablePaused(1, "pit", "a spill"), "Table paused: a spill"),
    (e.TablePaused(1, e.THE_ALARM, ""), "Table paused automatically by an alarm."),
    (e.TableResumed(1, "pit"), "Table resumed."),
    (e.TableResumed(1, "pit", stays=True), "The house was resumed, but the table remains paused."),
    (
        e.ActionProposed(1, s.Cash("ann"), terms.PayIn(100), "for a friend", "pit", 9),
        "Proposed: Pay in £1.00 for ann, in cash. Reason: for a friend",
    ),
    (
        e.ActionProposed(1, s.Cash("ann"), terms.PayIn(100), "", "pit", 9),
        "Proposed: Pay in £1.00 for ann, in cash.",
    ),
    (
        e.ProposalEnded(1, s.Cancel(6), "pit", e.ProposalEnd.CHANGED),
        "Proposal ended because the facts have changed: cancellation of round 6.",
    ),
    (e.TableOpened(1, "one", SETTINGS), "Table opened."),
    (e.SettingsChanged(1, SETTINGS, "pit"), "Settings changed."),
    (
        e.SettingsChanged(1, SETTINGS, "pit", "", (LIMIT, Change("seats", "", None, 7))),
        "Settings changed: maximum on Tie: £100.00 → £500.00; seats: no limit → 7.",
    ),
    (e.LeaseTaken(1, 1003, "server-1"), "server-1 now runs the table (epoch 1003)."),
    (
        h.GamingDaySet(1, "Europe/Athens", 6, h.HOUSE_FILE),
        "Gaming days begin at 6:00 in the time zone Europe/Athens.",
    ),
    (
        e.BurnCorrected(1, "marco", (SEVEN,), (SIX,), 7, "misread"),
        "Burned card corrected from 7♥ to 6♥ (7 burned): misread",
    ),
    (
        e.ReadingDisputed(1, 6, "marco", SIX, SEVEN),
        "The shoe read 7♥, but the dealer entered 6♥ (round 6).",
    ),
    (
        e.CutCardTakenBack(1, 6, "marco", "a slip"),
        "Cut card recorded by mistake and taken back in round 6: a slip",
    ),
    (
        d.DeckSetReceived(1, "red-7", "pit", "red", ("A1", "A2")),
        "Deck set red-7 received: red, decks A1, A2",
    ),
    (
        d.DeckSetPrepared(1, "red-7", "pit", "baize", 416, "marco"),
        "Deck set red-7 counted (416 cards) for baize; shuffled by marco",
    ),
    (
        d.DeckCardChanged(1, "red-7", "pit", SIX, "S9", "bent"),
        "6♥ in deck set red-7 exchanged for the one from deck S9: bent",
    ),
    (d.DeckSetRetired(1, "red-7", "pit", "worn"), "Deck set red-7 retired: worn"),
    (
        e.ShoeBegun(1, "marco", SHOE, 8, SHOE, "red-7", 12, e.CutBy.PLAYER),
        "Shoe begun with deck set red-7, cut by a player",
    ),
    (
        h.FootageNoted(1, "one", 1234, "cam 7, 22:04:10", "pit"),
        "Camera reference of round 1234 at one: cam 7, 22:04:10",
    ),
    (h.ClockChanged(1, "server-1", -60_000), "The clock of server-1 jumped by -60,000 ms."),
    (
        h.BonusOpened(1, "ann", 5000, "pit", None, "", 0, None, 0, 9),
        "£50.00 of bonus money granted to ann.",
    ),
    (h.BonusReleased(1, "ann", 5000, ""), "£50.00 of bonus money released to ann."),
    (
        h.BonusForfeited(1, "ann", 5000, h.BonusEnd.EXPIRY, ""),
        "£50.00 of ann's bonus money expired.",
    ),
    (
        h.BonusForfeited(1, "ann", 5000, h.BonusEnd.TAKEN_BACK, "pit", staked=700),
        "£50.00 of ann's bonus money taken back; £7.00 more is on tables.",
    ),
    (
        h.PartnersChanged(1, "ann", ("bob", "cy"), h.LinkReason.PIT, "pit", "one household"),
        "ann is now a partner of bob, cy. Reason: one household",
    ),
    (h.PartnersChanged(1, "ann", (), h.LinkReason.PIT, "pit", ""), "ann no longer has partners."),
    (
        h.PartnersChanged(1, "ann", ("bob",), h.LinkReason.DECLARED, "ann", ""),
        "ann is now a partner of bob. They named each other.",
    ),
    (
        h.KeptApart(1, "ann", ("bob",), "pit", "strangers"),
        "ann is not a partner of bob. Reason: strangers",
    ),
    (h.PlayerExcluded(1, "ann", 9, "pit", 0), "ann was excluded."),
    (
        h.PlayerExcluded(1, "ann", 9, "ann", 2500),
        "ann self-excluded while £25.00 was at stake in a round in progress; the round will be "
        "played out.",
    ),
    (
        h.LimitSet(1, "ann", h.LimitKind.LOSS, Period.WEEK, h.Owner.HOUSE, 5000, "pit"),
        "House limit for ann: losses of at most £50.00 per week.",
    ),
    (
        h.LimitSet(1, "ann", h.LimitKind.TIME, Period.DAY, h.Owner.HOUSE, 90, "pit"),
        "House limit for ann: at most 90 minutes of play per day.",
    ),
    (
        h.LimitSet(1, "ann", h.LimitKind.DEPOSIT, Period.MONTH, h.Owner.HOUSE, None, "pit"),
        "House limit removed for ann: deposits per month.",
    ),
    (
        h.BrowserShared(1, "ann", ("bob", "cy")),
        "ann signed in with a browser that bob, cy had used.",
    ),
    (
        e.AlarmRaised(1, e.Alarm.UNSHUFFLED, "marco", UnshuffledSign.RUN, (SIX, SEVEN)),
        "Alarm: the shoe may not have been shuffled, because 2 cards came in factory order "
        "(6♥ 7♥).",
    ),
    (
        e.AlarmRaised(1, e.Alarm.UNSHUFFLED, "marco", UnshuffledSign.REPEAT, (SEVEN, SIX)),
        "Alarm: the shoe may not have been shuffled, because 2 cards came in the same order as "
        "before (7♥ 6♥).",
    ),
    (
        e.AlarmRaised(1, e.Alarm.DOES_NOT_ADD_UP, "marco", None, (SEVEN,), (SIX,)),
        "Alarm: the shoe does not consist of complete decks; too many: 7♥; missing: 6♥.",
    ),
    (
        e.AlarmRaised(1, e.Alarm.FOREIGN_CARD, "marco"),
        "Alarm: a card does not belong to the shoe.",
    ),
    (
        e.ErrorReported(1, 6, "marco", "", SEVEN, 3),
        "Error reported in round 6: The shoe sent 7♥ as card 3 of round 6, which was settled with "
        "other cards.",
    ),
    (
        irregular(IrregularityKind.EXTRA, 5, reason=TurnReason(TurnRule.NATURAL_PLAYER, 8, 3)),
        "Round 6, extra card: 7♥ is one card too many (Player has a natural 8, so no more cards "
        "are drawn).",
    ),
    (
        irregular(IrregularityKind.SWAPPED, 2, (SIX,), Hand.PLAYER),
        "Round 6, cards swapped: 7♥, which belongs to Player, and 6♥, which belongs to Banker, are "
        "swapped.",
    ),
    (
        irregular(IrregularityKind.IMPOSSIBLE, 2),
        "Round 6, impossible card: 7♥ is impossible, because every 7♥ of this shoe is already out.",
    ),
    (
        irregular(IrregularityKind.NOT_NEXT, 2, (SIX,)),
        "Round 6, card out of order: 7♥ came before 6♥, which was taken back and must come first.",
    ),
    (
        irregular(IrregularityKind.EXPOSED, 0, (SIX,)),
        "Round 6, card exposed early: 7♥ was exposed before “no more bets” and is burned; 6♥ was "
        "taken back and is still next.",
    ),
    (
        e.CardInDoubt(1, 6, "marco", SEVEN, None, e.InDoubt.NO_COUP, 0, None, None),
        "Round 6: 7♥ was sent by the shoe, but no coup was being dealt.",
    ),
    (
        e.CardInDoubt(1, 6, "marco", SEVEN, None, e.InDoubt.OTHER_PLACE, 3, 6, 2),
        "Round 6: 7♥ was sent by the shoe, but card 3 of round 6 was next, not card 2 of round 6.",
    ),
    (
        e.CardInDoubt(1, 6, "marco", SEVEN, None, e.InDoubt.MOVED_ON, -1, None, None),
        "Round 6: 7♥ was sent by the shoe, but the table had moved on to exposed card 2 after "
        "round 6.",
    ),
    (
        e.CardExplained(1, 6, "marco", SEVEN, e.CardExplanation.MISTAKE),
        "Round 6: the dealer explained 7♥, sent by the shoe, as a mistake by the shoe.",
    ),
    (
        e.BonusBreachFlagged(1, 6, "ann", ("ann",), ("player", "banker"), "9/10", 100, 100),
        "ann's bets on round 6 break the rule on bonus money (R37).",
    ),
    (
        e.PartnersSuspected(1, ("ann", "bob"), 50, 49, (3, 4, 9), 150_000, 7),
        "ann, bob: they bet on the same side in 49 of 50 rounds and together exceeded the maximum "
        "in 3 of them. This is at least 10^7 times more likely for partners than for players who "
        "bet independently, each with their own habits.",
    ),
    (
        e.ResultUnusual(1, "real", 0, 15, 15_000, -15_000, 200, 900, -4_000, 4_400, 10),
        "The house's result today is −£150.00, outside −£40.00 to £44.00; £2.00 was expected.",
    ),
    (
        e.DataLost(1, "server-1", "the secret of a shoe is missing"),
        "Data lost on server-1: the secret of a shoe is missing",
    ),
]

PROPOSALS: list[tuple[s.Subject, terms.ProposalTerms, str]] = [
    (
        s.Cancel(6),
        terms.CancelRound(e.CancelReason.MISDEAL, 2500, (), (SEVEN, TWO)),
        "Cancel round 6: misdeal. Cards out: none. Stakes: £25.00. Reported in this round and then "
        "removed: 7♥ 2♣.",
    ),
    (
        s.Cancel(6),
        terms.CancelRound(e.CancelReason.POWER, 2500, (SEVEN, TWO), ()),
        "Cancel round 6: power failure. Cards out: 7♥ 2♣. Stakes: £25.00.",
    ),
    (
        s.Rectify(6),
        terms.ChangeCoup((), (SEVEN,), BEFORE, "", 1000, 0, (TWO,)),
        f"Change the cards of round 6 from {HANDS[0]} to 7♥ (not complete). Players' result "
        "before: £10.00, after: not known. The shoe sent 2♣, which the dealer called a mistake or "
        "put elsewhere.",
    ),
    (
        s.Correct(6),
        terms.SettleAgain((), BEFORE, AFTER, (terms.Moved("ann", 1000, -1000),)),
        f"Correct round 6 from {HANDS[0]} to {HANDS[1]}: £20.00 changes hands.",
    ),
    (
        s.Correct(6),
        terms.DismissReports(("ann", "marco")),
        "Let round 6 stand and dismiss the error reported by ann, marco.",
    ),
    (
        s.HandOver("dino"),
        terms.TakeTable("marco"),
        "dino asks to take over the table from marco.",
    ),
    (
        s.Limits(),
        terms.ChangeLimits(None, None, (LIMIT,)),
        "Change the table's settings: maximum on Tie: £100.00 → £500.00.",
    ),
    (
        s.Dispute(6, "ann"),
        terms.DecideDispute((), 1000, terms.Grounds(-1000)),
        "Decide the dispute over round 6: pay £20.00 to ann.",
    ),
    (
        s.Dispute(6, "ann"),
        terms.AnswerDispute(2000, "Sorry.", terms.Grounds(-1000)),
        "Answer the dispute over round 6 and pay £20.00 to ann.",
    ),
    (
        s.Ambiguity("L1"),
        terms.ResolveListed("punto-banco", "Is a tie a win?", "It is."),
        "Resolve L1 (punto banco): Is a tie a win?",
    ),
    (
        s.Ambiguity("L1"),
        terms.WithdrawListed("punto-banco", "Is a tie a win?", "It is."),
        "Withdraw L1 (punto banco), so that open disputes are decided without it: Is a tie a win?",
    ),
    (
        s.Listing("one", 6, "ann"),
        terms.ListAmbiguity("punto-banco", "Is a tie a win?", "[[ambiguity]]"),
        "List an ambiguity of punto banco, with readings that decide every dispute over rounds "
        "played under this rule card: Is a tie a win?",
    ),
    (
        s.Ambiguity("after-standing"),
        terms.ResolveAmbiguity("banker-draws", 0, "punto-banco", 1),
        "Resolve “after standing” (punto banco) as “banker draws”.",
    ),
    (s.StaffAccount("marco"), terms.OpenAccount("pit", 3), "Open an account: marco (pit)."),
    (s.StaffAccount("marco"), terms.CloseAccount(), "Close the account of marco."),
    (s.StaffAccount("marco"), terms.IssuePassword(), "Issue a new password to marco."),
    (s.StaffAccount("marco"), terms.LiftSuspension(), "Lift the suspension of marco."),
    (
        s.StaffAccount("marco"),
        terms.RemoveSecondFactor(),
        "Remove the second factor of marco.",
    ),
    (s.Cash("ann"), terms.PayIn(100), "Pay in £1.00 for ann, in cash."),
    (
        s.Cash("ann"),
        terms.PayOut(100, terms.PaymentMethod.CARD, "S-7"),
        "Pay out £1.00 to ann, by card (reference S-7).",
    ),
    (
        s.Cash("ann"),
        terms.VoidCash(1234, -100, "wrong player"),
        "Void £1.00 paid in for ann (entry 1234). Reason: wrong player",
    ),
    (
        s.Bonus("ann"),
        terms.GrantBonus(5000, 1, 30),
        "Grant ann £50.00 of bonus money, to be wagered 1 time within 30 days.",
    ),
    (
        s.Bonus("ann"),
        terms.TakeBackBonus(5000),
        "Take back all of ann's bonus money, including bets on tables: £50.00.",
    ),
]


@pytest.mark.requirement("G23")
@pytest.mark.parametrize(("event", "text"), EVENTS, ids=lambda value: type(value).__name__)
def test_g23_an_event_is_described(event, text):
    assert event_in_words(event, T, "GBP") == text


@pytest.mark.parametrize(("subject", "agreed", "text"), PROPOSALS)
def test_a_proposal_is_described(subject, agreed, text):
    assert (
        proposal_in_words(e.ActionProposed(1, subject, agreed, "why", "pit", 9), T, "GBP") == text
    )
    assert subject_in_words(subject, T)


@pytest.mark.requirement("G23")
def test_g23_every_significant_event_and_proposal_has_a_message():
    worded = {type(event) for event, _ in EVENTS}
    assert worded == set(kinds_of(None))
    assert worded <= {*e.EVENTS.values(), *h.HOUSE_EVENTS.values()}
    assert {type(agreed) for _, agreed, _ in PROPOSALS} == set(get_args(terms.ProposalTerms))
    assert {type(subject) for subject, _, _ in PROPOSALS} == set(get_args(s.Subject))


def test_every_message_about_events_is_used():
    expected = {f"event-{kind.__name__}" for kind in kinds_of(None)}
    expected |= {f"proposal-{kind.__struct_config__.tag}" for kind in get_args(terms.ProposalTerms)}
    expected |= {f"subject-{kind.__struct_config__.tag}" for kind in get_args(s.Subject)}
    expected |= {f"topic-{topic}" for topic in TOPICS} | {
        f"topic-short-{topic}" for topic in TOPICS
    }
    expected |= {f"role-{role}" for role in Role}
    expected |= {f"cancelled-{reason}" for reason in e.CancelReason}
    starts = ("event-", "proposal-", "subject-", "topic-", "role-", "cancelled-")
    assert {key for key in T if key.startswith(starts)} == expected


def test_every_setting_that_can_change_has_a_name():
    other = settings_for(
        "double-chance",
        source="shuffler",
        cut=20,
        burn="none",
        clock=Clock(1, 2, 3, 4, 5),
        limits=StakeLimits(100, 2000, 3000, (), 4),
    )
    found = changes(SETTINGS, other)
    assert {change.name for change in found} >= {"rules", "cut", "betting", "coup_maximum", "seats"}
    assert event_in_words(e.SettingsChanged(1, other, "pit", "", found), T, "GBP")


def test_the_log_is_translated_except_for_typed_reasons():
    texts = {key: f"«{key}»" for key in T}
    texts |= {"event-TablePaused": "angehalten: { $reason } { $how }", "who-house": "das Haus"}
    german = Catalogue("de", {"a.ftl": "\n".join(f"{key} = {text}" for key, text in texts.items())})
    line = significant("table:x", 1, e.TablePaused(1, "pit", "a spill"), german)
    assert (line.words, line.who, line.kind) == ("angehalten: a spill reason", "pit", "TablePaused")
    assert actor_of(e.TableOpened(1, "one", SETTINGS), german) == "das Haus"
    assert actor_of(h.PersonErased(1, "ann", h.OPERATOR), T) == "the operator"
