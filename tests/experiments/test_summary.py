"""The page of all results."""

import json

import pytest

from andornot.base.errors import AndornotWarning
from andornot.experiments import Finding, Result
from andornot.experiments.report import Claim, Verdict
from andornot.experiments.summary import write_summary


def test_the_page_of_all_results(tmp_path):
    findings = (Finding("MRR", 0.25, 0.5), Finding("size", 3))
    result = Result("not", "NOT", "a text", "It agrees.", (), {}, findings, command="do it")
    result.write(tmp_path / "not")
    (tmp_path / "query.md").write_text("# Queries\n\nfast\n")
    write_summary(tmp_path)
    page = (tmp_path / "README.md").read_text()
    assert "## NOT\n\n`do it`, on a text.\n\nIt agrees." in page
    assert "See [all tables](not/table.md)." in page
    assert "| MRR | 0.500 | 0.250 |" in page
    assert "| size |  | 3 |" in page
    assert "- [Queries](query.md)" in page
    write_summary(tmp_path)
    assert (tmp_path / "README.md").read_text() == page  # it doesn't list itself


def test_a_damaged_result_does_not_stop_the_others(tmp_path):
    Result("not", "NOT", "a text", "It is.", (), {}).write(tmp_path / "not")
    (tmp_path / "sts").mkdir()
    (tmp_path / "sts" / "result.json").write_text('{"title": "old"}')
    with pytest.warns(AndornotWarning, match=r"sts/result\.json.* not an andornot result"):
        write_summary(tmp_path)
    assert "## NOT" in (tmp_path / "README.md").read_text()


def test_the_page_opens_with_the_claims_of_the_paper(tmp_path):
    claims = (
        Claim("freq | orig", Verdict.IN_PART, "1.1 [1.0, 1.2]", "the text is small"),
        Claim("unexplained", Verdict.NOT, "0.1"),
        Claim("as it says", Verdict.REPRODUCED, "2.0"),
    )
    Result("not", "NOT", "a text", "It is.", (), {}, claims=claims).write(tmp_path / "not")
    write_summary(tmp_path)
    page = (tmp_path / "README.md").read_text()
    row = "| freq \\| orig | in part | 1.1 [1.0, 1.2] | the text is small | [not](not/table.md) |"
    assert "| unexplained | not reproduced | 0.1 | Not known. | [not](not/table.md) |" in page
    assert "| as it says | reproduced | 2.0 |  | [not](not/table.md) |" in page
    assert page.index("## The claims of the paper") < page.index(row) < page.index("## NOT")


def test_claims_of_long_experiments_are_judged_anew(tmp_path):
    """A new wording of their claims needs no new run."""
    leads = {"SGNS": {"STS12": {key: [0.1, 0.05, 0.15] for key in ("orig", "unif", "ABTT")}}}
    numbers = {"freq - others": leads, "freq - orig by dataset": {}}
    stored = (Claim("an old wording", Verdict.NOT, "0.1"),)
    Result("sts", "STS", "a text", "It is.", (), numbers, claims=stored).write(tmp_path / "sts")
    write_summary(tmp_path)
    page = (tmp_path / "README.md").read_text()
    assert "an old wording" not in page
    assert "| reproduced | It is the best in 1 of 1 years. |" in page


DAMAGED = {
    "too deep": "[" * 100_000,
    "a list": "[]",
    "not UTF-8": b"\xff",
    "claims of numbers": {"claims": [1]},
    "a claim of lists": {"claims": [{"what": [], "verdict": [], "figure": {}}]},
    "rows of a number": {"summary": {"title": "", "header": ["a"], "rows": 5}},
    "a cell of lists": {"summary": {"title": "", "header": ["a"], "rows": [[[]]]}},
    "huge numbers": {"summary": {"title": "", "header": ["a"], "rows": [[1.5]], "digits": 10**20}},
    "digits of a text": {"summary": {"title": "", "header": ["a"], "rows": [[1.5]], "digits": "x"}},
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_what_is_no_result_is_left_out(tmp_path, damage):
    result = Result("not", "NOT", "a text", "It is.", (), {}, command="do it")
    result.write(tmp_path / "not")
    path = tmp_path / "not" / "result.json"
    content = DAMAGED[damage]
    if isinstance(content, dict):
        content = json.dumps(json.loads(path.read_text()) | content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.warns(AndornotWarning, match=r"not/result\.json.* not an andornot result"):
        write_summary(tmp_path)
    assert "## NOT" not in (tmp_path / "README.md").read_text()
