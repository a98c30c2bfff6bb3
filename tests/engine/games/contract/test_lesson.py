"""The lesson of each game: every word that its sentences use is explained or everyday, and its cards tell the truth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from device.storage.decks import house_deck
from engine.ask_views import NotedOption
from engine.cards import cards_in_decks
from engine.errors import DeckError, HouseRuleError
from engine.games import GAMES
from engine.lessons.baseball_words import BASEBALL_WORDS
from engine.lessons.lesson import MAX_EXPLANATION_LENGTH, Lesson, LessonCard, LessonPicture
from tests.each import each
from tests.engine.games.contract.games import CONTRACTS

EVERYDAY_WORDS = frozenset(Path(__file__).with_name("everyday_words.txt").read_text("utf-8").split())
"""Words that need no explanation for somebody who never saw baseball."""

BOOKS = Path(__file__).parents[5] / "shared/rulebooks"

WORD = re.compile(r"(?<![\w])[A-Za-z][A-Za-z'-]+")
"""A word of two letters or more. Faces and zones of dice and boards have one."""

LESSONS = {key: game.lesson for key, game in GAMES.items() if game.lesson}
"""The lessons by game. A game may have none."""

every_game = each("key", LESSONS)


def lesson_of(key: str) -> Lesson:
    return LESSONS[key]


@cache
def sentences(key: str) -> frozenset[str]:
    """Return the texts that people read in the recorded games, and every sentence of the game without its facts."""
    words, found = GAMES[key].words, set[str]()
    for texts in (words.asks, words.titles, words.options, words.events):
        found |= {re.sub(r"\{[^}]*\}", " ", text) for text in texts.values()}
    stories = CONTRACTS[key].stories
    for story in stories.houses:
        told = 0
        for table in stories.steps(story):
            found |= {words.event_sentence(line.event) for line in table.log[told:]}
            told = len(table.log)
            for view in table.views_for("away", "home").values():
                for ask in view.asks:
                    found |= {ask.title, ask.sentence}
                    for option in getattr(ask, "options", ()):
                        found |= {option.label, *([option.note] if isinstance(option, NotedOption) else [])}
    return frozenset(found)


@cache
def names(key: str) -> frozenset[str]:
    """Return the words in names of players, teams and cards."""
    stories = CONTRACTS[key].stories
    found = set[str]()
    for story in stories.houses:
        for card in cards_in_decks(stories.new(story).decks):
            for field in ("name", "title", "short", "team", "person"):
                found |= set(WORD.findall(str(card.fields.get(field) or "")))
    return frozenset(found)


def cards_of(key: str, **house: str) -> tuple[LessonCard, ...]:
    """Return the cards with the deck that comes with the game."""
    game = GAMES[key]
    return lesson_of(key).cards(game.start(house_deck(game).cards, game.resolve_house_rules(house)))


def card_texts(key: str) -> list[str]:
    """Return every text on the cards, under all values of each house rule."""
    houses = [{}, *({rule.key: value} for rule in GAMES[key].house_rules for value in rule.values[1:])]
    found = []
    for house in houses:
        with suppress(HouseRuleError, DeckError):  # of values that need another deck, or another rule
            for card in cards_of(key, **house):
                found += [
                    card.title,
                    card.text,
                    *(text for row in card.picture.chart for text in (row.rolled, row.result)),
                ]
    return found


def unknown_words(key: str, text: str) -> Iterator[str]:
    """Yield the words of a text that are neither explained nor everyday words nor parts of names."""
    rest = lesson_of(key).without_explained_words(text)
    for word in WORD.findall(rest):
        bare = re.sub(r"'s?$", "", word)
        if not {word, bare} & names(key) and bare.lower() not in EVERYDAY_WORDS:
            yield bare


@every_game
def test_every_word_is_explained_or_everyday(key: str) -> None:
    """In whole recorded games: titles, questions, choices with their notes, and plays."""
    assert [] == sorted({word.lower() for text in sentences(key) for word in unknown_words(key, text)})


@every_game
def test_explanations_and_cards_use_only_words_that_are_explained_or_everyday(key: str) -> None:
    texts = [*(one.text for one in lesson_of(key).explanations), *card_texts(key)]
    assert [] == sorted({word.lower() for text in texts for word in unknown_words(key, text)})


def test_no_word_of_baseball_passes_as_an_everyday_word() -> None:
    assert set() == EVERYDAY_WORDS & {form for forms in BASEBALL_WORDS for form in forms.split(", ")}


@every_game
def test_explanations_are_short(key: str) -> None:
    """One or two sentences that fit into the line of a small phone, and no form of a word is explained twice."""
    forms: list[str] = []
    for one in lesson_of(key).explanations:
        assert len(one.text) <= MAX_EXPLANATION_LENGTH, one
        assert one.text.endswith("."), one
        assert len(re.findall(r"[.!?](?: |$)", one.text)) <= 3, one
        forms += one.forms
    assert [] == sorted({form for form in forms if forms.count(form) > 1})


@every_game
def test_a_lesson_has_three_short_cards(key: str) -> None:
    """What the dice do, what a choice costs, and how one wins: two sentences each, with a picture."""
    cards = cards_of(key)
    assert 3 == len(cards)
    for card in cards:
        assert len(card.title) <= 34, card
        assert len(card.text) <= 180, card
        assert len(re.findall(r"[.!?](?: |$)", card.text)) <= 2, card
        assert card.picture != LessonPicture(), card


def test_a_word_without_an_explanation_is_found() -> None:
    """A planted sentence of another game has words that Small Ball explains nowhere."""
    assert ["balk"] == list(unknown_words("small-ball", "The batter calls a balk, and Pip Marlowe walks."))


def test_codes_stand_in_capitals() -> None:
    """ "GO" is a groundout, "go" a plain word; any other word may begin a sentence."""
    lesson = lesson_of("small-ball")
    assert ("GO", "Bank", "bank", "hit-and-run") == lesson.explained_words("GO go: Bank, bank, embankment, hit-and-run")


def test_no_sentence_of_a_rulebook_is_copied() -> None:
    """No six words in a row of a lesson come from any rulebook."""
    books = sorted(BOOKS.glob("*.txt"))
    if not books:
        pytest.skip("the rulebooks are not at hand")
    printed = set[tuple[str, ...]]().union(*(word_runs(book.read_text("utf-8")) for book in books))
    for key in LESSONS:
        for text in (*(one.text for one in lesson_of(key).explanations), *card_texts(key)):
            assert set() == word_runs(text) & printed, text


def word_runs(text: str) -> set[tuple[str, ...]]:
    """Return every six words in a row."""
    flat = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(flat[i : i + 6]) for i in range(len(flat) - 5)}
