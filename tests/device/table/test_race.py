"""The race at the table: presses, phones and what the camera sees of two dice, up to the answer in the journal."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from device.app import App
from device.display.menu import Desk
from device.inputs.dice_camera import Camera, _Tap
from device.inputs.tray_view import Sight
from device.storage.store import Store, StoreError
from device.table.race import FALSE, Race
from device.table.race_referee import GRACE, PATIENCE
from device.table.session import Keeper
from engine.errors import IllegalAnswer, InvalidAnswer, StaleAnswer, WrongSeat
from engine.journal import Answer
from engine.seats import Seat
from tests.device.inputs.scenes import Filmed
from tests.device.stored_games import Clock, seen
from tests.web.games.bottom_of_the_9th import contact, ninth
from vision.drawn.tray import DrawnDie, DrawnTray
from vision.reader import Reader
from vision.reading import Reading
from vision.tray.motion import Watcher
from vision.tray.tracker import GONE, MOVING, UNSURE, Follower, Rest, Shown


@pytest.fixture
def race(store: Store, clock: Clock) -> Keeper:
    """Ann Aster has put it into play: both race dice lie where they fell for the pitch."""
    keeper = Keeper(store, lambda: contact(ninth()), clock=clock)
    show(keeper, clock, home=Rest(5, 100.0), away=Rest(1, 100.0))
    return keeper


def show(keeper: Keeper, clock: Clock, **shown: Shown) -> None:
    """A picture of the moment."""
    keeper.follow(clock.now, shown)  # type: ignore[arg-type]


def roll(keeper: Keeper, clock: Clock, seat: Seat, face: int) -> Rest:
    """A seat's die flies for half a second, and lies as it is told."""
    shown: dict[str, Shown] = {seat: MOVING}
    show(keeper, clock, **shown)
    lies = Rest(face, clock.now + 0.5)
    shown = {seat: lies}
    clock.now += 0.6
    show(keeper, clock, **shown)
    clock.now += 0.6
    return lies


def of(keeper: Keeper, seat: Seat) -> dict[str, Any]:
    found: dict[str, Any] = keeper.view(None)["race"]["seats"][seat]
    return found


def first(keeper: Keeper) -> str | None:
    """Who is on first."""
    base: str | None = keeper.view(None)["table"]["scoreboard"]["bases"][0]
    return base


def later(keeper: Keeper, clock: Clock, seconds: float) -> None:
    """Time goes by, and the keeper looks after itself."""
    for _ in range(round(seconds * 20)):
        clock.now += 0.05
        keeper.tick()


@pytest.mark.rule("BN-096", "BN-097")
def test_ok_calls_a_die_that_wins(race: Keeper, clock: Clock, store: Store) -> None:
    """A 5 lies there, OK is SAFE: when no earlier OUT can come any more, the runner is on first, and it is kept."""
    roll(race, clock, "home", 5)
    assert {"wins": [5, 6], "face": 5, "state": "ready", "words": "A 5: call it!"} == of(race, "home")
    race.press("home", clock.now)
    assert ("called", None) == (of(race, "home")["state"], first(race))
    show(race, clock, home=Rest(5, clock.now - 0.7))
    later(race, clock, 0.2)
    assert ("Ann Aster", None) == (first(race), race.view(None)["race"])
    assert Answer("home", race.table.answers[-1].n, 5) == race.table.journal[-1]
    saved = store.latest()
    assert saved is not None
    assert saved.table is not None
    assert len(saved.table.journal) == len(race.table.journal)


@pytest.mark.parametrize(("ahead", "safe"), [(0.03, True), (0.06, False)])
@pytest.mark.rule("BN-098")
def test_a_tie_is_judged_by_the_times_of_the_presses(race: Keeper, clock: Clock, ahead: float, safe: bool) -> None:
    """OUT came to the keeper first; the time of the press counts, not that of its telling."""
    home, away = roll(race, clock, "home", 5), roll(race, clock, "away", 6)
    press = clock.now
    race.press("away", press - ahead)
    race.press("home", press)
    show(race, clock, home=home, away=away)
    later(race, clock, 0.3)
    assert safe == (first(race) == "Ann Aster")
    assert race.view(None)["race"] is None


@pytest.mark.rule("BN-099")
def test_a_void_call_says_why(race: Keeper, clock: Clock) -> None:
    """The race goes on: the seat is told what to do, and only a new roll lets it call again."""
    clock.now += GRACE
    race.press("home")
    later(race, clock, 0.1)
    show(race, clock, home=Rest(5, 100.0))
    assert ("void", "Not rolled since: roll the red die first.") == (
        of(race, "home")["state"],
        of(race, "home")["words"],
    )
    roll(race, clock, "home", 3)
    race.press("home")
    show(race, clock, home=Rest(3, clock.now - 0.1))
    assert ("void", "That did not win: roll again.") == (of(race, "home")["state"], of(race, "home")["words"])
    assert "roll again" in of(race, "home")["words"]
    show(race, clock, home=MOVING)
    assert ("rolling", "Roll the red die: 5 or 6 wins.") == (of(race, "home")["state"], of(race, "home")["words"])


@pytest.mark.rule("BN-140")
def test_each_seat_makes_its_own_call(race: Keeper) -> None:
    """Home's ask is not away's, and where no race is on there is none to call."""
    n: dict[Seat, int] = race.view(None)["race"]["n"]
    with pytest.raises(WrongSeat, match="That is for the other side to call"):
        race.call("home", n["away"], 100.0, "phone")
    with pytest.raises(StaleAnswer, match="No race is on"):
        race.call("home", 99, 100.0, "phone")


def test_an_answer_to_a_call_is_taken_only_where_it_is_asked(race: Keeper, clock: Clock) -> None:
    """Nobody types a 5 before a call; nor afterwards while the camera may still tell; nor for the other seat."""
    n: dict[Seat, int] = race.view(None)["race"]["n"]
    for seat, call in (("home", False), ("home", True), ("away", False)):
        if call:
            race.press("home")
        with pytest.raises(IllegalAnswer, match="Call it"):
            race.answer(seat, n[seat], 5, "phone")  # type: ignore[index,arg-type]
    assert first(race) is None


@pytest.fixture
def unsure(race: Keeper, clock: Clock) -> Keeper:
    """Home has rolled and called, and the camera could not say what its die shows."""
    for shown in (MOVING, UNSURE):
        clock.now += 0.5
        show(race, clock, home=shown)
    clock.now += 0.1
    race.press("home")
    show(race, clock, home=UNSURE)
    later(race, clock, PATIENCE + 0.1)
    return race


def test_the_caller_confirms_on_its_dial(unsure: Keeper, clock: Clock) -> None:
    """The table is asked; OK alone confirms nothing, turned to the face it does."""
    view = unsure.view(None)
    assert view["race"]["confirm"] == {
        "seat": "home",
        "n": view["race"]["n"]["home"],
        "sentence": "Home called, and the camera is not sure: what does the die show?",
    }
    assert (view["dial"]["seat"], view["dial"]["label"], view["dial"]["count"]) == ("home", "Turn to your die", 4)
    with pytest.raises(IllegalAnswer, match="Turn to what your die shows"):
        unsure.press("home")
    unsure.turn("home", 1)
    assert unsure.view(None)["dial"]["label"] == "It shows 5"
    unsure.press("home")
    later(unsure, clock, 0.2)
    assert (first(unsure), unsure.view(None)["race"]) == ("Ann Aster", None)


@pytest.mark.parametrize(
    ("shown", "sentence"),
    [(None, "Home called: what does the die show?"), (GONE, "Home called, and I see no red die: what does it show?")],
)
def test_the_table_is_told_why_it_is_asked(race: Keeper, clock: Clock, shown: Shown | None, sentence: str) -> None:
    """Without pictures there is no camera to speak of; a die of another colour is none of this race's."""
    roll(race, clock, "home", 3)
    race.press("home")
    for _ in range(4 if shown else 0):
        show(race, clock, home=shown or GONE)
        later(race, clock, 0.05)
    later(race, clock, PATIENCE + 0.1)
    assert sentence == race.view(None)["race"]["confirm"]["sentence"]


def test_the_operator_may_always_say(race: Keeper, clock: Clock) -> None:
    """A way out, whatever the camera makes of it: no call is needed, and a seat's own phone may not."""
    n = race.view(None)["race"]["n"]["home"]
    with pytest.raises(IllegalAnswer, match="Call it"):
        race.answer("home", n, 5, "phone")
    clock.now += 1.0
    race.answer("home", n, FALSE, "operator")
    race.answer("home", n, 5, "operator")
    later(race, clock, 0.2)
    assert (first(race), race.view(None)["race"]) == ("Ann Aster", None)


def test_a_four_that_wins_is_named_too(store: Store, clock: Clock) -> None:
    """What wins reads as people list things."""
    keeper = Keeper(store, lambda: contact(ninth()), clock=clock)
    assert keeper._race is not None
    (ask,) = [ask for ask in keeper._race.calls.values() if ask.seat == "home"]
    for wins, words in (((4, 5, 6), "4, 5 or 6 wins."), ((6,), "die: 6 wins.")):
        race = Race([(7, replace(ask, wins=wins))], {}, 0.0)
        assert race.shown["seats"]["home"]["words"].endswith(words)


def test_a_false_call_is_owned_up_to(unsure: Keeper, clock: Clock) -> None:
    """The last position of the dial: the race goes on, and the seat rolls again."""
    unsure.turn("home", -1)
    assert unsure.view(None)["dial"]["label"] == "False call"
    unsure.press("home")
    view = unsure.view(None)
    assert (view["race"]["confirm"], view["dial"], first(unsure)) == (None, None, None)
    assert ("void", "A false call: roll again.") == (of(unsure, "home")["state"], of(unsure, "home")["words"])
    with pytest.raises(IllegalAnswer, match="Roll, and press OK to call"):
        unsure.turn("home", 1)


@pytest.mark.parametrize(("value", "safe"), [(6, True), (3, False), (FALSE, False)])
def test_the_operator_confirms(unsure: Keeper, clock: Clock, value: Any, safe: bool) -> None:
    """By an answer to the call: a face, which may lose, or that it was false."""
    n = unsure.view(None)["race"]["n"]["home"]
    for wrong in (7, "5", "B", True, None, [5]):
        with pytest.raises(InvalidAnswer, match="Say what the die shows"):
            unsure.answer("home", n, wrong, "phone")
    unsure.answer("home", n, value, "phone")
    later(unsure, clock, 0.2)
    assert safe == (first(unsure) == "Ann Aster")
    assert safe == (unsure.view(None)["race"] is None)


def test_the_other_seat_still_calls_while_one_confirms(unsure: Keeper, clock: Clock) -> None:
    """Away's OUT came later: it stands if home owns up."""
    roll(unsure, clock, "away", 6)
    unsure.press("away")
    show(unsure, clock, away=Rest(6, clock.now - 0.1))
    later(unsure, clock, 0.3)
    assert ("confirm", "called") == (of(unsure, "home")["state"], of(unsure, "away")["state"])
    unsure.turn("home", -1)
    unsure.press("home")
    later(unsure, clock, 0.1)
    assert (unsure.view(None)["race"], unsure.table.answers[-1].ask.seat) == (None, "away")


def test_dice_of_the_race_are_no_roll(race: Keeper, clock: Clock) -> None:
    """They are thrown all the time: nothing is said of that, nor of those that land as the race is over."""
    race.saw(seen(5, 3, began=clock.now))
    assert (None, None) == (race.view(None)["notice"], race.view(None)["proposal"])
    flying = clock.now
    lies = roll(race, clock, "home", 5)
    race.press("home")
    show(race, clock, home=lies)
    later(race, clock, 0.2)
    race.saw(seen(2, began=flying))
    assert race.view(None)["notice"] is None
    race.saw(seen(2, began=clock.now))
    assert race.view(None)["notice"] is not None


def test_an_undo_runs_another_race(race: Keeper, clock: Clock) -> None:
    """What was rolled and called in the race before is forgotten."""
    wanted = race.racing
    roll(race, clock, "home", 5)
    race.press("home")
    race.undo()
    assert (race.racing, race.view(None)["race"]) == (None, None)
    race.answer("home", race.table.asks()[0][0], [5], "phone")
    assert race.racing is not wanted
    show(race, clock, home=Rest(5, 0.0))
    later(race, clock, 1.0)
    assert ("rolling", None) == (of(race, "home")["state"], first(race))


def test_a_new_game_runs_another_race(race: Keeper, clock: Clock) -> None:
    """Though its asks have the same numbers."""
    n = race.view(None)["race"]["n"]
    roll(race, clock, "home", 5)
    race.press("home")
    race.new_game(contact(ninth()))
    assert n == race.view(None)["race"]["n"]
    show(race, clock, home=Rest(5, 0.0))
    later(race, clock, 1.0)
    assert ("rolling", None) == (of(race, "home")["state"], first(race))


def test_a_disk_that_fails_does_not_lose_the_race(race: Keeper, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said, and the verdict is tried again until it is kept."""
    lies = roll(race, clock, "home", 5)
    race.press("home")
    show(race, clock, home=lies)
    tries = []

    def full(*_: object) -> None:
        tries.append(clock.now)
        raise StoreError("The journal cannot be written: disk full.")

    with monkeypatch.context() as patch:
        patch.setattr(race._store, "append", full)
        later(race, clock, 1.0)
    assert ("The journal cannot be written: disk full.", 1) == (race.view(None)["notice"], len(tries))
    later(race, clock, 2.0)
    assert first(race) == "Ann Aster"


def test_the_house_may_let_the_die_decide(store: Store, clock: Clock) -> None:
    """Then the first winning die wins as it lies, uncalled; by either of the rules that say so."""
    for house in ({"raceDecidedBy": "die"}, {"raceReferee": "camera"}):
        keeper = Keeper(store, ninth, clock=clock)
        keeper.new_game(contact(ninth(house)))
        show(keeper, clock, home=Rest(5, 0.0), away=Rest(1, 0.0))
        roll(keeper, clock, "away", 6)
        later(keeper, clock, 1.0)
        assert keeper.table.journal[-1] == Answer("away", keeper.table.answers[-1].n, 6)


@pytest.mark.parametrize(("house", "heard"), [("raceDecidedBy", True), ("raceReferee", False)])
def test_where_the_camera_referees_nobody_calls(store: Store, clock: Clock, house: str, heard: bool) -> None:
    """Where only the die decides, a call still counts that the camera cannot back: the table is asked."""
    keeper = Keeper(store, lambda: contact(ninth({house: {True: "die", False: "camera"}[heard]})), clock=clock)
    clock.now += 1.0
    if heard:
        keeper.press("home")
    else:
        with pytest.raises(IllegalAnswer, match="The camera decides this race"):
            keeper.press("home")
    later(keeper, clock, PATIENCE + 0.1)
    assert heard == (keeper.view(None)["race"]["confirm"] is not None)


def test_a_call_is_heard_through_any_screen(race: Keeper, clock: Clock) -> None:
    """OK on the way to join calls, at the time of the press; elsewhere it still only puts the screen away."""
    desk = Desk(race, lambda: ("http://dugout.local/", "10.0.0.7", "123456"), *[lambda: None] * 3)
    desk._go("join")
    desk.pressed("home-previous")
    assert (desk.screen, of(race, "home")["state"]) == ("game", "rolling")
    desk._go("join")
    clock.now += 0.5
    desk.pressed("home-ok", clock.now - 0.01)
    assert (desk.screen, of(race, "home")["state"]) == ("game", "called")
    assert race._race is not None
    assert {"home": [clock.now - 0.01], "away": []} == race._race.referee._calls


@pytest.mark.parametrize(("racing", "asleep", "heard"), [(True, True, 1), (False, True, 0), (False, False, 1)])
def test_a_call_is_heard_though_the_display_sleeps(racing: bool, asleep: bool, heard: int) -> None:
    """The press that wakes it does nothing else; but whoever presses in a race has called."""
    pressed: list[Any] = []
    app = SimpleNamespace(
        oled=SimpleNamespace(touch=lambda: asleep),
        keeper=SimpleNamespace(racing={} if racing else None),
        desk=SimpleNamespace(pressed=lambda *press: pressed.append(press)),
        _heard=SimpleNamespace(note=lambda event: None),
    )
    App._pressed(app, "home-ok", 7.0)  # type: ignore[arg-type]
    assert [("home-ok", 7.0)] * heard == pressed


# The camera's part -----------------------------------------------------------------------------------------------

RED, WHITE = DrawnDie("red", pips="white"), DrawnDie("white", pips="black")
PACE = 0.05


@pytest.fixture
def film(store: Store, clock: Clock) -> tuple[Keeper, Filmed]:
    """A race under a drawn camera whose frames move the clock; both old dice lie there, home's with a 6."""
    scene = DrawnTray(seed=3)
    scene.lay(0.0, RED, 6, -50, 10)
    scene.lay(0.0, WHITE, 2, 50, -20)
    clock.now = 0.0
    keeper = Keeper(store, lambda: contact(ninth()), clock=clock)
    source = Filmed(scene, 90, PACE)
    read = source.read

    def told() -> Any:
        clock.now = source.number * PACE
        keeper.tick()
        return read()

    source.read = told  # type: ignore[method-assign]
    return keeper, source


def watch(keeper: Keeper, source: Filmed) -> None:
    """Let the camera hand, with the real reader, watch to the end."""
    camera = Camera(keeper, lambda: source)
    camera._watch(_Tap(source, camera), Sight(Reader(), None, lambda words: None))


@pytest.mark.rule("BN-096", "BN-099")
def test_the_camera_backs_a_call(film: tuple[Keeper, Filmed], clock: Clock) -> None:
    """The old 6 does not count; thrown again to a 5 while away's die lies, it does, and the runner is on first."""
    keeper, source = film
    states: list[str] = []
    source.acts[8] = lambda: keeper.press("home")
    source.acts[14] = lambda: states.append(of(keeper, "home")["state"])
    source.acts[16] = lambda: source.scene.toss(16 * PACE, RED, 5)  # type: ignore[assignment]
    source.acts[60] = lambda: states.append(of(keeper, "home")["state"])
    source.acts[61] = lambda: keeper.press("home")
    watch(keeper, source)
    assert ["void", "ready"] == states
    assert (first(keeper), keeper.view(None)["notice"]) == ("Ann Aster", None)


def test_a_die_that_a_hand_hides_as_the_race_begins_is_not_rolled(
    film: tuple[Keeper, Filmed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read before the race lay there: the swing's 6 comes to light again, and wins nothing."""
    keeper, source = film
    keeper.undo()
    why: list[str] = []
    read: list[Any] = []

    def follower(wanted: Any, before: Reading | None = None) -> Follower[Seat]:
        read.append(before)
        return Follower(wanted, before)

    monkeypatch.setattr("device.inputs.dice_camera.Follower", follower)
    source.acts[4] = lambda: source.scene.toss(4 * PACE, RED, 6)  # type: ignore[assignment]
    source.acts[40] = lambda: source.scene.hand(40 * PACE, 0.8)
    source.acts[46] = lambda: give_race(keeper)
    source.acts[76] = lambda: keeper.press("home")
    source.acts[86] = lambda: why.append(of(keeper, "home")["words"])
    watch(keeper, source)
    assert (["Not rolled since: roll the red die first."], None) == (why, first(keeper))
    assert [{2, 6}] == [{*before.values} for before in read if before is not None]


def test_a_die_that_was_thrown_before_the_race_is_not_rolled_in_it(film: tuple[Keeper, Filmed], clock: Clock) -> None:
    """The swing is taken back and thrown again: its 6 lies elsewhere than in the race before, and is an old die."""
    keeper, source = film
    why: list[str] = []
    source.acts[10] = keeper.undo
    source.acts[12] = lambda: source.scene.toss(12 * PACE, RED, 6)  # type: ignore[assignment]
    source.acts[50] = lambda: give_race(keeper)
    source.acts[60] = lambda: keeper.press("home")
    source.acts[70] = lambda: why.append(of(keeper, "home")["words"])
    watch(keeper, source)
    assert (["Not rolled since: roll the red die first."], None) == (why, first(keeper))


def test_without_a_race_single_dice_are_not_read(
    film: tuple[Keeper, Filmed], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Watching stays cheap: the reader looks at what settled, not at every frame."""
    keeper, source = film
    keeper.undo()
    looks = []

    def read(self: Reader, *args: Any, **more: Any) -> Any:
        looks.append(clock.now)
        return plain(self, *args, **more)

    plain = Reader.read
    monkeypatch.setattr(Reader, "read", read)
    watch(keeper, source)
    assert len(looks) < 4
    give_race(keeper)
    looks.clear()
    source.number = 0
    watch(keeper, source)
    assert len(looks) >= 90


def give_race(keeper: Keeper) -> None:
    (n, ask) = keeper.table.asks()[0]
    keeper.answer(ask.seat, n, [5], "phone")


def test_the_watch_goes_on_during_a_race(film: tuple[Keeper, Filmed], monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tray is doing is still told, and known when the race is over."""
    keeper, source = film
    frames = []
    plain = Watcher.see

    def see(self: Watcher, *args: Any) -> Any:
        frames.append(1)
        return plain(self, *args)

    monkeypatch.setattr(Watcher, "see", see)
    source.acts[16] = lambda: source.scene.toss(16 * PACE, RED, 5)  # type: ignore[assignment]
    watch(keeper, source)
    assert (90, "settled") == (len(frames), keeper.view(None)["watching"]["state"])
