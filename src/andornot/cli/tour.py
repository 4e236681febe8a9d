"""`andornot` alone: what it does, on one screen, computed as it is shown."""

from __future__ import annotations

from andornot.algebra import Logic
from andornot.formats.default_model import default

EXAMPLES = {  # a query, what it says, and a word that must be among the answers
    "royal & woman": ("AND: what is both", "queen"),
    "violin | piano": ("OR: what is either", "cello"),
    "apple & !fruit": ("NOT: turned away from a word", "macintosh"),
}
EXPLAINED, IN_IT = "river & bank", "estuary"  # where to go next, and a word of its answer
_SHOWN = 5


def show_tour() -> None:
    """Print one AND, one OR, one NOT, and where to go next."""
    logic = Logic(default())
    print("andornot: AND, OR and NOT for word embeddings\n")
    for query, (meaning, _) in EXAMPLES.items():
        words = logic.ask(query, k=_SHOWN).words
        print(f"{meaning}\n  $ andornot ask {_quoted(query)}\n    {', '.join(words)}\n")
    print(
        "Go on with\n"
        "  andornot ask                      a prompt, with completion of words\n"
        f"  andornot ask {_quoted(EXPLAINED)} --explain\n"
        "  andornot ask --help               all ways to ask\n"
        "  andornot serve                    a page in the browser, and an API\n"
        "  andornot info                     the model that answered\n"
        "  andornot train TEXT -o SPACE      vectors of your own\n"
        "  andornot --help                   all commands"
    )


def _quoted(query: str) -> str:
    """A query as a shell takes it: ! means something between double quotation marks.

    >>> _quoted("!day")
    "'!day'"
    """
    return f"'{query}'"
