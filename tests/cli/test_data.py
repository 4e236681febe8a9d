"""`andornot data`: the list of sets, fetching them, and where they are."""

import json
import re
import subprocess
import sys

from downloads import PAIRS, SHA256

from andornot.datasets import DATASETS


def run(*arguments, program=("-m", "andornot")):
    command = [sys.executable, *program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_list_fits_a_terminal(empty_cache):
    path = empty_cache / "word-similarity" / "EN-SIMLEX-999.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(PAIRS)
    done = run("data", "list")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if re.match(r"simlex-999 .* \d+ bytes  in the cache", line)]
    assert [line for line in lines if re.match(r"text8 .* 31\.3 MB  can be fetched", line)]
    assert f"  {DATASETS['ramisch-2016'].home}" in lines
    facts = {each["key"]: each for each in json.loads(run("data", "list", "--json").stdout)}
    assert list(facts) == list(DATASETS)
    assert facts["simlex-999"]["path"] == str(path)
    assert facts["simlex-999"]["size"] == len(PAIRS)
    assert facts["wordnet-3.0"]["path"] is None
    assert facts["wordnet-3.0"]["licence"] == "WordNet licence"


def test_fetch_and_path(empty_cache, file_server):
    program = (
        "import sys; from dataclasses import replace; from andornot.cli import main\n"
        "from andornot.datasets import DATASETS, Download\n"
        f"here = Download({file_server('/simlex.txt', PAIRS)!r}, checksum={SHA256!r})\n"
        f"gone = Download({file_server('/gone.txt')!r})\n"
        "DATASETS['simlex-999'] = replace(DATASETS['simlex-999'], download=here)\n"
        "DATASETS['mturk-771'] = replace(DATASETS['mturk-771'], download=gone)\n"
        "main()\n"
    )
    done = run("data", "path", "simlex-999")
    assert done.returncode == 1
    assert "`andornot data fetch simlex-999`" in done.stderr
    done = run("data", "fetch", "simlex-999", "mturk-771", program=("-c", program))
    path = empty_cache / "word-similarity" / "EN-SIMLEX-999.txt"
    assert done.returncode == 1
    assert done.stdout == f"{path}\n"
    assert re.fullmatch(r"error: http://.*/gone\.txt: the server says 404 .*\n", done.stderr)
    assert run("data", "path", "simlex-999").stdout == f"{path}\n"
    done = run("data", "fetch", "simlex-99")
    assert done.returncode == 2
    assert done.stderr == "error: unknown set 'simlex-99'; did you mean 'simlex-999'?\n"
