"""Several servers of one model: what shares a prefix goes to the same one, so that its prefix cache works."""

import hashlib
from collections.abc import Sequence
from itertools import count

from checkwise.engines.options import Routing


class Replicas:
    """Say which server a request goes to.

    A prefix ranks all servers by a hash of both (rendezvous hashing), so that when one is lost, only what went to it
    goes elsewhere.

    Args:
        names: What tells the servers apart, such as their URLs; at least one.
        routing: How to choose.

    Raises:
        ValueError: There is no server.

    Source: Thaler and Ravishankar, "Using name-based mappings to increase hit rates" (1998).
    """

    def __init__(self, names: Sequence[str], *, routing: Routing = "prefix") -> None:
        if not names:
            raise ValueError("there is no server")
        self._names = tuple(names)
        self._routing = routing
        self._turn = count()

    def order(self, prefix: str) -> list[int]:
        """Rank the servers for a request.

        Args:
            prefix: What its prompt begins with.

        Returns:
            Their places in ``names``: the first one is to be asked, the next where it cannot be reached, and so on.
        """
        places = range(len(self._names))
        if self._routing == "round-robin":
            first = next(self._turn)
            return [(first + place) % len(self._names) for place in places]
        return sorted(places, key=lambda place: _weight(self._names[place], prefix), reverse=True)


def _weight(name: str, prefix: str) -> bytes:
    # Length first, so that no two pairs of texts run into one.
    return hashlib.sha256(f"{len(name)}:{name}{prefix}".encode("utf-8", "surrogatepass")).digest()
