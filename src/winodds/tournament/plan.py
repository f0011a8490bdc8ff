"""Every fit of a benchmark, in the order of data sets, players and rounds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from winodds.tournament.benchmark import Benchmark, DataSet, Player, Round
from winodds.tournament.outcome import Finished
from winodds.tournament.seeds import derive_seed
from winodds.tournament.spec import Limits


@dataclass(frozen=True, slots=True)
class Fit:
    """One player in one round.

    Attributes
    ----------
    key : stands for everything that the score depends on: the player and its own code, the
        contents of the data, the rows of the split and the seed; neither for names nor for metrics.
    player, data, round : who, where and on which split, by its number.
    seed : for all random numbers of the fit.
    """

    key: str
    player: Player
    data: DataSet
    round: int
    seed: int

    @property
    def names(self) -> tuple[str, str, str]:
        return self.player.name, self.data.name, self.data.rounds[self.round].name


def make_plan(benchmark: Benchmark) -> list[Fit]:
    """All fits of a benchmark."""
    found = []
    for data in benchmark.data:
        rounds = [_contents(data, it) for it in data.rounds]
        for player in benchmark.players:
            for number, (content, it) in enumerate(zip(rounds, data.rounds, strict=True)):
                # Names and not contents: what is drawn stays when a row of the data changes, or a
                # line of the player's code.
                seed = derive_seed(benchmark.seed, data.name, it.name, player.identity)
                text = f"{content}{player.identity}{seed}{player.code or ''}".encode()
                key = blake2b(text, digest_size=12).hexdigest()
                found.append(Fit(key, player, data, number, seed))
    return found


def _contents(data: DataSet, part: Round) -> str:
    """A digest of the rows of a split and of what they hold."""
    found = blake2b(data.identity.encode(), digest_size=16)
    for rows in (part.train, part.test):
        found.update(f"|{len(rows)}|".encode())
        found.update(rows.astype("<i8").tobytes())
    return found.hexdigest()


def settled(done: Finished | None, metrics: Sequence[str], limits: Limits, *, retry: bool) -> bool:
    """Whether a fit need not run again.

    It has to if it was not asked for some metric, if it was ended by a limit that is another one
    now, or if it has no score and those are to be tried again.
    """
    if done is None or not set(metrics) <= set(done.outcome.scores):
        return False
    if retry and any(done.outcome.scores[name] is None for name in metrics):
        return False
    now = {"timeout": limits.seconds, "oom": limits.megabytes}
    return done.outcome.status not in now or done.outcome.limit == now[done.outcome.status]


def strangers(plan: Iterable[Fit], finished: Mapping[str, Finished]) -> list[Finished]:
    """Finished fits that no plan asks for any more."""
    planned = {fit.key for fit in plan}
    return [done for key, done in finished.items() if key not in planned]
