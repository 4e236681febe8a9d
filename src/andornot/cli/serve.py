"""`andornot serve`: start the service and the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from andornot.base.choices import DEEPEST
from andornot.base.errors import AndornotError, UsageError
from andornot.server.limits import Limits

if TYPE_CHECKING:
    from andornot.space import Space

_DEFAULT = "default"


def serve(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SPACE", help="Files of vectors, or NAME=FILE; the same as --space."
        ),
    ] = None,
    space: Annotated[
        list[str] | None,
        typer.Option(
            "--space",
            "-s",
            metavar="SPACE",
            help="Vector file, or NAME=FILE; repeat for several spaces. Default: the default "
            "model, also available as `default`.",
        ),
    ] = None,
    counts: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE",
            help="Word counts for spaces without any: a file, wordfreq, wordfreq:LANGUAGE or rank.",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0 chooses a free port.")
    ] = 8000,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Address to listen on; other than localhost needs a token."
        ),
    ] = "127.0.0.1",
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN",
            envvar="ANDORNOT_TOKEN",
            show_envvar=True,
            help="Bearer token that every API request must send.",
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    max_body: Annotated[
        int, typer.Option(min=1, metavar="BYTES", help="Maximum size of a request body.")
    ] = (Limits.body),
    max_depth: Annotated[
        int, typer.Option(min=1, max=DEEPEST, metavar="N", help="Nesting depth of a query.")
    ] = Limits.depth,
    max_words: Annotated[
        int, typer.Option(min=1, metavar="N", help="Words per query, without its categories.")
    ] = Limits.words,
    max_k: Annotated[int, typer.Option(min=1, metavar="N", help="Words per answer.")] = Limits.k,
    max_batch: Annotated[
        int, typer.Option(min=1, metavar="N", help="Queries, sentences or words per request.")
    ] = Limits.batch,
    max_waiting: Annotated[
        int, typer.Option(min=1, metavar="N", help="Requests waiting or in progress.")
    ] = Limits.waiting,
    time_limit: Annotated[
        float, typer.Option(min=0.001, metavar="SECONDS", help="Time limit per request.")
    ] = Limits.seconds,
) -> None:
    """Start the web page and the API on this machine, offline."""
    _check_installed()
    from andornot.server.app import create_app
    from andornot.server.process import address_of, listen, run
    from andornot.server.security import is_loopback

    limits = Limits(
        body=max_body,
        depth=max_depth,
        words=max_words,
        k=max_k,
        batch=max_batch,
        waiting=max_waiting,
        seconds=time_limit,
    )
    if token is not None and (not token.isascii() or not token.isprintable() or " " in token):
        raise UsageError(
            "the token must consist of printable ASCII characters without spaces; choose another"
        )
    if not is_loopback(host) and not token:
        raise UsageError(
            f"{host} is reachable from other machines; set a token (--token or ANDORNOT_TOKEN)"
        )
    with listen(host, port) as opened:
        app = create_app(
            open_spaces([*(files or []), *(space or [])] or [_DEFAULT], counts),
            limits=limits,
            token=token or None,
            only_loopback=is_loopback(host),
            freeze=True,
        )
        run(app, opened, address_of(opened, host), browser=browser, seconds=time_limit)


def open_spaces(named: Sequence[str], counts: str | None = None) -> dict[str, Space]:
    """Load spaces from FILE or NAME=FILE; without NAME, the file name without suffixes is used.

    Spaces without counts get `counts`.

    >>> list(open_spaces(["examples/royal.vec", "again=examples/royal.vec"]))
    ['royal', 'again']
    """
    from andornot.cli.opening import space_path
    from andornot.formats import load

    opened: dict[str, Space] = {}
    for text in named:
        before, sign, after = text.partition("=")
        is_named = bool(sign and before and after) and not Path(text).exists()
        where = after if is_named else text
        name = before if is_named else Path(where).name.partition(".")[0]
        if name in opened:
            raise UsageError(f"two spaces are named {name!r}; rename one with NAME=FILE")
        path = space_path(Path(where))
        read = load(path).in_memory()  # truncating a mapped file would crash the service
        has_none = read.vocabulary.counts is None and read.marginal is None
        opened[name] = read.with_counts(counts) if has_none and counts is not None else read
    return opened


def _check_installed() -> None:
    from importlib.util import find_spec

    missing = [name for name in ("fastapi", "uvicorn") if find_spec(name) is None]
    if missing:
        raise AndornotError(
            f"the service needs {', '.join(missing)}; pip install 'andornot[server]'"
        )
