"""Fits that do not end."""

from winodds.language.errors import DataError


class NotConverged(DataError):
    """The fit did not reach its solution."""

    iterations: int
    step: float

    def sentence(self) -> str:
        return (
            f"The fit did not converge in {self.iterations} iterations (the last step was "
            f"{self.step:.1e}), so there are no ratings to report. Please send us the table, or a "
            f"small part of it that shows this."
        )
