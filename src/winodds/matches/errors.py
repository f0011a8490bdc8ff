"""Results that give no matches."""

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import option
from winodds.language.words import unit_names


class NoMatches(DataError):
    """Nobody met anybody."""

    def sentence(self) -> str:
        return "No two players met, so there is nothing to rate."


class TooFewClusters(DataError):
    """A single cluster says nothing about the variation between clusters."""

    clusters: int
    unit: str

    def sentence(self) -> str:
        units = unit_names(self.unit)
        return (
            f"The interval comes from the variation between {units}, and there is only one. Add "
            f"more, or choose other clusters."
        )


class ClusterSplitsTournament(UseError):
    """Clusters finer than tournaments, for pooled matches across rounds."""

    def sentence(self) -> str:
        return (
            f"Pooled matches across rounds are clustered by whole tournaments, and the cluster "
            f"column splits some. Drop it, or count {option('matches', 'within')}."
        )
