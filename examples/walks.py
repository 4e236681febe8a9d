"""Vectors for the nodes of a graph: random walks are the text, and nodes are the words.

The graph is Zachary's karate club (1977): who of 34 members met whom outside of the club, which
later split in two around its instructor (member 1) and its president (member 34). With a graph of
your own, replace `NEIGHBOURS` by a mapping from each node to the list of its neighbours.
"""

import random
from collections.abc import Iterator

import andornot
from andornot.training import Settings, train

# For each member, the members of a lower number that it met.
EARLIER = {
    2: [1], 3: [1, 2], 4: [1, 2, 3], 5: [1], 6: [1], 7: [1, 5, 6], 8: [1, 2, 3, 4], 9: [1, 3],
    10: [3], 11: [1, 5, 6], 12: [1], 13: [1, 4], 14: [1, 2, 3, 4], 17: [6, 7], 18: [1, 2],
    20: [1, 2], 22: [1, 2], 26: [24, 25], 28: [3, 24, 25], 29: [3], 30: [24, 27], 31: [2, 9],
    32: [1, 25, 26, 29], 33: [3, 9, 15, 16, 19, 21, 23, 24, 30, 31, 32],
    34: [9, 10, 14, 15, 16, 19, 20, 21, 23, 24, 27, 28, 29, 30, 31, 32, 33],
}  # fmt: skip
INSTRUCTOR = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 18, 20, 22}  # who stayed with member 1

NEIGHBOURS: dict[str, list[str]] = {f"member {number}": [] for number in range(1, 35)}
for later, others in EARLIER.items():
    for earlier in others:
        NEIGHBOURS[f"member {later}"].append(f"member {earlier}")
        NEIGHBOURS[f"member {earlier}"].append(f"member {later}")


def walks(each: int = 200, length: int = 20, seed: int = 1) -> Iterator[list[str]]:
    """Yield random walks, some from each node."""
    draw = random.Random(seed)
    for start in list(NEIGHBOURS) * each:
        walk = [start]
        while len(walk) < length:
            walk.append(draw.choice(NEIGHBOURS[walk[-1]]))
        yield walk


def main() -> None:
    """Train on the walks, and print the members nearest to some."""
    space = train(walks(), Settings(dim=4, window=5), min_count=1, threads=1)
    logic = andornot.Logic(space)
    for query in ('"member 1"', '"member 34"', '"member 17"', '"member 1" & "member 34"'):
        print(f"{query}: {', '.join(logic.ask(query, k=3).words)}")
    right = total = 0
    for name in space.words:
        for word in logic.ask(logic[name], k=3).words:
            total += 1
            right += (_number(word) in INSTRUCTOR) == (_number(name) in INSTRUCTOR)
    print(f"{right} of {total} nearest members went to the same club")


def _number(name: str) -> int:
    return int(name.split()[1])


if __name__ == "__main__":
    main()
