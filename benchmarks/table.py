"""Cost of the table: `python -m benchmarks.table` prints the rows of docs/evidence/benchmarks.md.

`python -m benchmarks.table announcer` prints those of the announcer. Figures are medians of elapsed time on one thread.
Close other programs first.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, cast
from unittest import mock

from device.commands import engine
from device.storage.decks import house_deck
from device.storage.store import Store
from device.table.automatic_draws import open_draws
from device.table.session import GameSession
from engine.asks import Ask, Choose
from engine.cards import cards_in_decks
from engine.game import play_to_end
from engine.games import GAMES
from engine.games.clutch.state import State
from engine.journal import Source
from engine.secrets import redacted_json
from engine.table import Table
from engine.views import json_data
from tests.device.storage.power_cuts import SWIFT
from tests.engine.games.clutch.manager import Manager
from tests.engine.sample_games.series_game import series

GAME = GAMES["small-ball"]
DECKS = [house_deck(GAME)]

SEASON_ANSWERS = 3000  # Answers of some weeks of play.


def build_player(random: Random) -> Callable[[Ask], Any]:
    """Build a manager that bats until there is a run, and banks it."""

    def answer(ask: Ask) -> Any:
        if isinstance(ask, Choose):
            return "bank" if ask.why == "decision" and ask.facts["stake"] else ask.options[0]
        return (random.randint(1, 6),)

    return answer


def median_of(measure: Callable[[], float], goes: int = 7) -> float:
    return statistics.median(measure() for _ in range(goes))


def games_a_second() -> float:
    answer, start = build_player(Random(1)), GAME.start(cards_in_decks(DECKS), GAME.resolve_house_rules({}))

    def go() -> float:
        began, games = time.perf_counter(), 400
        for _ in range(games):
            play_to_end(GAME, start.copy(), answer)
        return games / (time.perf_counter() - began)

    return median_of(go)


def played_table(answers: int = 160) -> Table:
    table, answer = Table(GAME, DECKS), build_player(Random(3))
    while len(table.answers) < answers and not table.outcome:
        n, ask = table.open_asks()[0]
        table.answer_ask(ask.seat, n, list(value) if isinstance(value := answer(ask), tuple) else value)
    return table


def durable_answer_ms(disk: str | None = None) -> Iterator[tuple[float, float, float]]:
    """Yield each answer's latency until stored on `disk` and shown, its CPU time, and that of the later copy, in ms."""
    with tempfile.TemporaryDirectory(dir=disk or Path.cwd()) as folder:
        store = Store(Path(folder) / "journal.db")
        session, answer = GameSession(store, lambda: Table(GAME, DECKS)), build_player(Random(3))
        for _ in range(300):
            table = session.game.table
            if table.outcome:
                break
            n, ask = table.open_asks()[0]
            value = list(value) if isinstance(value := answer(ask), tuple) else value
            began, spent = time.perf_counter(), time.thread_time()
            session.seats.answer_ask(ask.seat, n, value, Source.PHONE)
            taken, answered = time.perf_counter() - began, time.thread_time()
            store.update_copy()
            yield taken * 1000, (answered - spent) * 1000, (time.thread_time() - answered) * 1000
        store.close()


def clutch_ms() -> tuple[float, list[float]]:
    """Return the CPU seconds of a complete Clutch game by `dugout engine`, and sorted latencies of answers in ms."""
    game = GAMES["clutch"]
    table, began = Table(game, [house_deck(game)]), time.process_time()
    for said in engine.autoplay_game(table, 3):
        redacted_json(said, None)
    spent, times = time.process_time() - began, list[float]()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        store = Store(Path(folder) / "journal.db")
        session = GameSession(store, lambda: Table(game, [house_deck(game)]))
        manager = Manager(lambda: cast(State, session.game.table.state), 3)
        while not session.game.table.outcome:
            n, ask = session.game.table.open_asks()[0]
            value = list(value) if isinstance(value := manager(ask), tuple) else value
            began = time.perf_counter()
            session.seats.answer_ask(
                ask.seat, n, value, Source.HOUSE if n in open_draws(session.game.table) else Source.PHONE
            )
            json_data(session.game.view_for(None))
            times.append((time.perf_counter() - began) * 1000)
        store.close()
    return spent, sorted(times)


def season_ms() -> tuple[float, float, float, int]:
    """Return the latency of an early and of a late answer in ms, the seconds to resume the game, and its length in
    games.
    """
    played = series(GAME)
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder, mock.patch.dict(GAMES, {GAME.key: played}):
        store = Store(Path(folder) / "journal.db")
        session, answer = GameSession(store, lambda: Table(played, DECKS)), build_player(Random(3))
        times = []
        while len(times) < SEASON_ANSWERS:
            n, ask = session.game.table.open_asks()[0]
            value = list(value) if isinstance(value := answer(ask), tuple) else value
            began = time.perf_counter()
            session.seats.answer_ask(ask.seat, n, value, Source.PHONE)
            json_data(session.game.view_for(None))
            times.append((time.perf_counter() - began) * 1000)
        season = session.game.number
        session.game.begin_game(Table(played, DECKS))
        began = time.perf_counter()
        session.game.resume_game(season)
        taken = time.perf_counter() - began
        games = len(session.game.table.log.read_new_events().games) + 1
        store.close()
    return statistics.median(times[50:150]), statistics.median(times[-100:]), taken, games


def view_ms() -> float:
    table = played_table()

    def go() -> float:
        began = time.perf_counter()
        for _ in range(50):
            json.dumps(json_data(table.view_for(None)))
        return (time.perf_counter() - began) * 20

    return median_of(go)


def watching_ms() -> tuple[float, float, float, float]:
    """Return the ms to watch one 640 × 480 frame, to store one for a clip, to encode a clip, and to read six dice."""
    import cv2

    from vision.clips import RecentFrames
    from vision.reader import Reader
    from vision.synthetic.tray import SyntheticDie, SyntheticTray
    from vision.tray.motion import TrayWatcher

    cv2.setNumThreads(1)
    tray = SyntheticTray(seed=4)
    still = tray.throw_dice(0.0, [SyntheticDie()] * 6)
    frames = [tray.render_frame(i / 30) for i in range(int(still * 30) + 20)]
    watcher, reader, recent = TrayWatcher(), Reader(), RecentFrames()
    times, keeps = [], []
    for i, frame in enumerate(frames):
        began = time.perf_counter()
        watcher.process_frame(frame, i / 30)
        times.append((time.perf_counter() - began) * 1000)
        began = time.perf_counter()
        recent.add_frame(frame, i / 10)  # A camera gives ten frames a second, and each is stored.
        keeps.append((time.perf_counter() - began) * 1000)
    clip = recent.throw_clip(0, len(frames) / 10)
    assert clip is not None
    began = time.perf_counter()
    clip.encode_webp()
    clipped = (time.perf_counter() - began) * 1000
    reader.read_dice(frames[-1])
    reads = []
    for _ in range(9):
        began = time.perf_counter()
        reader.read_dice(frames[-1])
        reads.append((time.perf_counter() - began) * 1000)
    return statistics.median(times), statistics.median(keeps), clipped, statistics.median(reads)


class SoundCard:
    """Stand-in for ALSA's default device that plays into a pipe.

    `heard` is the monotonic time in seconds at which the first audible sample since `listen` would leave a speaker.
    """

    def __init__(self, folder: Path) -> None:
        pipe, settings = folder / "played", folder / "asound.conf"
        os.mkfifo(pipe)
        slave = f'pcm.!default {{ type file file "|cat >{pipe}" format raw slave.pcm null }}\n'
        settings.write_text(f"</usr/share/alsa/alsa.conf>\n{slave}")
        os.environ |= {"ALSA_CONFIG_PATH": str(settings), "PULSE_SERVER": "unix:/nowhere"}
        self._end = os.open(pipe, os.O_RDWR)
        self._news = threading.Condition()
        self._silent, self.heard = 0, 0.0
        threading.Thread(target=self._play, daemon=True).start()

    def listen(self) -> None:
        with self._news:
            self._silent, self.heard = 0, 0.0

    def wait_for_sound(self) -> float:
        with self._news:
            assert self._news.wait_for(lambda: self.heard, 20)
            return self.heard

    def _play(self) -> None:
        while data := os.read(self._end, 1 << 16):
            now, quiet = time.perf_counter(), len(data) - len(data.lstrip(b"\0"))
            with self._news:
                if quiet < len(data) and not self.heard:
                    self.heard = now + (self._silent + quiet) / (2 * SAMPLES_PER_S)
                self._silent += quiet
                self._news.notify()


SAMPLES_PER_S = 22050  # Samples of two bytes that espeak-ng outputs per second.


def announced_ms(plays: int = 30) -> list[float]:
    """Return sorted latencies from a roll's answer to the first sound of its call, at a complete table, in ms."""
    from device.app import App
    from device.settings import parse_settings

    source = '[camera]\nsource = "none"\n[display]\ndriver = "none"\n[buttons]\nfactory = "none"\n'
    source += '[announcer]\nlevel = "full"\n'
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        card, times = SoundCard(Path(folder)), list[float]()
        app = App(parse_settings(source, "").model_copy(update={"data": Path(folder)}), demo=False)
        app._ticker.start()
        app.devices.start()
        answer = build_player(Random(3))
        time.sleep(1)
        while len(times) < plays:
            n, ask = app.session.game.table.open_asks()[0]
            value, rolls = answer(ask), not isinstance(ask, Choose)
            if rolls:
                time.sleep(0.7)  # Playing into a pipe ends sooner than the sound would.
                card.listen()
            began = time.perf_counter()
            app.session.seats.answer_ask(ask.seat, n, list(value) if rolls else value, Source.PHONE)
            if rolls:
                times.append((card.wait_for_sound() - began) * 1000)
        app.stop()
    return sorted(times)


def espeak_ms(goes: int = 30) -> tuple[list[float], list[float], float]:
    """Return sorted times to espeak-ng's start and to its first sample, in ms, and its memory in MiB."""
    starts, sounds, most = list[float](), list[float](), 0
    for _ in range(goes):
        began = time.perf_counter()
        with subprocess.Popen(
            ["espeak-ng", "--stdin", "--stdout", "-v", "en-us"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as speaks:
            starts.append((time.perf_counter() - began) * 1000)
            assert speaks.stdin is not None
            assert speaks.stdout is not None
            speaks.stdin.write(b"Home run, Kovalenko! Two runs score. Owls lead, 3 to 2. Nobody on.")
            speaks.stdin.close()
            speaks.stdout.read(46)  # The WAV header has 44 bytes.
            sounds.append((time.perf_counter() - began) * 1000)
            status = Path(f"/proc/{speaks.pid}/status").read_text().splitlines()
            most = max(most, *(int(line.split()[1]) for line in status if line.startswith("VmHWM")))
            speaks.stdout.read()
    return sorted(starts), sorted(sounds), most / 1024


def print_announcer() -> None:
    starts, sounds, memory = espeak_ms()
    plays = announced_ms()
    spread = "{:.0f} ms, {:.0f} ms"
    print(
        f"| from a play to the first sound of its call ({len(plays)} plays): median, worst "
        f"| {spread.format(statistics.median(plays), plays[-1])} |"
    )
    print(
        f"| of this, espeak-ng from its start to the first sample: median, worst "
        f"| {spread.format(statistics.median(sounds), sounds[-1])} |"
    )
    print(
        f"| of this, starting it, while the table's threads wait: median, worst "
        f"| {statistics.median(starts):.1f} ms, {starts[-1]:.1f} ms |"
    )
    print(f"| memory of espeak-ng while it speaks | {memory:.0f} MiB |")


def main() -> None:
    if sys.argv[1:] == ["announcer"]:
        print("| what | figure |\n|---|---|")
        print_announcer()
        return
    print("| what | figure |\n|---|---|")
    print(f"| nine-inning games of Small Ball a second, plays driven bare, one core | {games_a_second():,.0f} |")
    answers = sorted(taken for taken, *_ in durable_answer_ms())
    goes = [list(durable_answer_ms(SWIFT)) for _ in range(7)]
    # Other programs only add time, so the minimum of seven games is used for each answer.
    least = [[min(one[which] for one in same) for same in zip(*goes, strict=True)] for which in (1, 2)]
    print(
        f"| an answer through the table, on the disk and shown ({len(answers)} answers): median, p99 "
        f"| {statistics.median(answers):.1f} ms, {answers[int(len(answers) * 0.99)]:.1f} ms |"
    )
    print(
        f"| processor time of such an answer, stored in memory; of the journal's copy later "
        f"| {statistics.median(least[0]):.2f} ms; {statistics.median(least[1]):.2f} ms |"
    )
    spent, times = clutch_ms()
    print(f"| a nine-inning game of Clutch by `dugout engine`, cards and all, processor time | {spent:.2f} s |")
    print(
        f"| an answer in Clutch, on the disk and shown to spectators ({len(times)} answers): median, p99 "
        f"| {statistics.median(times):.1f} ms, {times[int(len(times) * 0.99)]:.1f} ms |"
    )
    early, late, taken, games = season_ms()
    print(
        f"| the same with a spectator's view, at 100 and at {SEASON_ANSWERS:,} answers of one journal "
        f"({games} games in a row) "
        f"| {early:.1f} ms, {late:.1f} ms |"
    )
    print(f"| that journal put aside and taken up again | {taken:.2f} s |")
    print(f"| a spectator's view and its JSON, late in a game | {view_ms():.2f} ms |")
    watch, keep, clipped, read = watching_ms()
    print(f"| watching one frame, 640 × 480, one thread | {watch:.2f} ms |")
    print(f"| keeping one frame for the clip of a throw, 640 × 480, one thread | {keep:.2f} ms |")
    print(f"| encoding the clip of two seconds, in a thread of its own | {clipped:.0f} ms |")
    print(f"| a full reading of six dice, 640 × 480, one thread | {read:.1f} ms |")


if __name__ == "__main__":
    main()
