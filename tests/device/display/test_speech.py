"""The table's own announcer: each call once, and no fault of espeak-ng or the sound reaches the game."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from device.app import App
from device.diagnostics import probes
from device.display import speech
from device.display.speech import SpeechAnnouncer, espeak_fault, espeak_input
from device.settings import AnnouncerSettings, SettingsError, parse_settings
from device.storage.store import Store
from device.table.session import GameSession
from engine.journal import Source
from tests.device.process import PATIENCE, Program
from tests.device.stored_games import Clock, table

FAKE = """\
#!/bin/sh
# Notes what it is to speak, then does what the file `does` says.
cd "${0%/*}"
words=$(cat)
case " $* " in
*" -a 0 "*) echo "$*" >>tries ;;
*) printf '%s\\n' "$words" >>spoken; echo "$*" >>options; echo $$ >>running ;;
esac
does=$(cat does)
case "$does" in
waits) while [ ! -e go ]; do sleep 0.01; done; cat go >&2 ;;
hangs) trap '' TERM; while :; do sleep 1; done ;;
dies) kill -SEGV $$ ;;
*) printf '%s' "$does" >&2; [ "${does#exit}" = "$does" ] || exit 3 ;;
esac
echo >>ended
"""

DEAF = "ALSA lib pcm.c:2666: Unknown PCM default\nerror: No such file or directory\n"
"""What espeak-ng 1.51 prints without a sound device, before it exits with 0."""


def eventually(what: Callable[[], Any]) -> Any:
    """Wait until `what` is true; return it."""
    last = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < last, "It never came."
        time.sleep(0.005)
    return found


class Fake:
    """A program espeak-ng that does what it is bidden, and notes what it was given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.does("")
        self.install()

    def install(self) -> None:
        program = self.folder / "espeak-ng"
        program.with_suffix(".new").write_text(FAKE)
        program.with_suffix(".new").chmod(0o755)
        program.with_suffix(".new").rename(program)

    def does(self, what: str) -> None:
        """Have it do this from now on.

        `waits`: for the file `go`, which it prints. `hangs`, `dies`. Else it prints this and ends, with status 3 if
        it begins with `exit`.
        """
        (self.folder / "new").write_text(what)
        (self.folder / "new").rename(self.folder / "does")

    def lines(self, file: str) -> list[str]:
        with suppress(FileNotFoundError):
            return (self.folder / file).read_text().splitlines()
        return []

    @property
    def spoken(self) -> list[str]:
        return self.lines("spoken")

    def alive(self, number: int = -1) -> bool:
        """True if the run that spoke this call still runs."""
        try:
            state = Path(f"/proc/{self.lines('running')[number]}/stat").read_text()
        except (OSError, IndexError):
            return False
        return state.rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return Fake(tmp_path / "bin")


@pytest.fixture
def opened() -> Iterator[Callable[..., SpeechAnnouncer]]:
    """Return what makes an announcer that follows a session and is closed at the end."""
    made = list[SpeechAnnouncer]()

    def make(session: GameSession, level: Any = "full", **more: Any) -> SpeechAnnouncer:
        voice = SpeechAnnouncer(AnnouncerSettings(level=level, **more))
        made.append(voice)
        session.game.subscribe(lambda views: voice.handle_view(views.public))
        voice.start()
        return voice

    yield make
    for one in made:
        one.stop()


Open = Callable[..., SpeechAnnouncer]


def calls(session: GameSession) -> list[str]:
    return [call.text for call in session.game.view_for(None).calls]


def play(session: GameSession, face: int) -> str:
    """Bat, and roll `face`; return the call."""
    n = len(session.game.table.answers)
    seat = session.game.view_for(None).table.asks[0].seat
    session.seats.answer_ask(seat, n, "bat", Source.PHONE)
    session.seats.answer_ask(seat, n + 1, [face], Source.PHONE)
    return calls(session)[-1]


def quiet(voice: SpeechAnnouncer) -> None:
    """Wait until everything has been spoken, and the thread waits for more."""

    def idle() -> bool:
        with voice._news:
            return bool(getattr(voice._news, "_waiters")) and not voice._waiting  # noqa: B009 - typeshed hides it

    eventually(idle)


# What is spoken --------------------------------------------------------------------------------------------------


def test_full_speaks_every_call_once(session: GameSession, fake: Fake, opened: Open) -> None:
    """In their order, and not those of before; the words go to stdin, and none of them to the command line."""
    play(session, 2)
    voice = opened(session, voice="en-gb", speed=200, device="default:CARD=Headphones")
    expected = list[str]()
    for face in (2, 5, 3):
        expected.append(play(session, face))
        quiet(voice)
    session.game.notices.show_notice("A notice: the same calls again.")
    session.game.publish_again()
    quiet(voice)
    assert expected == fake.spoken
    assert {"--stdin -b 1 -v en-gb -s 200 -d default:CARD=Headphones"} == set(fake.lines("options"))
    assert voice.missing is None


def test_low_speaks_runs_halves_the_end_and_what_is_taken_back(session: GameSession, fake: Fake, opened: Open) -> None:
    """And nothing else."""
    voice = opened(session, "low")
    expected = list[str]()
    for _ in range(60):
        if session.game.table.outcome:
            break
        before = session.game.view_for(None).calls
        play(session, 6 if len(expected) < 2 else 1)
        new = [call for call in session.game.view_for(None).calls if call not in before]
        expected += [call.text for call in new if {"runs", "half", "final", "back"} & set(call.marks)]
        quiet(voice)
    session.game.undo_answers()
    (back,) = calls(session)
    quiet(voice)
    assert [*expected, back] == fake.spoken
    assert 3 < len(expected) < len(session.game.table.answers) / 2


def test_a_restart_repeats_nothing(session: GameSession, store: Store, clock: Clock, fake: Fake, opened: Open) -> None:
    """Neither the table's, nor the announcer's; the next play is spoken."""
    first = opened(session)
    expected = [play(session, 2)]
    quiet(first)
    first.stop()
    again = GameSession(store, table, clock=clock)
    voice = opened(again)
    expected.append(play(again, 5))
    quiet(voice)
    assert expected == fake.spoken


def test_what_is_taken_back_or_corrected_is_said_once(session: GameSession, fake: Fake, opened: Open) -> None:
    """The plays before it are not repeated; the same answer given again is a play of its own."""
    voice = opened(session)
    expected = [play(session, 2)]
    quiet(voice)
    expected.append(play(session, 5))
    quiet(voice)
    session.game.undo_answers(3)
    expected += calls(session)
    quiet(voice)
    session.seats.answer_ask("away", 3, [5], Source.PHONE)
    expected.append(calls(session)[-1])
    quiet(voice)
    session.game.correct_roll(3, [6])
    expected += calls(session)
    quiet(voice)
    assert expected == fake.spoken
    assert ["Taken back.", "Corrected:"] == [expected[2][:11], expected[4][:10]]
    assert expected[1] == expected[3]


def test_a_correction_ends_what_is_spoken(session: GameSession, fake: Fake, opened: Open) -> None:
    """In the middle of a word, with all that waits."""
    voice = opened(session)
    quiet(voice)
    fake.does("waits")
    said = play(session, 2)
    eventually(lambda: fake.spoken and fake.alive())
    play(session, 5)
    session.game.correct_roll(3, [6])
    eventually(lambda: len(fake.spoken) == 2)
    assert [said, *calls(session)] == fake.spoken
    assert not fake.alive(0)
    assert voice.missing is None


def test_a_game_that_is_resumed_is_not_told_again(session: GameSession, fake: Fake, opened: Open) -> None:
    """A new game is announced. Either ends what is spoken of the game before."""
    number = session.game.number
    for face in (2, 5):
        play(session, face)
    session.game.begin_game(table())
    voice = opened(session)
    quiet(voice)
    fake.does("waits")
    before = play(session, 5)
    eventually(lambda: fake.spoken and fake.alive())
    assert session.game.resume_game(number)
    assert 3 == len(calls(session))
    quiet(voice)
    assert not fake.alive()
    resumed = play(session, 3)
    eventually(lambda: len(fake.spoken) == 2)
    session.game.begin_game(table())
    (new,) = calls(session)
    eventually(lambda: len(fake.spoken) == 3)
    assert [before, resumed, new] == fake.spoken
    assert not fake.alive(1)


def test_many_calls_at_once_do_not_pile_up(session: GameSession, fake: Fake) -> None:
    """Of a dozen in one view the newest few are spoken."""
    voice = SpeechAnnouncer(AnnouncerSettings(level="full"))
    voice.handle_view(session.game.view_for(None))
    for face in (2, 5, 3, 2, 5, 3):
        play(session, face)
    voice.handle_view(session.game.view_for(None))
    assert calls(session)[-speech.MAX_WAITING_CALLS :] == list(voice._waiting)


def test_words_are_no_commands() -> None:
    """espeak-ng takes double brackets for phonemes, and control characters for settings."""
    assert b"Ana 50S h@l scores." == espeak_input("Ana\x01\n50S [[h@l scores.")
    assert "Núñez".encode() == espeak_input("Núñez")
    assert speech.MAX_CALL_LENGTH == len(espeak_input("a" * 5000))


# Faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("does", "words"),
    [
        (DEAF, "The announcer is silent: there is no sound device. Connect a speaker, or ask the doctor on /table."),
        ("exit\nerror: Device or resource busy", "silent: another program uses the sound device."),
        ("exit\nError: The specified espeak-ng voice does not exist.\n", "espeak-ng has no such voice."),
        ("error: Input/output error\n", "silent: no sound (Input/output error)."),
        ("exit\nCannot read the phonemes.\n", "espeak-ng failed (Cannot read the phonemes)."),
        ("exit", "espeak-ng failed (exit)."),
        ("dies", "espeak-ng failed (status -11)."),
        ("hangs", "the sound device or espeak-ng doesn't respond."),
    ],
)
def test_a_fault_is_said_in_words_and_ends(
    does: str,
    words: str,
    session: GameSession,
    fake: Fake,
    opened: Open,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Before the first play, and logged once. Nothing old is spoken when it is over."""
    monkeypatch.setattr(speech, "RETRY_DELAYS_S", (0.01,))
    if does == "hangs":
        monkeypatch.setattr(speech, "SPEECH_TIMEOUT_S", 0.3)
    fake.does(does)
    voice = opened(session)
    assert words in eventually(lambda: voice.missing)
    eventually(lambda: len(fake.lines("tries")) > 3)
    play(session, 2)
    fake.does("")
    eventually(lambda: voice.missing is None)
    last = play(session, 5)
    eventually(lambda: fake.spoken)
    assert [last] == fake.spoken
    assert [voice.missing is None] == [True]
    assert 1 == len([one for one in caplog.records if one.levelno >= logging.WARNING])


def test_without_the_program(
    session: GameSession, tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The advice is a command; once it is installed, the next play is spoken."""
    monkeypatch.setattr(speech, "RETRY_DELAYS_S", (0.01,))
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    voice = opened(session)
    words = eventually(lambda: voice.missing)
    assert "The announcer is silent: espeak-ng is not installed (sudo apt install espeak-ng)." == words
    play(session, 2)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    fake = Fake(tmp_path / "bin")
    eventually(lambda: voice.missing is None)
    last = play(session, 5)
    eventually(lambda: fake.spoken)
    assert [last] == fake.spoken


def test_a_program_that_may_not_be_run(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    (fake.folder / "espeak-ng").chmod(0o600)
    monkeypatch.setenv("PATH", str(fake.folder))
    assert "espeak-ng failed (Permission denied)." in SpeechAnnouncer(AnnouncerSettings(level="full")).probe_speech()


def test_a_speaker_that_is_pulled_out(
    session: GameSession, fake: Fake, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of a game, and put back."""
    monkeypatch.setattr(speech, "RETRY_DELAYS_S", (0.01,))
    voice = opened(session)
    expected = [play(session, 2)]
    quiet(voice)
    fake.does("error: No such device\n")
    expected.append(play(session, 5))
    assert "there is no sound device" in eventually(lambda: voice.missing)
    play(session, 3)
    fake.does("")
    eventually(lambda: voice.missing is None)
    expected.append(play(session, 2))
    eventually(lambda: len(fake.spoken) == 3)
    assert expected == fake.spoken


def test_what_waits_while_the_speaker_fails_is_not_spoken_late(
    session: GameSession, fake: Fake, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech, "RETRY_DELAYS_S", (0.01,))
    voice = opened(session)
    quiet(voice)
    fake.does("waits")
    first = play(session, 2)
    eventually(lambda: fake.spoken and fake.alive())
    play(session, 5)
    fake.does(DEAF)
    (fake.folder / "new").write_text(DEAF)
    (fake.folder / "new").rename(fake.folder / "go")
    eventually(lambda: voice.missing)
    fake.does("")
    eventually(lambda: voice.missing is None)
    last = play(session, 3)
    quiet(voice)
    assert [first, last] == fake.spoken


def test_a_hang_delays_nobody(session: GameSession, fake: Fake, opened: Open) -> None:
    """The game goes on while espeak-ng hangs; what hangs is ended by a play that another follows."""
    voice = opened(session)
    quiet(voice)
    fake.does("hangs")
    first = play(session, 2)
    eventually(lambda: fake.spoken)
    second = play(session, 5)
    assert second == calls(session)[-1]
    assert fake.alive(0)
    third = play(session, 3)
    eventually(lambda: len(fake.spoken) == 2)
    assert [first, third] == fake.spoken
    assert not fake.alive(0)


def test_at_the_end_nothing_is_left(session: GameSession, fake: Fake, opened: Open) -> None:
    """Neither the thread nor an espeak-ng that hangs."""
    voice = opened(session)
    quiet(voice)
    fake.does("hangs")
    play(session, 2)
    eventually(lambda: fake.spoken and fake.alive())
    voice.stop()
    assert not fake.alive()
    assert voice._thread is not None
    assert not voice._thread.is_alive()


def test_an_error_that_nobody_expects(
    session: GameSession, fake: Fake, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread survives it."""
    monkeypatch.setattr(speech, "RETRY_DELAYS_S", (0.01,))

    def odd(text: str) -> bytes:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(speech, "espeak_input", odd)
        voice = opened(session)
        assert "espeak-ng failed (ZeroDivisionError)." in eventually(lambda: voice.missing)
    eventually(lambda: voice.missing is None)


def test_fault() -> None:
    """Noise of the sound library does not count."""
    assert espeak_fault(0, "ALSA lib pcm.c:8545: underrun occurred\n") is None
    assert espeak_fault(1, "") == "The announcer is silent: espeak-ng failed (status 1)."


# The whole table -------------------------------------------------------------------------------------------------

PARTS = '[camera]\nsource = "none"\n[display]\ndriver = "none"\n[buttons]\nfactory = "none"\n'


def app_with(folder: Path, source: str, demo: bool = False) -> App:
    return App(parse_settings(PARTS + source, "t.toml").model_copy(update={"data": folder}), demo)


@pytest.mark.parametrize("demo", [False, True])
def test_the_table_reports_its_announcer(tmp_path: Path, fake: Fake, demo: bool) -> None:
    """In the health list, and to everybody while it is silent."""
    fake.does(DEAF)
    app = app_with(tmp_path / "data", '[announcer]\nlevel = "low"\n', demo)
    try:
        voice = app.devices.speech
        assert voice is not None
        voice.start()
        words = eventually(lambda: voice.missing)
        app._update_components(new=True)
        found = [one for one in app.devices.component_health() if one.part == "announcer"]
        assert [(False, words)] == [(one.ok, one.words) for one in found]
        assert words in app.session.game.view_for(None).missing
    finally:
        app.stop()


def test_off_nothing_is_started(tmp_path: Path, fake: Fake) -> None:
    """That is the default; there is no such part then, nor is it tried by the doctor."""
    app = app_with(tmp_path / "data", "")
    try:
        app._update_components(new=True)
        assert app.devices.speech is None
        assert "announcer" not in {one.part for one in app.devices.component_health()}
    finally:
        app.stop()
    assert "announcer" not in {one.part for one in probes.probe_components(parse_settings(PARTS, "t.toml")).health}
    assert not fake.lines("tries")


def test_the_doctor_tries_it(fake: Fake) -> None:
    """In silence."""
    settings = parse_settings(f'{PARTS}[announcer]\nlevel = "full"\n', "t.toml")
    for does, ok in (("", True), (DEAF, False)):
        fake.does(does)
        (found,) = [one for one in probes.probe_components(settings).health if one.part == "announcer"]
        assert (ok, ok) == (found.ok, not found.words)
    assert (2, []) == (len(fake.lines("tries")), fake.spoken)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "demo"])
def test_the_program_speaks_and_ends(tmp_path: Path, fake: Fake, command: str) -> None:
    """`dugout run` and the demo take the setting; SIGTERM ends an espeak-ng that hangs with them."""
    more = '[announcer]\nlevel = "full"\n[game.house]\nawayTeam = "red"\n'
    (tmp_path / "data").mkdir()
    with Program(tmp_path / "data", command=command, more=more) as program:
        eventually(lambda: fake.lines("ended"))
        fake.does("hangs")
        assert program.post("answer", seat="away", n=0, value="bat").is_success
        assert program.post("answer", seat="away", n=1, value=[2]).is_success
        eventually(lambda: fake.spoken)
        assert program.view()["calls"][-1]["text"] == fake.spoken[-1]
        assert fake.alive()
        assert 0 == program.end()
        assert not fake.alive()


# The real one ----------------------------------------------------------------------------------------------------

real = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="There is no espeak-ng here.")


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sound card: ALSA's default device writes what it plays into this file."""
    played = tmp_path / "played.raw"
    slave = f'pcm.!default {{ type file file "|cat >>{played}" format raw slave.pcm null }}\n'
    (tmp_path / "asound.conf").write_text(f"</usr/share/alsa/alsa.conf>\n{slave}")
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "asound.conf"))
    monkeypatch.setenv("PULSE_SERVER", "unix:/nowhere")
    return played


@real
def test_real_speech(session: GameSession, card: Path, opened: Open) -> None:
    """The try at the start is silent, and a play can be heard."""
    voice = opened(session)
    eventually(lambda: card.exists() and card.stat().st_size > 1000 and voice._process is None)
    assert not any(card.read_bytes())
    before = card.stat().st_size
    play(session, 2)
    eventually(lambda: any(card.read_bytes()[before:]))
    assert voice.missing is None


@real
@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"voice": "klingonish"}, "espeak-ng has no such voice."),
        ({"device": "hw:CARD=Nothing"}, "there is no sound device"),
        ({"device": "null"}, ""),
    ],
)
def test_real_faults(card: Path, wanted: dict[str, str], words: str) -> None:
    assert words in (found := SpeechAnnouncer(AnnouncerSettings(level="full", **wanted)).probe_speech())  # type: ignore[arg-type]
    assert bool(words) == bool(found)


# Settings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("level = 'loud'", "announcer.level: must be 'off', 'low' or 'full', not 'loud'."),
        ("speed = 60", "announcer.speed: must be 80 or more, not 60."),
        ("voice = '-w/etc/x'", "announcer.voice: must be a voice of espeak-ng, such as en-us or en-gb+f3, not"),
        ("voice = ''", "announcer.voice: must be a voice of espeak-ng"),
        ("device = 'file:/etc/x'", "announcer.device: must be a sound device of ALSA, such as default:CARD=Headphones"),
        ("device = '-x'", "announcer.device: must be a sound device of ALSA"),
        ("volume = 3", "announcer.volume: there is no such setting; choose from level, voice, speed, device."),
    ],
)
def test_settings(line: str, words: str) -> None:
    """Values that espeak-ng or ALSA would take for something else are refused with their line."""
    with pytest.raises(SettingsError) as caught:
        parse_settings(f"[announcer]\n{line}\n", "t.toml")
    assert str(caught.value).startswith(f"t.toml, line 2, {words}")
