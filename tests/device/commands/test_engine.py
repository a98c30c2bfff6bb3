"""`dugout engine`: the line protocol."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from device import cli
from device.commands import engine
from device.storage.decks import house_deck, house_deck_text
from engine.games import GAMES
from engine.secrets import redacted_json
from engine.table import Table

DOCS = Path(__file__).parents[3] / "docs/develop"


def talk(*commands: Any, args: tuple[str, ...] = ("--rule", "awayTeam=red")) -> list[dict[str, Any]]:
    """Return what the engine prints for these commands; a text or bytes are sent as they are."""
    out = io.StringIO()
    lines = [command if isinstance(command, str | bytes) else json.dumps(command) for command in commands]
    parsed = cli.build_parser().parse_args(["engine", *args])
    sent = io.BytesIO(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    engine.run_command(parsed, engine.read_lines(sent), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def answer(n: int, value: Any, seat: str = "away") -> dict[str, Any]:
    return {"seat": seat, "n": n, "value": value}


def test_the_first_line_asks_the_first_question() -> None:
    """After the start it prints one object: asks with legal answers, events, scoreboard, no outcome."""
    (first,) = talk()
    assert first["outcome"] is None
    assert [event["code"] for event in first["events"]] == ["play-ball", "half-inning"]
    (ask,) = first["asks"]
    assert (ask["n"], ask["seat"], ask["kind"], ask["why"]) == (0, "away", "choose", "decision")
    assert [option["value"] for option in ask["options"]] == ["bat", "pinch-1", "pinch-2", "bank"]
    assert first["scoreboard"]["sides"]["away"]["name"] == "Lanterns"


def test_an_answer_moves_the_game() -> None:
    _, ask, told = talk(answer(0, "bat"), answer(1, [2]))
    assert ask["asks"][0]["dice"] == [{"kind": "d6", "colour": None, "owner": None, "faces": [1, 2, 3, 4, 5, 6]}]
    assert [event["code"] for event in told["events"]] == ["single"]
    assert told["scoreboard"]["bases"] == ["Pip Marlowe", None, None]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("not json", "invalid"),
        ("[1, 2]", "invalid"),
        ('{"seat": "away", "n": 0}', "invalid"),
        ('{"seat": "press box", "n": 0, "value": "bat"}', "invalid"),
        ('{"seat": "away", "n": "0", "value": "bat"}', "invalid"),
        ('{"seat": "away", "n": 0, "value": 3}', "invalid"),
        ('{"seat": "away", "n": 0, "value": [3]}', "invalid"),
        ('{"seat": "away", "n": 0, "value": "steal-second"}', "illegal"),
        ('{"seat": "home", "n": 0, "value": "bat"}', "seat"),
        ('{"seat": "away", "n": 1, "value": "bat"}', "stale"),
        ('{"undo": 0}', "stale"),
        ('{"undo": -1}', "invalid"),
        ('{"amend": 0, "value": "bank"}', "stale"),
        ('{"view": "press box"}', "invalid"),
        ('{"journal": 1, "view": null}', "invalid"),
        ('{"journal": 1}', "invalid"),
        ("[" * 10000, "invalid"),
        ("[" * 3 * engine.MAX_COMMAND_LENGTH, "invalid"),
        (b'{"view": "\xff"}', "invalid"),
    ],
)
def test_a_refusal_says_its_kind_and_changes_nothing(command: str | bytes, kind: str) -> None:
    before, refused, after = talk(command, answer(0, "bat"))
    assert refused["error"]["kind"] == kind
    assert refused["error"]["sentence"]
    assert after["asks"][0]["n"] == before["asks"][0]["n"] + 1


def test_undo_and_amend_are_commands() -> None:
    """An undo asks again; an amend corrects a die and keeps the later answers that fit."""
    lines = talk(answer(0, "bat"), answer(1, [2]), answer(2, "bat"), {"amend": 1, "value": [6]}, {"undo": 0})
    amended, undone = lines[-2:]
    assert [event["code"] for event in amended["events"]] == ["amend", "single"]
    assert amended["asks"][0]["n"] == 3
    assert undone["asks"][0]["n"] == 0
    assert undone["events"][0]["code"] == "undo"


def test_a_bare_face_will_do_for_one_die() -> None:
    """4 and [4] are the same roll, and the journal keeps the list."""
    lines = talk(answer(0, "bat"), answer(1, 4), {"journal": True})
    assert lines[-1]["journal"]["entries"] == [answer(0, "bat"), answer(1, [4])]


def test_the_journal_replays() -> None:
    """What {"journal": true} prints, sent as commands, leads to the same place."""
    lines = talk(answer(0, "bat"), answer(1, [2]), answer(2, "steal-second"), {"undo": 2}, {"journal": True})
    journal = lines[-1]["journal"]
    assert journal["header"]["house"]["awayTeam"] == "red"
    again = talk(*journal["entries"])
    assert again[-1]["asks"] == lines[-2]["asks"]


def test_a_view_is_what_one_audience_sees() -> None:
    _, public, seat = talk({"view": None}, {"view": "home"})
    assert public["view"]["seat"] is None
    assert seat["view"]["seat"] == "home"


def test_house_rules_and_decks_are_refused_in_words(tmp_path: Path) -> None:
    assert talk(args=("--rule", "bankWithZero=maybe"))[0]["error"]["kind"] == "house-rule"
    assert talk(args=("--rule", "bankWithZero"))[0]["error"]["kind"] == "invalid"
    deck = tmp_path / "mine.toml"
    deck.write_text("[deck]\ngame = 'small-ball'\ntitle = 'Mine'\n[[player]]\nteam = 'green'\n")
    error = talk(args=("--deck", str(deck)))[0]["error"]
    assert error["kind"] == "deck"
    assert "mine.toml, player 1, team" in error["sentence"]
    assert "cannot be read" in talk(args=("--deck", str(tmp_path / "none.toml")))[0]["error"]["sentence"]


def test_likely_typing_errors_on_cards_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, with the card; the game can be played."""
    deck = tmp_path / "mine.toml"
    deck.write_text(house_deck_text(GAMES["clutch"]).replace("stealing = 2", "stealing = 3", 1))
    assert not talk(args=("--game", "clutch", "--deck", str(deck)))[0].get("error")
    assert re.fullmatch(
        r"dugout engine: please check: mine.toml, batter \d+, stealing: is 3\d; speeds are mostly 11 to 25.\n",
        capsys.readouterr().err,
    )
    talk(args=("--game", "clutch"))
    assert "" == capsys.readouterr().err


@pytest.mark.parametrize("seed", range(6))
def test_autoplay_plays_to_an_outcome(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The transcript has every answer and its consequence, ends with an outcome, and is the same for a seed."""
    assert cli.main(["engine", "--autoplay", str(seed)]) == 0
    text = capsys.readouterr().out
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[-1]["outcome"]["winner"] in ("away", "home")
    assert lines[-1]["asks"] == []
    assert not [line for line in lines if "error" in line]
    table = Table(GAMES["small-ball"], [house_deck(GAMES["small-ball"])])
    for line in lines:
        if "value" in line:
            table.answer_ask(line["seat"], line["n"], line["value"])
    assert table.outcome is not None
    cli.main(["engine", "--autoplay", str(seed)])
    assert text == capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES)
def test_every_game_plays_itself(game: str) -> None:
    """Whatever is asked, secrets and races too, there is a legal random answer, to the end."""
    table = Table(GAMES[game], [house_deck(GAMES[game])])
    *_, last = engine.autoplay_game(table, 7)
    assert isinstance(last, engine.Reply)
    assert ([], True) == (last.asks, last.outcome is not None)


def printed(said: object) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(redacted_json(said, None))
    return read


def test_a_scripted_nine_inning_game_ends_in_the_ninth() -> None:
    """A client that bats until it has a run, then banks, plays nine innings to a winner over the protocol alone."""
    table = Table(GAMES["small-ball"], [house_deck(GAMES["small-ball"])], {"awayTeam": "blue"})
    said, thrown = printed(engine.build_reply(table, table.log)), 0
    while said["asks"]:
        (ask,) = said["asks"]
        if ask["kind"] == "roll":
            value: Any = [thrown * 5 % 6 + 1]
            thrown += 7 if thrown % 4 else 2
        elif ask["why"] == "decision":
            value = "bank" if said["scoreboard"]["stake"] else "bat"
        else:
            value = ask["options"][0]["value"]
        said = printed(engine.execute_command(table, json.dumps(answer(ask["n"], value, ask["seat"]))))
    assert said["outcome"]["reason"] in ("regulation", "bottom-skipped")
    assert said["scoreboard"]["inning"] == 9
    assert said["scoreboard"]["sides"]["away"]["runs"] == sum(
        runs or 0 for runs in said["scoreboard"]["sides"]["away"]["line"]
    )


def test_the_manual_shows_what_is_printed() -> None:
    """Each command in docs/develop/protocol.md is followed by the line the engine prints for it."""
    text = (DOCS / "protocol.md").read_text("utf-8")
    block = text.split("```jsonl\n")[1].split("```")[0].splitlines()
    sent = [line[2:] for line in block if line.startswith("> ")]
    shown = [json.loads(line[2:]) for line in block if line.startswith("< ")]
    printed = talk(*sent)
    assert len(shown) == len(printed)
    for want, got in zip(shown, printed, strict=True):
        assert want == {key: got[key] for key in want}
