"""A duel of two coaches who draft their teams and play nine innings (SI-192 to SI-203, SI-211, SI-212)."""

from __future__ import annotations

from engine.asks import Choose, Draw, Play, Secret, ask_secretly, ask_together, choose, roll
from engine.games.seventh_inning_stretch.innings.one_game import LINEUP_SIZE, begin_game, select_players
from engine.games.seventh_inning_stretch.season.draft import draw_card
from engine.games.seventh_inning_stretch.state import State, Step
from engine.games.seventh_inning_stretch.words import NINTH_BATTER_REMINDER, player_notes, team_name
from engine.innings import Outcome
from engine.lazy import LazyFact
from engine.seats import SEATS, Seat, opposite_seat, replace_for_seat
from engine.secrets import SealedValue
from engine.text.agreement import name_with_verb

DUEL_PHASES = ("set-up", "first-deal", "second-deal", "last-deal", "selection", "game")
"""Phases of a duel, in order."""

TIER_1_DEAL_SIZE = 4
"""Batters of tier 1 dealt to each coach at a time (SI-194)."""

OTHER_TIERS_DEAL_SIZE = 3
"""Cards of tier 2, and of tier 3, dealt to each coach (SI-197)."""


def set_up(s: State) -> Play:
    """Decide who bats first, and give each coach a pitcher of tier 1 (SI-193, A20, A22)."""
    if s.house["duelFirstBat"] == "ask" and (yield from choose("away", "first-bat", ("agreed", "die"))) == "die":
        face = yield from roll("away", "first-bat-die")
        s.dice, s.threw = (face,), "first-bat-die"
        s.emit("stay-seated" if face % 2 else "change-chairs", face=face)
    names = tuple(name for name in s.box.players_of_tier(1) if name in s.box.pitchers)
    if s.house["duelPitcher"] == "chosen":
        first = yield from choose("away", "duel-pitcher", names, notes=LazyFact(player_notes, s, names))
    else:
        first = yield from draw_card(s, "away", "duel-pitcher-drawn", names)
    for seat, name in zip(SEATS, (first, next(one for one in names if one != first)), strict=True):
        s.update_squad(seat, roster=(name,))
        s.emit("duel-pitcher", seat=seat, team=team_name(s, seat), pitcher=name)
    s.phase = "first-deal"


def deal_hands(s: State) -> Play:
    """Deal both hands. Real cards are dealt on the table (SI-194, SI-196, SI-197)."""
    what = ", ".join(f"{count} of tier {tier}" for tier, count in deal_sizes(s).items())
    s.emit("deal", what=what)
    if s.house["cards"] == "real":
        yield from choose("away", "dealt", ("ready",), what=what)
        s.drafted = 1
        return
    # Each coach has a pitcher, so only batters of tier 1 are left.
    taken = {name for squad in s.squads for name in squad.roster}
    for tier, count in deal_sizes(s).items():
        left = [name for name in s.box.players_of_tier(tier) if name not in taken]
        for _ in range(count):
            for seat in SEATS:
                sealed = yield from ask_secretly(Draw(seat, "hand", tuple(left), {"tier": tier}))
                left.remove(sealed.peek())
                s.hands = replace_for_seat(s.hands, seat, (*s.hands[SEATS.index(seat)], sealed))
    s.drafted = 1


def deal_sizes(s: State) -> dict[int, int]:
    """Return the number of cards that a coach is dealt now, by tier."""
    return {2: OTHER_TIERS_DEAL_SIZE, 3: OTHER_TIERS_DEAL_SIZE} if s.phase == "last-deal" else {1: TIER_1_DEAL_SIZE}


def pick_cards(s: State) -> Play:
    """Let both coaches keep a card in secret, then pass the hands (SI-195, SI-198)."""
    count = sum(deal_sizes(s).values()) - s.drafted + 1
    kept = yield from (pick_real(s) if s.house["cards"] == "real" else pick_dealt(s, count))
    for seat in SEATS:
        s.update_squad(seat, roster=(*s.squad(seat).roster, kept[seat]))
        s.emit("picked", seat=seat, team=team_name(s, seat), player=kept[seat])
    away, home = (tuple(one for one in hand if one.peek() not in kept.values()) for hand in s.hands)
    # Only the other coach may see each hand now.
    s.hands = (tuple(pass_card(one) for one in home), tuple(pass_card(one) for one in away))
    s.drafted += 1
    if count == 1:
        s.drafted, s.hands = 0, ((), ())
        s.phase = DUEL_PHASES[DUEL_PHASES.index(s.phase) + 1]


def pass_card(card: SealedValue[str]) -> SealedValue[str]:
    """Return a card sealed for the other coach."""
    return SealedValue(opposite_seat(card.owner), card.peek(), card.n)


def pick_dealt(s: State, count: int) -> Step[dict[Seat, str]]:
    """Ask both coaches for a card of their dealt hands. The last card needs no choice."""
    hands = {seat: tuple(one.peek() for one in s.hands[SEATS.index(seat)]) for seat in SEATS}
    if count == 1:
        return {seat: hand[0] for seat, hand in hands.items()}
    about = {seat: {"count": count, "notes": LazyFact(player_notes, s, hand)} for seat, hand in hands.items()}
    asks = [Secret(Choose(seat, "pick", keepable_cards(s, seat, hands[seat]), about[seat])) for seat in SEATS]
    sealed = yield from ask_together(*asks)
    return {seat: s.reveal(sealed[seat]) for seat in SEATS}


def pick_real(s: State) -> Step[dict[Seat, str]]:
    """Ask for the real cards that both coaches kept and turned over. The rest of the hands is unknown."""
    kept: dict[Seat, str] = {}
    for seat in SEATS:
        taken = {*kept.values(), *(name for squad in s.squads for name in squad.roster)}
        names = tuple(name for tier in deal_sizes(s) for name in s.box.players_of_tier(tier) if name not in taken)
        mind = NINTH_BATTER_REMINDER if needs_batter(s, seat) else ""
        kept[seat] = yield from choose(seat, "kept", names, notes=LazyFact(player_notes, s, names), mind=mind)
    return kept


def keepable_cards(s: State, seat: Seat, hand: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards that a coach may keep, near the end only batters if the ninth is missing (SI-211, A21)."""
    batters = tuple(name for name in hand if name in s.box.batters)
    return batters if batters and needs_batter(s, seat) else hand


def needs_batter(s: State, seat: Seat) -> bool:
    """True in the last two picks for a coach without a ninth batter."""
    have = sum(name in s.box.batters for name in s.squad(seat).roster)
    last = s.phase == "last-deal" and s.drafted >= sum(deal_sizes(s).values()) - 1
    return last and have < LINEUP_SIZE and s.house["duelMinBatters"] == "enforce"


def play_ball(s: State) -> Play:
    """Select players for both coaches, and begin the game (SI-199, SI-200)."""
    s.emit("duel", opens=True, **s.name_facts)
    begin_game(s, int(s.house["duelStart"]))
    for seat in SEATS:
        yield from select_players(s, seat)
    s.phase, s.playing = "game", True


def record_duel(s: State) -> Play:
    """End the duel (SI-212)."""
    yield from ()
    assert s.winner is not None
    sentence = f"{name_with_verb(team_name(s, s.winner), 'wins/win')} {max(s.score)} to {min(s.score)}."
    reason = "nine-innings" if s.clock.inning == LINEUP_SIZE else "extra-innings"
    s.outcome = Outcome(s.winner, reason, sentence)
    s.playing = False
    s.emit("duel-over", ending=sentence)
