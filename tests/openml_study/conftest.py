from collections.abc import Iterator

import pytest
from openml_server import large_world

from openml_study.pages import Found, as_recall, make_study, stay_away_from_home


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    """The study of a server with six tasks and sixty flows."""
    folder = tmp_path_factory.mktemp("study")
    with pytest.MonkeyPatch.context() as patch:
        stay_away_from_home(patch, folder)
        world = large_world(6, 60, filled=0.4, folds=6)
        yield make_study(folder, world, "--reference", "4000", second=as_recall(world))
