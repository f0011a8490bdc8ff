"""What ensembles add to their members, in words."""

from scipy.special import expit

from winodds.board.comparisons import Estimate
from winodds.board.teams import Teams
from winodds.language.words import count, level_words, list_some, rounded
from winodds.show.words.verdicts import interval_words, of_hundred


def describe_teams(found: Teams) -> str:
    """Whether teams are better than their members, and who is worth most in them."""
    said = [_synergy_words(found), _worth_words(found)]
    return " ".join(filter(None, said))


def _synergy_words(found: Teams) -> str:
    told = [team for team in found.teams if team.synergy is not None]
    mean = found.mean_synergy
    if mean is None or not told:
        return ""
    surely = [team.team for team in told if _above(team.synergy)]
    whose = "its" if len(told) == 1 else "their"
    start = (
        f"{count(len(told), 'team is', 'teams are')} rated {_by(mean)} {whose} members on "
        f"average ({level_words(found.level)} interval {interval_words(mean.low, mean.high)})"
    )
    if not surely:
        return f"{start}; of no single team that is sure."
    return f"{start}; surely better than its members: {list_some(surely)}."


def _by(mean: Estimate) -> str:
    size = rounded(abs(mean.value), ".2f")
    if float(size) == 0.0:
        return "as high as"
    return f"{size} {'higher' if mean.value >= 0.0 else 'lower'} in EPP than"


def _above(found: Estimate | None) -> bool:
    return found is not None and found.low is not None and found.low > 0.0


def _worth_words(found: Teams) -> str:
    nouns = found.nouns
    worth = [member for member in found.members if member.worth is not None]
    if not worth:
        return ""
    first = max(worth, key=lambda member: 0.0 if member.worth is None else member.worth.value)
    assert first.worth is not None
    return (
        f"In teams {first.member} is worth most: in the place of an average member it makes a team "
        f"win {of_hundred(_chance(first.worth))} new {nouns.rounds} against one without it."
    )


def _chance(found: Estimate) -> float:
    return float(expit(found.value))
