"""Names of players: a model that was run with several settings is several players."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from winodds.adapters import notes as note
from winodds.adapters.columns import name_settings
from winodds.language.notes import Note

TECHNICAL = frozenset(
    {
        *("device", "batch", "batch_size", "max_batch_size", "parallelize", "device_map"),
        *("tensor_parallel_size", "data_parallel_size", "gpu_memory_utilization", "swap_space"),
        *("max_retries", "timeout", "attempt_timeout", "max_connections", "num_concurrent"),
        *("cache", "cache_prompt", "trust_remote_code"),
        # What a mocked model answers, a list as long as its task.
        "custom_outputs",
    }
)
"""Settings that change how a model is run or asked, and not what it is."""

LONGEST = 60
"""Signs of a value in a name."""


def tell_apart(
    runs: Sequence[tuple[str, Mapping[str, Any]]],
) -> tuple[list[str], list[Note]]:
    """The player of each run, a model's name with its settings, and what is to be said.

    Settings that are the same in all runs of a model are not part of the name.

    >>> tell_apart([("m", {"t": 0}), ("m", {"t": 1}), ("n", {"t": 0})])[0]
    ['m (t=0)', 'm (t=1)', 'n']
    """
    of_model: dict[str, list[Mapping[str, Any]]] = {}
    for model, settings in runs:
        of_model.setdefault(model, []).append(settings)
    varying = {model: _varying(own) for model, own in of_model.items()}
    names = [_name(model, settings, varying[model]) for model, settings in runs]
    said = []
    for model, keys in varying.items():
        if keys:
            own = dict.fromkeys(
                name for name, (of, _) in zip(names, runs, strict=True) if of == model
            )
            said.append(note.told_apart(model, list(own)))
    return names, said


def _varying(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    keys = dict.fromkeys(key for own in settings for key in own)
    return [key for key in keys if len({same_text(own.get(key)) for own in settings}) > 1]


def _name(model: str, settings: Mapping[str, Any], keys: Sequence[str]) -> str:
    said = {key: in_name(settings[key]) for key in keys if settings.get(key) is not None}
    if not keys:
        return model
    return f"{model} ({name_settings(said)})" if said else f"{model} (default)"


def brief(value: Any) -> str:
    """A value as a part of a name: of a long one the beginning, and a few signs of its own.

    >>> brief("greedy"), brief({"k": 1}), brief("Think of it. " * 9)
    ('greedy', '{"k": 1}', 'Think of it. Think of it. Thin… #8de12f5b')
    """
    text = value if isinstance(value, str) and value.isprintable() else same_text(value)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST // 2]}… #{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def same_text(value: Any) -> str:
    """A text that is the same for the same value."""
    return json.dumps(value, sort_keys=True, default=str)


def in_name(value: Any) -> Any:
    """A value as `name_settings` wants it."""
    return value if isinstance(value, (int, float, bool)) else brief(value)
