"""Notes on what a race leaves to be doubted."""

from winodds.language.notes import doubt
from winodds.language.words import count


@doubt
def stopped_by_scores(settings: int, of: int) -> str:
    return (
        f"{settings:,} of {count(of, 'setting')} did not run on all splits, because they did badly "
        f"on the first ones. What they scored there was bad luck, too, so their ratings lean low."
    )
