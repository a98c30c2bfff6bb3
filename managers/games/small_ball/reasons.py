"""One-sentence reasons of a Small Ball manager, about the situation."""

from __future__ import annotations

from managers.games.small_ball.position import SmallBallPosition


def answer_reason(now: SmallBallPosition, why: str, option: str) -> str:
    match option:
        case "bank":
            return bank_reason(now)
        case "bat" if why == "decision":
            return bat_reason(now)
        case "bat-on":
            return "With nothing at stake, an out costs no runs."
        case "steal-second":
            return (
                "On second he can't be doubled up on a grounder." if now.outs < 2 else "That is a base closer to home."
            )
        case "steal-third":
            return "From third he can score on an out." if now.outs < 2 else "That is a base closer to home."
        case "double-steal":
            return "Both runners would be a base closer to home."
        case "hit-and-run":
            return "With the runner going, a grounder becomes a single."
        case "sacrifice" if now.outs < 2:
            return "The runner on third can score on an out." if now.third else "An out moves the runners up."
        case "pinch-1" | "pinch-2" if why == "reactivate":
            return "That pinch hitter may be needed again."
        case "pinch-1" | "pinch-2":
            return "This at-bat is worth a pinch hitter."
        case "no":
            return "The pinch hitter can wait."
    return ""


def bank_reason(now: SmallBallPosition) -> str:
    after = now.lead + now.runs_at_stake
    if not now.runs_at_stake:
        return "We'd rather have this batter lead off next time."
    if now.is_last_half and after > 0:
        return "That wins the game."
    if now.lead < after == 0:
        return "That ties the game."
    if now.lead <= 0 < after:
        return "That takes the lead."
    runs = "the run" if now.runs_at_stake == 1 else f"{now.runs_at_stake} runs"
    return f"With two outs it's time to bank {runs}." if now.outs == 2 else f"Better to bank {runs} than to risk more."


def bat_reason(now: SmallBallPosition) -> str:
    after = now.lead + now.runs_at_stake
    if now.is_last_half and after < 0:
        return "Stopping now would lose the game."
    if not now.runs_at_stake:
        return "With nothing at stake, an out costs no runs."
    if now.outs < 2:
        return "There is still an out to spare."
    return "With two outs, the runners go on a hit." if now.runner_count else "One more run is worth the risk."
