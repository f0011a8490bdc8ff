"""Names → digests and seeds, the same on every machine and in every order."""

import json
from hashlib import blake2b
from typing import Any


def digest(*parts: Any) -> str:
    """Sixteen bytes that stand for plain data, as text.

    >>> digest("knn", {"b": 1, "a": 2}) == digest("knn", {"a": 2, "b": 1})
    True
    """
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def derive_seed(*names: Any) -> int:
    """A seed below 2³¹ that follows from names, so that others may come and go.

    >>> derive_seed(1, "wine", "split 1"), derive_seed(1, "wine", "split 2")
    (2144168602, 443364737)
    """
    return int(digest(*names)[:8], 16) >> 1
