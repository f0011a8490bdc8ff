"""Battles of an arena, as FastChat and the sets since 2025 have them.

These are no votes of people: models, judges and winners are made up, and only the columns and the
words for winners are those of the published sets.

Usage: ``python tools/samples/make_arena.py [FOLDER]``
"""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import polars as pl

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "samples" / "arena"
SKILL = {"gpt": 1.0, "claude": 0.9, "llama": 0.3, "vicuna": -0.2, "dolly": -1.0}
LANGUAGES = ("English", "German", "Polish")


def vote(random: Random, bad: str) -> tuple[str, str, str]:
    """Two models and who won."""
    left, right = random.sample(list(SKILL), 2)
    chance = 1.0 / (1.0 + 2.7 ** (SKILL[right] - SKILL[left]))
    drawn = random.random()
    if drawn < 0.15:
        return left, right, "tie"
    if drawn < 0.25:
        return left, right, bad
    return left, right, "model_a" if random.random() < chance else "model_b"


def talk(text: str) -> list[dict[str, str]]:
    """A conversation, which nobody needs for a rating."""
    return [{"role": "user", "content": text}, {"role": "assistant", "content": "[…]"}]


def fastchat() -> list[dict[str, Any]]:
    """Votes as FastChat's cleaning writes them; a few voters knew the models' names."""
    random, rows = Random(1), []
    for number in range(120):
        left, right, winner = vote(random, "tie (bothbad)")
        language = random.choice(LANGUAGES)
        rows.append(
            {
                "question_id": f"q{number:03}", "model_a": left, "model_b": right,
                "winner": winner, "judge": f"arena_user_{random.randrange(30)}",
                "conversation_a": talk("Hi"), "conversation_b": talk("Hi"), "turn": 1,
                "anony": number % 20 != 0, "language": language, "tstamp": 1.7e9 + number,
            }
        )  # fmt: skip
    return rows


def since_2025() -> list[dict[str, Any]]:
    """Votes as in the sets of 2025: several of one session, in their order."""
    random, rows = Random(2), []
    for number in range(120):
        left, right, winner = vote(random, "both_bad")
        rows.append(
            {
                "id": f"b{number:03}", "model_a": left, "model_b": right, "winner": winner,
                "evaluation_session_id": f"s{number // 3}", "evaluation_order": number % 3 + 1,
                "conversation_a": talk("Hallo"), "conversation_b": talk("Hallo"),
                "conv_metadata": {"sum_user_tokens": 3, "turns": 1},
                "category_tag": {"math_v0.1": {"math": number % 4 == 0}},
                "language": random.choice(LANGUAGES), "is_code": number % 5 == 0,
            }
        )  # fmt: skip
    return rows


def main(folder: Path) -> None:
    """Write the samples."""
    folder.mkdir(parents=True, exist_ok=True)
    old, new = fastchat(), since_2025()
    text = json.dumps(old, indent=1, ensure_ascii=False)
    (folder / "fastchat.json").write_text(text, encoding="utf-8")
    array = json.dumps(new, ensure_ascii=False)
    (folder / "arena_2025.json").write_text(array, encoding="utf-8")
    pl.DataFrame(new).write_parquet(folder / "arena_2025.parquet")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
