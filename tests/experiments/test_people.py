"""The experiment of all jobs: its bars, its page, and what it needs."""

import json
from types import SimpleNamespace

import pytest

from andornot.datasets import DATASETS
from andornot.experiments import Lab, Table, people
from andornot.experiments.intervals import Interval
from andornot.experiments.jobs.job import JobResult, above, at_least, at_most

FIRST = JobResult(
    "descriptions",
    "Descriptions",
    "3 items",
    (Table("Ranks", ("", "MAP"), (("naive", 0.5),)),),
    (at_least("in the first 10", 0.36, Interval(0.4, 0.3, 0.5)), at_most("median", 25, 30.0)),
    {"naive": Interval(0.4, 0.3, 0.5), "ours": Interval(0.5, 0.4, 0.6)},
    "Descriptions: MAP",
    {"anything": 3, "medians": {"seen": [float("inf"), 2.0]}},
)
SECOND = JobResult("lists", "Lists", "2 items", (), (above("gain", Interval(0.1, -0.1, 0.3)),))


def test_bars_come_first_and_what_is_missed_is_named(tmp_path):
    found = people.assemble([FIRST, SECOND], "a model")
    assert found.tables[0].rows == (
        ("Descriptions", "in the first 10", "at least 0.36", "0.4000 [0.3000, 0.5000]", "yes"),
        ("Descriptions", "median", "at most 25", "30", "no"),
        ("Lists", "gain", "interval above 0", "0.1000 [-0.1000, 0.3000]", "no"),
    )
    assert [table.title for table in found.tables[1:]] == ["Ranks"]
    reached, missed, *_ = found.agreement.splitlines()
    assert reached == "- 1 of 3 bars are reached."
    assert missed == "- Not reached: descriptions: median (30)."
    found.write(tmp_path)
    facts = json.loads((tmp_path / "result.json").read_text())
    assert facts["numbers"]["lists"]["bars"][0]["reached"] is False
    assert facts["numbers"]["descriptions"]["anything"] == 3
    assert facts["numbers"]["descriptions"]["medians"] == {"seen": [None, 2.0]}
    assert (tmp_path / "figure.svg").exists()


def test_jobs_run_in_order_on_the_default_model(monkeypatch):
    ran = []

    def job(result):
        def run(space, lab):
            ran.append((result.name, len(space)))
            return result

        return SimpleNamespace(run=run, datasets=lambda: ["codenames", "bats"])

    modules = {"first": job(FIRST), "second": job(SECOND)}
    monkeypatch.setattr(people, "JOBS", tuple(modules))
    monkeypatch.setattr(people, "_module", modules.get)
    assert people.datasets(Lab()) == ["codenames", "bats"]
    assert "a model" not in people.run(Lab()).corpus
    assert ran == [("descriptions", 66_000), ("lists", 66_000)]


@pytest.mark.parametrize("job", people.JOBS)
def test_every_job_names_sets_that_are_known(job):
    assert set(people._module(job).datasets()) <= set(DATASETS)
