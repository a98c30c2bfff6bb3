"""The race at the table: button presses, phones and pictures of two dice, up to the stored answer."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from device.app import App
from device.inputs.dice_camera import DiceCamera, _FrameFeed
from device.inputs.tray_view import TrayReader
from device.storage.store import Store
from device.table.race.race import FALSE_CALL, OpenRace
from device.table.race.referee import CONFIRM_DELAY_S, GRACE_PERIOD_S
from device.table.session import RACE_POLL_S, GameSession
from engine.errors import IllegalAnswer, InvalidAnswer, StaleAnswer, WrongSeat
from engine.game import RaceRules
from engine.journal import Answer, Source
from engine.seats import Seat
from engine.views import json_data
from tests.device.display import menus
from tests.device.inputs.scenes import Filmed
from tests.device.stored_games import Clock, full_disk, proposal, seen
from tests.web.games.bottom_of_the_9th import contact, ninth
from vision.reader import Reader
from vision.reading import Reading
from vision.synthetic.tray import SyntheticDie, SyntheticTray
from vision.tray.motion import TrayWatcher
from vision.tray.tracker import DIE_GONE, DIE_MOVING, DIE_UNSURE, DiceTracker, RestingFace, ShownDie


@pytest.fixture
def race(store: Store, clock: Clock) -> GameSession:
    """Play until Ann Aster has put the ball in play; both race dice lie where they fell for the pitch."""
    session = GameSession(store, lambda: contact(ninth()), clock=clock)
    show(session, clock, home=RestingFace(5, 100.0), away=RestingFace(1, 100.0))
    return session


def show(session: GameSession, clock: Clock, **shown: ShownDie) -> None:
    """Show the session one picture."""
    session.race.record_dice(clock.now, shown)  # type: ignore[arg-type]


def roll(session: GameSession, clock: Clock, seat: Seat, face: int) -> RestingFace:
    """Roll a seat's die: it flies for half a second and comes to rest on the given face."""
    shown: dict[str, ShownDie] = {seat: DIE_MOVING}
    show(session, clock, **shown)
    lies = RestingFace(face, clock.now + 0.5)
    shown = {seat: lies}
    clock.now += 0.6
    show(session, clock, **shown)
    clock.now += 0.6
    return lies


def of(session: GameSession, seat: Seat) -> dict[str, Any]:
    found: dict[str, Any] = json_data(session.game.view_for(None))["race"]["seats"][seat]
    return found


def first(session: GameSession) -> str | None:
    """Return the runner on first."""
    base: str | None = json_data(session.game.view_for(None))["table"]["scoreboard"]["bases"][0]
    return base


def later(session: GameSession, clock: Clock, seconds: float) -> None:
    """Advance the clock and tick the session."""
    for _ in range(round(seconds * 20)):
        clock.now += 0.05
        session.tick()


@pytest.mark.rule("BN-096", "BN-097")
def test_ok_calls_a_winning_die(race: GameSession, clock: Clock, store: Store) -> None:
    """OK on a 5 in the tray means SAFE: once no earlier OUT can arrive, the runner is on first, and it is stored."""
    roll(race, clock, "home", 5)
    assert {"wins": [5, 6], "face": 5, "state": "ready", "words": "A 5: call it!"} == of(race, "home")
    race.buttons.press_ok("home", clock.now)
    assert ("called", None) == (of(race, "home")["state"], first(race))
    show(race, clock, home=RestingFace(5, clock.now - 0.7))
    later(race, clock, 0.2)
    assert ("Ann Aster", None) == (first(race), json_data(race.game.view_for(None))["race"])
    assert Answer("home", race.game.table.answers[-1].n, 5) == race.game.table.journal[-1]
    saved = store.current_game()
    assert saved is not None
    assert saved.table is not None
    assert len(saved.table.journal) == len(race.game.table.journal)


@pytest.mark.parametrize(("ahead", "safe"), [(0.03, True), (0.06, False)])
@pytest.mark.rule("BN-098")
def test_a_tie_is_judged_by_the_press_times(race: GameSession, clock: Clock, ahead: float, safe: bool) -> None:
    """OUT reached the session first, but the time of the press counts, not that of its arrival."""
    home, away = roll(race, clock, "home", 5), roll(race, clock, "away", 6)
    press = clock.now
    race.buttons.press_ok("away", press - ahead)
    race.buttons.press_ok("home", press)
    show(race, clock, home=home, away=away)
    later(race, clock, 0.3)
    assert safe == (first(race) == "Ann Aster")
    assert json_data(race.game.view_for(None))["race"] is None


@pytest.mark.rule("BN-099")
def test_a_void_call_is_explained(race: GameSession, clock: Clock) -> None:
    """The race goes on: the seat sees what to do, and can call again only after a new roll."""
    clock.now += GRACE_PERIOD_S
    race.buttons.press_ok("home")
    later(race, clock, 0.1)
    show(race, clock, home=RestingFace(5, 100.0))
    assert ("void", "You haven't rolled again: roll the red die first.") == (
        of(race, "home")["state"],
        of(race, "home")["words"],
    )
    roll(race, clock, "home", 3)
    race.buttons.press_ok("home")
    show(race, clock, home=RestingFace(3, clock.now - 0.1))
    assert ("void", "That did not win: roll again.") == (of(race, "home")["state"], of(race, "home")["words"])
    assert "roll again" in of(race, "home")["words"]
    show(race, clock, home=DIE_MOVING)
    assert ("rolling", "Roll the red die: 5 or 6 wins.") == (of(race, "home")["state"], of(race, "home")["words"])


@pytest.mark.rule("BN-140")
def test_a_seat_calls_only_for_itself(race: GameSession, clock: Clock) -> None:
    """Without a race nobody can call, nor type a 5 before a call, while the camera may still decide, or for the other
    seat."""
    n: dict[Seat, int] = json_data(race.game.view_for(None))["race"]["n"]
    with pytest.raises(WrongSeat, match="The other side has to call that"):
        race.race.call_in_race("home", n["away"], 100.0, Source.PHONE)
    with pytest.raises(StaleAnswer, match="No race is on"):
        race.race.call_in_race("home", 99, 100.0, Source.PHONE)
    for seat, call in (("home", False), ("home", True), ("away", False)):
        if call:
            race.buttons.press_ok("home")
        with pytest.raises(IllegalAnswer, match="Just call"):
            race.seats.answer_ask(seat, n[seat], 5, Source.PHONE)  # type: ignore[index,arg-type]
    assert first(race) is None


@pytest.fixture
def unsure(race: GameSession, clock: Clock) -> GameSession:
    """Run a race in which home has rolled and called, and the camera is not sure about its die."""
    for shown in (DIE_MOVING, DIE_UNSURE):
        clock.now += 0.5
        show(race, clock, home=shown)
    clock.now += 0.1
    race.buttons.press_ok("home")
    show(race, clock, home=DIE_UNSURE)
    later(race, clock, CONFIRM_DELAY_S + 0.1)
    return race


def test_the_caller_confirms_with_buttons(unsure: GameSession, clock: Clock) -> None:
    """OK alone confirms nothing; after moving to the face it does."""
    view = unsure.game.view_for(None)
    assert json_data(view)["race"]["confirm"] == {
        "seat": "home",
        "n": json_data(view)["race"]["n"]["home"],
        "sentence": "Home called, and the camera isn't sure: what does the die show?",
    }
    assert (json_data(view)["dial"]["seat"], json_data(view)["dial"]["label"], json_data(view)["dial"]["count"]) == (
        "home",
        "Turn to your die",
        4,
    )
    with pytest.raises(IllegalAnswer, match="Turn to what your die shows"):
        unsure.buttons.press_ok("home")
    unsure.buttons.move_cursor("home", 1)
    assert json_data(unsure.game.view_for(None))["dial"]["label"] == "It shows 5"
    unsure.buttons.press_ok("home")
    later(unsure, clock, 0.2)
    assert (first(unsure), json_data(unsure.game.view_for(None))["race"]) == ("Ann Aster", None)


@pytest.mark.parametrize(
    ("shown", "sentence"),
    [
        (None, "Home called: what does the die show?"),
        (DIE_GONE, "Home called, and I see no red die: what does it show?"),
    ],
)
def test_the_table_shows_why_it_asks(race: GameSession, clock: Clock, shown: ShownDie | None, sentence: str) -> None:
    """Without pictures no camera is mentioned; a die of another color is not part of this race."""
    roll(race, clock, "home", 3)
    race.buttons.press_ok("home")
    for _ in range(4 if shown else 0):
        show(race, clock, home=shown or DIE_GONE)
        later(race, clock, 0.05)
    later(race, clock, CONFIRM_DELAY_S + 0.1)
    assert sentence == json_data(race.game.view_for(None))["race"]["confirm"]["sentence"]


def test_the_operator_may_always_confirm(race: GameSession, clock: Clock) -> None:
    """At any time, even without a call; a seat's own phone may not."""
    n = json_data(race.game.view_for(None))["race"]["n"]["home"]
    with pytest.raises(IllegalAnswer, match="Just call"):
        race.seats.answer_ask("home", n, 5, Source.PHONE)
    clock.now += 1.0
    race.seats.answer_ask("home", n, FALSE_CALL, Source.OPERATOR)
    race.seats.answer_ask("home", n, 5, Source.OPERATOR)
    later(race, clock, 0.2)
    assert (first(race), json_data(race.game.view_for(None))["race"]) == ("Ann Aster", None)


def test_all_winning_faces_are_named(store: Store, clock: Clock) -> None:
    """In a list such as a person would write."""
    session = GameSession(store, lambda: contact(ninth()), clock=clock)
    assert session.race.open is not None
    (ask,) = [ask for ask in session.race.open.calls.values() if ask.seat == "home"]
    for wins, words in (((4, 5, 6), "4, 5 or 6 wins."), ((6,), "die: 6 wins.")):
        race = OpenRace([(7, replace(ask, wins=wins))], RaceRules(), 0.0)
        assert json_data(race.shown)["seats"]["home"]["words"].endswith(words)


def test_a_player_can_withdraw_a_false_call(unsure: GameSession, clock: Clock) -> None:
    """With the last position of the entry; the race goes on, and the seat rolls again."""
    unsure.buttons.move_cursor("home", -1)
    assert json_data(unsure.game.view_for(None))["dial"]["label"] == "False call"
    unsure.buttons.press_ok("home")
    view = unsure.game.view_for(None)
    assert (json_data(view)["race"]["confirm"], json_data(view)["dial"], first(unsure)) == (None, None, None)
    assert ("void", "A false call: roll again.") == (of(unsure, "home")["state"], of(unsure, "home")["words"])
    with pytest.raises(IllegalAnswer, match="Roll, and press OK to call"):
        unsure.buttons.move_cursor("home", 1)


@pytest.mark.parametrize(("value", "safe"), [(6, True), (3, False), (FALSE_CALL, False)])
def test_the_operator_confirms(unsure: GameSession, clock: Clock, value: Any, safe: bool) -> None:
    """With a face, which may lose, or as a false call."""
    n = json_data(unsure.game.view_for(None))["race"]["n"]["home"]
    for wrong in (7, "5", "B", True, None, [5]):
        with pytest.raises(InvalidAnswer, match="Say what the die shows"):
            unsure.seats.answer_ask("home", n, wrong, Source.PHONE)
    unsure.seats.answer_ask("home", n, value, Source.PHONE)
    later(unsure, clock, 0.2)
    assert safe == (first(unsure) == "Ann Aster")
    assert safe == (json_data(unsure.game.view_for(None))["race"] is None)


def test_the_other_seat_still_calls_while_one_confirms(unsure: GameSession, clock: Clock) -> None:
    """Away's OUT came later: it stands if home withdraws."""
    roll(unsure, clock, "away", 6)
    unsure.buttons.press_ok("away")
    show(unsure, clock, away=RestingFace(6, clock.now - 0.1))
    later(unsure, clock, 0.3)
    assert ("confirm", "called") == (of(unsure, "home")["state"], of(unsure, "away")["state"])
    unsure.buttons.move_cursor("home", -1)
    unsure.buttons.press_ok("home")
    later(unsure, clock, 0.1)
    assert (json_data(unsure.game.view_for(None))["race"], unsure.game.table.answers[-1].ask.seat) == (None, "away")


def test_race_dice_are_not_a_roll(race: GameSession, clock: Clock) -> None:
    """No notice mentions them during the race, nor when they land as it ends."""
    race.rolls.handle_throw(seen(5, 3, began=clock.now))
    assert (None, None) == (race.game.view_for(None).notice, proposal(race))
    flying = clock.now
    lies = roll(race, clock, "home", 5)
    race.buttons.press_ok("home")
    show(race, clock, home=lies)
    later(race, clock, 0.2)
    race.rolls.handle_throw(seen(2, began=flying))
    assert race.game.view_for(None).notice is None
    race.rolls.handle_throw(seen(2, began=clock.now))
    assert race.game.view_for(None).notice is not None


def test_undo_starts_another_race(race: GameSession, clock: Clock) -> None:
    """Rolls and calls from the race before it do not count; nor in a new game, although its asks have the same
    numbers."""
    wanted = race.race.wanted_dice
    roll(race, clock, "home", 5)
    race.buttons.press_ok("home")
    race.game.undo_answers()
    assert (race.race.wanted_dice, json_data(race.game.view_for(None))["race"]) == (None, None)
    give_race(race)
    assert race.race.wanted_dice is not wanted
    show(race, clock, home=RestingFace(5, 0.0))
    later(race, clock, 1.0)
    assert ("rolling", None) == (of(race, "home")["state"], first(race))
    n = json_data(race.game.view_for(None))["race"]["n"]
    roll(race, clock, "home", 5)
    race.buttons.press_ok("home")
    race.game.begin_game(contact(ninth()))
    assert n.keys() == json_data(race.game.view_for(None))["race"]["n"].keys()
    show(race, clock, home=RestingFace(5, 0.0))
    later(race, clock, 1.0)
    assert ("rolling", None) == (of(race, "home")["state"], first(race))


def test_a_disk_error_does_not_lose_the_race(race: GameSession, clock: Clock, store: Store) -> None:
    """The table shows the error and retries the verdict until it is stored."""
    lies = roll(race, clock, "home", 5)
    race.buttons.press_ok("home")
    show(race, clock, home=lies)
    with full_disk(store) as tries:
        later(race, clock, 1.0)
    assert ("The disk is full.", 1) == (race.game.view_for(None).notice, len(tries))
    later(race, clock, 2.0)
    assert first(race) == "Ann Aster"


def test_a_house_rule_lets_the_die_decide(store: Store, clock: Clock) -> None:
    """The first winning die then wins without a call, under either of the two rules."""
    for house in ({"raceDecidedBy": "die"}, {"raceReferee": "camera"}):
        session = GameSession(store, ninth, clock=clock)
        session.game.begin_game(contact(ninth(house)))
        show(session, clock, home=RestingFace(5, 0.0), away=RestingFace(1, 0.0))
        roll(session, clock, "away", 6)
        later(session, clock, 1.0)
        assert session.game.table.journal[-1] == Answer("away", session.game.table.answers[-1].n, 6)


@pytest.mark.parametrize(("house", "heard"), [("raceDecidedBy", True), ("raceReferee", False)])
def test_calls_under_house_rules_that_need_none(store: Store, clock: Clock, house: str, heard: bool) -> None:
    """If the die decides, an unconfirmed call makes the table ask; if the camera is the referee, calls are refused."""
    session = GameSession(store, lambda: contact(ninth({house: {True: "die", False: "camera"}[heard]})), clock=clock)
    clock.now += 1.0
    if heard:
        session.buttons.press_ok("home")
    else:
        with pytest.raises(IllegalAnswer, match="The camera decides this race"):
            session.buttons.press_ok("home")
    later(session, clock, CONFIRM_DELAY_S + 0.1)
    assert heard == (json_data(session.game.view_for(None))["race"]["confirm"] is not None)


def test_a_call_works_from_any_screen(race: GameSession, clock: Clock) -> None:
    """On the join screen, OK calls at the time of the press; outside a race it only closes the screen."""
    menu = menus.menu(race)
    menu._show_screen("join")
    menu.handle_press("home-previous")
    assert (menu.current_screen, of(race, "home")["state"]) == ("game", "rolling")
    menu._show_screen("join")
    clock.now += 0.5
    menu.handle_press("home-ok", clock.now - 0.01)
    assert (menu.current_screen, of(race, "home")["state"]) == ("game", "called")
    assert race.race.open is not None
    assert {"home": [clock.now - 0.01], "away": []} == race.race.open.referee._calls


def test_a_call_works_while_the_display_sleeps() -> None:
    """Outside a race, the press that wakes the display does nothing else."""
    for racing, asleep, heard in ((True, True, 1), (False, True, 0), (False, False, 1)):
        pressed: list[Any] = []
        app = SimpleNamespace(
            oled=SimpleNamespace(wake_up=lambda: asleep),  # noqa: B023 - at once
            session=SimpleNamespace(race=SimpleNamespace(wanted_dice={} if racing else None)),
            menu=SimpleNamespace(handle_press=lambda *press: pressed.append(press)),  # noqa: B023 - at once
            _press_log=SimpleNamespace(record_press=lambda event: None),
            _changed=SimpleNamespace(set=lambda: None),
        )
        App._handle_press(app, "home-ok", 7.0)  # type: ignore[arg-type]
        assert [("home-ok", 7.0)] * heard == pressed, (racing, asleep)


# The camera's part ---------------------------------------------------------------------------------------------------

RED, WHITE = SyntheticDie("red", pips="white"), SyntheticDie("white", pips="black")
PACE = 0.05


@pytest.fixture
def film(store: Store, clock: Clock) -> tuple[GameSession, Filmed]:
    """Return a race under a drawn camera whose frames move the clock; both old dice lie there, home's with a 6."""
    scene = SyntheticTray((320, 240), seed=3)
    scene.place_die(0.0, RED, 6, -50, 10)
    scene.place_die(0.0, WHITE, 2, 50, -20)
    clock.now = 0.0
    session = GameSession(store, lambda: contact(ninth()), clock=clock)
    source = Filmed(scene, 90, PACE)
    read = source.read_frame

    def told() -> Any:
        clock.now = source.number * PACE
        session.tick()
        return read()

    source.read_frame = told  # type: ignore[method-assign]
    return session, source


def watch(session: GameSession, source: Filmed) -> None:
    """Let the dice camera, with the real reader, watch to the end."""
    camera = DiceCamera(session, lambda: source)
    camera._watch_tray(_FrameFeed(source, camera), TrayReader(Reader(frozenset({"d6"})), None, lambda words: None))


@pytest.mark.slow
@pytest.mark.rule("BN-096", "BN-099")
def test_the_camera_confirms_a_call(film: tuple[GameSession, Filmed], monkeypatch: pytest.MonkeyPatch) -> None:
    """The old 6 does not count; after home rolls a 5 while away's die lies still, the runner is on first. The tray is
    watched all the time: its state is known when the race is over. Every picture of a race is read, but afterwards
    only dice at rest: the reader does not look at every frame, so watching stays cheap."""
    session, source = film
    states: list[str] = []
    looks, frames = list[int](), list[int]()
    read, update = Reader.read_dice, TrayWatcher.process_frame

    def reads(*given: Any, **more: Any) -> Any:
        looks.append(source.number)
        return read(*given, **more)

    def updates(*given: Any) -> Any:
        frames.append(source.number)
        return update(*given)

    monkeypatch.setattr(Reader, "read_dice", reads)
    monkeypatch.setattr(TrayWatcher, "process_frame", updates)
    source.acts[8] = lambda: session.buttons.press_ok("home")
    source.acts[14] = lambda: states.append(of(session, "home")["state"])
    source.acts[16] = lambda: source.scene.throw_die(16 * PACE, RED, 5)
    source.acts[60] = lambda: states.append(of(session, "home")["state"])
    source.acts[61] = lambda: session.buttons.press_ok("home")
    watch(session, source)
    assert ["void", "ready"] == states
    assert (first(session), session.game.view_for(None).notice) == ("Ann Aster", None)
    assert (90, "settled") == (len(frames), json_data(session.game.view_for(None))["watching"]["state"])
    assert {*range(1, 60)} <= {*looks}
    assert len([at for at in looks if at > 66]) < 4


@pytest.mark.slow
def test_a_die_hidden_at_the_start_of_the_race_is_not_a_roll(
    film: tuple[GameSession, Filmed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was read before the race: the 6 of the swing comes into view again and wins nothing."""
    session, source = film
    session.game.undo_answers()
    why: list[str] = []
    read: list[Any] = []

    def follower(wanted: Any, before: Reading | None = None) -> DiceTracker[Seat]:
        read.append(before)
        return DiceTracker(wanted, before)

    monkeypatch.setattr("device.inputs.dice_camera.DiceTracker", follower)
    source.acts[4] = lambda: source.scene.throw_die(4 * PACE, RED, 6)
    source.acts[40] = lambda: source.scene.show_hand(40 * PACE, 0.8)
    source.acts[46] = lambda: give_race(session)
    source.acts[76] = lambda: session.buttons.press_ok("home")
    source.acts[86] = lambda: why.append(of(session, "home")["words"])
    watch(session, source)
    assert (["You haven't rolled again: roll the red die first."], None) == (why, first(session))
    assert [{2, 6}] == [{*before.dice_values} for before in read if before is not None]


def give_race(session: GameSession) -> None:
    (n, ask) = session.game.table.open_asks()[0]
    session.seats.answer_ask(ask.seat, n, [5], Source.PHONE)


def test_a_race_is_looked_at_often(race: GameSession, clock: Clock) -> None:
    """Until it is over; then the table rests."""
    assert RACE_POLL_S == race.tick()
    race.game.undo_answers()
    assert race.tick() > RACE_POLL_S
