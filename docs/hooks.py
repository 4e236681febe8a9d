"""Hooks of mkdocs: pages that live outside docs/ become part of the site.

In the repository, pages link to `../results/...` and to other files of the repository, so that the
links work on any host of git repositories. The site has no such folder above it. The Markdown and
the figures of results/ and the programs in examples/ are therefore added to it, and links to them
lose their `../`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
RENAMED = {"results/index.md": "results/indices.md"}  # results/README.md is the index of its folder
ADDED = ("results/**/*.md", "results/**/*.svg", "examples/*", "CHANGELOG.md", "SECURITY.md")


def on_files(files: Files, config: Any) -> Files:
    """Add the files from outside of docs/."""
    for pattern in ADDED:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            name = RENAMED.get(name, name)
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Point links above docs/ to the added files, and those of the added files into docs/."""
    if page.file.src_uri in ("CHANGELOG.md", "SECURITY.md"):
        return markdown.replace("](docs/", "](")
    if page.file.src_uri.startswith("results/"):
        return markdown.replace("](index.md)", "](indices.md)")
    for old, new in RENAMED.items():
        markdown = markdown.replace(f"../{old})", f"../{new})")
    return re.sub(r"\]\(((?:\.\./)+)(results|examples|CHANGELOG|SECURITY)", _inside(page), markdown)


def _inside(page: Any) -> str:
    above = "../" * page.file.src_uri.count("/")
    return rf"]({above}\g<2>"
