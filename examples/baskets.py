"""Items that are bought together: train on baskets, and ask for what goes with them.

The baskets are made up here, so that the right answers are known: a customer shops for one or two
meals, and takes some of the items that everyone buys. With baskets of your own, replace `baskets`
by any iterable of lists of item names.
"""

import random
from collections.abc import Iterator

import andornot
from andornot.training import Settings, train

MEALS = {
    "pasta": ["spaghetti", "tomato sauce", "parmesan", "basil", "olive oil", "garlic"],
    "breakfast": ["coffee", "orange juice", "croissant", "jam", "butter", "honey"],
    "curry": ["basmati rice", "coconut milk", "curry paste", "ginger", "garlic", "lime"],
    "barbecue": ["sausages", "charcoal", "beer", "mustard", "ketchup", "corn cobs"],
    "baking": ["flour", "sugar", "butter", "eggs", "vanilla", "baking powder"],
    "picnic": ["baguette", "camembert", "grapes", "red wine", "olives", "napkins"],
}
EVERYDAY = ["milk", "bread", "bananas", "water", "toilet paper"]


def baskets(number: int = 20_000, seed: int = 1) -> Iterator[list[str]]:
    """Yield the items of one customer after the other."""
    draw = random.Random(seed)
    for _ in range(number):
        items = draw.sample(EVERYDAY, draw.randint(1, 3))
        for meal in draw.sample(sorted(MEALS), draw.choice([1, 1, 2])):
            items += draw.sample(MEALS[meal], draw.randint(2, 4))
        draw.shuffle(items)
        yield items


def main() -> None:
    """Train on the baskets, and print what goes with some items."""
    # A basket has no order, so the window is the whole line: every pair of items counts.
    space = train(baskets(), Settings(dim=10, window="line"), min_count=10, threads=1)
    logic = andornot.Logic(space)
    for query in ("spaghetti", '"coconut milk"', "coffee & flour", "garlic & lime"):
        print(f"{query}: {', '.join(logic.ask(query, k=3).words)}")


if __name__ == "__main__":
    main()
