"""The words of baseball that several games use, explained for somebody who never saw a game."""

from __future__ import annotations

from collections.abc import Mapping

BASEBALL_WORDS: Mapping[str, str] = {
    "at-bat, at-bats, at bat": "One batter's turn. It lasts until the batter is out or stands on a base.",
    "away": "The away team is the guest. It has the first turn to bat in every inning, and the home team the second.",
    "base, bases": "First, second and third base are the stops on the way around the field. A runner who stands on one "
    "is safe.",
    "bat, bats, batted, batting": "To bat is to try to hit the ball. The side that bats is the one that can score.",
    "batter, batters, hitter": "The player whose turn it is to hit the ball. The batters of a side take turns.",
    "batting order, lineup, lineups": "The order in which the batters of a side take their turns. After the last one, "
    "the first is up again.",
    "bench": "The players who are not in the game now. Each of them can come in for another player.",
    "bullpen, pen": "Where the relievers wait until they are brought in.",
    "caught stealing": "A runner tried to take a base before the ball was hit, and was thrown out.",
    "double play, double plays": "One ball puts two players out, most often the batter and the runner from first base.",
    "double, doubles, doubled, 2B": "A hit that takes the batter to second base. Runners usually move up two bases.",
    "error, errors": "A fielder's mistake. The batter or a runner is safe because of it, but it is not a hit.",
    "extra innings, extra inning": "If the score is tied after nine innings, more are played until one side is ahead.",
    "fielder, fielders": "A player of the side that is not batting. Fielders catch the ball and throw runners out.",
    "flyout, flies out, fly ball, fly balls, FO": "The ball is caught in the air, and the batter is out. A runner on "
    "third base may still come home.",
    "groundout, grounds out, ground ball, ground balls, grounds, GO": "The ball rolls along the ground, and a fielder "
    "throws the batter out at first base.",
    "half-inning, half-innings": "One side's turn to bat. It ends with the third out. Two halves are an inning.",
    "hit, hits": "A ball after which the batter is safe on a base: a single, a double, a triple or a home run.",
    "home run, home runs, HR": "A hit that brings in the batter and every runner. With two runners on, it is three "
    "runs.",
    "home, plate": "Home plate is where the batter stands. A runner who comes all the way around to it scores a run. "
    "The home team bats second.",
    "inning, innings": "Both sides bat once in an inning: the away team in the top half, the home team in the bottom "
    "half.",
    "leads off, leadoff, lead off": "To bat first in a half-inning.",
    "lineout, lines out, line drive": "The ball is hit hard and straight into a fielder's glove. The batter is out.",
    "on deck": "Next to bat.",
    "out, outs, retired": "A batter or runner who is out leaves the field. Three outs end the half-inning.",
    "pinch hitter, pinch hitters, pinch-hit, pinch hit": "A player from the bench who bats in another one's place.",
    "pitch, pitches, pitching, pitched": "The throw to the batter, with which each play begins.",
    "pitcher, pitchers": "The player who throws the ball to the batter.",
    "reliever, relievers, relief, relieves, relieve": "A pitcher who comes in for a tired one during the game.",
    "run, runs": "A point. A side scores one for each runner who comes home.",
    "runner, runners": "A player of the batting side who stands on a base and wants to come home.",
    "sacrifice, sacrifices, SAC": "The batter is out on purpose, so that the runners can move up a base.",
    "safe": "Not out: the player may stay on the base.",
    "single, singles, singled, 1B": "A hit that takes the batter to first base. Runners usually move up one base.",
    "steal, steals, stealing, stolen, stole": "A runner runs for the next base without waiting for a hit. If it fails, "
    "the runner is out.",
    "strikeout, strikes out, SO": "The batter is out without hitting the ball. The runners stay where they are.",
    "triple, triples, 3B": "A hit that takes the batter to third base, and every runner home.",
    "visitors, visitor": "The guests, or away team. Theirs is the first turn to bat in every inning.",
    "walk, walks, walked, BB": "The batter goes to first base for free. Only runners who must make room move up.",
    "WPA, win probability added": "How much a player's plays add to the chance of his side to win. A play that takes "
    "it from 50 to 60 of 100 adds .10.",
}


def baseball_words(words: str) -> dict[str, str]:
    """Return some of the explanations. `words` are their first forms, separated by ", ". Raises KeyError for others."""
    found = {forms.partition(",")[0]: (forms, text) for forms, text in BASEBALL_WORDS.items()}
    return dict(found[word] for word in words.split(", "))
