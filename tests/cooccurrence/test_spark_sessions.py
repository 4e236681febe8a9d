"""Sessions of Spark: each way in which one can't be opened is one line with its remedy."""

import socket
import sys

import pytest
from errors import raises

from andornot import AndornotError
from andornot.base.errors import FileError, UsageError
from andornot.cooccurrence.spark import sessions
from andornot.cooccurrence.spark.sessions import one_line_errors, spark_session


def test_without_pyspark_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with raises(AndornotError, "pyspark", "andornot[spark]"), spark_session("local[1]"):
        pass


def test_without_java_the_remedy_is_named(monkeypatch):
    pytest.importorskip("pyspark", reason="needs the extra spark")
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with raises(AndornotError, "Java", "JAVA_HOME"), spark_session("local[1]"):
        pass


def test_a_master_that_does_not_answer_is_named(monkeypatch):
    pytest.importorskip("pyspark", reason="needs the extra spark")
    monkeypatch.setattr(sessions, "_check_java", lambda: None)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        master = f"spark://127.0.0.1:{unused.getsockname()[1]}"
        with raises(AndornotError, master, "refused", "master"), spark_session(master):
            pass
    with raises(UsageError, "sc://host", "Spark Connect"), spark_session("sc://host"):
        pass


def test_archives_for_the_workers(tmp_path, monkeypatch):
    pytest.importorskip("pyspark", reason="needs the extra spark")
    monkeypatch.setattr(sessions, "_check_java", lambda: None)
    other = tmp_path / "andornot.rar"
    with raises(FileError, other, "no such file"), spark_session(py_archive=other):
        pass
    other.write_bytes(b"")
    with raises(FileError, other, ".whl"), spark_session(py_archive=other):
        pass
    environment = sessions._shipping(
        (tmp_path / "env.tar.gz").write_bytes(b"") or (tmp_path / "env.tar.gz")
    )
    assert environment["spark.archives"].endswith("env.tar.gz#environment")
    assert environment["spark.pyspark.python"] == "./environment/bin/python"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "x\nandornot.base.errors.FileError: a.txt: it holds zero bytes; name a text\nat y",
            ["a.txt: it holds"],
        ),
        ("ModuleNotFoundError: No module named 'andornot'", ["not installed", "py_archive"]),
        ("[PYTHON_VERSION_MISMATCH] 3.11 and 3.12", ["Python", "spark.pyspark.python"]),
        (
            "An error occurred while calling o1.\n: org.apache.spark.SparkException: Job ended\n"
            "Caused by: java.io.IOException: No space left on device\n\tat java",
            ["corpus.txt", "No space left on device"],
        ),
    ],
)
def test_errors_of_spark_become_one_line(text, named):
    errors = pytest.importorskip("pyspark.errors", reason="needs the extra spark")
    with raises(AndornotError, *named), one_line_errors("corpus.txt"):
        raise errors.PySparkException(text)
