"""`andornot` without arguments: one screen of live examples."""

from __future__ import annotations

from andornot.algebra import Logic
from andornot.formats.default_model import default

EXAMPLES = {  # query: its meaning, and a word that must be among the answers
    "royal & woman": ("AND: both at once", "queen"),
    "violin | piano": ("OR: either of them", "cello"),
    "apple & !fruit": ("NOT: the first without the second", "macintosh"),
}
EXPLAINED, IN_IT = "river & bank", "estuary"  # the next query to try, and one of its answers
_SHOWN = 5


def show_tour() -> None:
    """Print an AND, an OR and a NOT query with answers, and the commands to try next."""
    logic = Logic(default())
    print("andornot: AND, OR and NOT for word embeddings\n")
    for query, (meaning, _) in EXAMPLES.items():
        words = logic.ask(query, k=_SHOWN).words
        print(f"{meaning}\n  $ andornot ask {_quoted(query)}\n    {', '.join(words)}\n")
    print(
        "Try next\n"
        "  andornot ask                      prompt with word completion\n"
        f"  andornot ask {_quoted(EXPLAINED)} --explain\n"
        "  andornot ask --help               all options of ask\n"
        "  andornot serve                    web page and API\n"
        "  andornot info                     facts about the model\n"
        "  andornot train TEXT -o SPACE      train vectors on your text\n"
        "  andornot --help                   all commands"
    )


def _quoted(query: str) -> str:
    """Quote a query for a shell. Within double quotes, ! would recall the shell's history.

    >>> _quoted("!day")
    "'!day'"
    """
    return f"'{query}'"
