"""A session of Spark for counting: checked before it is opened, with errors of one line."""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from andornot.base.errors import AndornotError, FileError, UsageError, first_line
from andornot.base.progress import stage
from andornot.base.remedies import option

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_STANDALONE = "spark://"
_STANDALONE_PORT = 7077
_SECONDS_TO_CONNECT = 5.0
_SECONDS_BETWEEN_REPORTS = 0.2
_ENVIRONMENT = "environment"  # the folder that a packed environment is unpacked to

_FOR_SESSION = {
    "spark.app.name": "andornot count",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",  # errors are reported by the command, in one line
    "spark.executorEnv.NUMBA_NUM_THREADS": "1",
}
_FOR_CLUSTERS = {
    # Relative to the working folder of an executor: no other user can write there.
    "spark.executorEnv.NUMBA_CACHE_DIR": "numba-cache",
}
_FOR_QUERIES = {
    # A batch holds whole lines: without a limit on its bytes, long lines would exhaust the memory.
    "spark.sql.execution.arrow.maxBytesPerBatch": str(8 << 20),
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.files.maxRecordsPerFile": "0",  # one file for each range of rows
}


@contextmanager
def spark_session(
    master: str | None = None,
    conf: Mapping[str, str] | None = None,
    py_archive: str | os.PathLike[str] | None = None,
) -> Iterator[SparkSession]:
    """Open a session of Spark for the block, and stop it at the end.

    Args:
        master: The address of the cluster, such as spark://HOST:7077, yarn, k8s://... or local[2].
            Default: that of spark-submit or of Spark's own configuration.
        conf: Properties of Spark, by name.
        py_archive: Ship andornot to the workers: a .zip or .whl of the package, or a .tar.gz of a
            whole environment, such as venv-pack makes.

    Raises:
        AndornotError: If pyspark or Java is not installed, or the cluster can't be reached.
    """
    spark_sql = import_spark_sql()
    _check_java()
    if master is not None:
        _check_master(master)
    properties = {**_FOR_SESSION, **_shipping(py_archive)}
    if master is not None and not master.startswith("local"):
        properties |= _FOR_CLUSTERS
    properties |= conf or {}
    builder = spark_sql.SparkSession.builder
    for name, value in properties.items():
        builder = builder.config(name, value)
    if master is not None:
        builder = builder.master(master)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of pandas, which is not used
            session = builder.getOrCreate()
    except Exception as error:  # of Spark, of its gateway to Java, or of Python
        raise AndornotError(
            f"Spark can't be started at {master or 'its configured master'} ({_cause(error)}); "
            f"check {option('master')} and Spark's configuration"
        ) from error
    try:
        yield session
    finally:
        session.stop()


def import_spark_sql() -> Any:
    """Return the module pyspark.sql.

    Raises:
        AndornotError: If pyspark or pyarrow is not installed.
    """
    try:
        import pyarrow  # noqa: F401 - tasks exchange Arrow batches
        from pyspark import sql
    except ImportError as error:
        raise AndornotError(
            "counting on Spark needs the packages pyspark and pyarrow; "
            "pip install 'andornot[spark]'"
        ) from error
    return sql


def _check_java() -> None:
    """Raise an error if there is no Java, for which pyspark prints several lines."""
    home = os.environ.get("JAVA_HOME")
    if (home and shutil.which("java", path=str(Path(home, "bin")))) or shutil.which("java"):
        return
    raise AndornotError(
        "Spark needs Java, and none was found; install Java 17 or later, or set JAVA_HOME"
    )


def _check_master(master: str) -> None:
    """Raise an error if no standalone master answers: Spark itself would try for a minute."""
    if master.startswith("sc://"):
        raise UsageError(
            f"{option('master')} must be a cluster that runs the tasks itself, such as "
            f"spark://HOST:7077 or yarn, got the Spark Connect address {master!r}"
        )
    if not master.startswith(_STANDALONE):
        return
    problems = []
    for place in master.removeprefix(_STANDALONE).split(","):
        host, _, port = place.rpartition(":") if ":" in place else (place, "", _STANDALONE_PORT)
        try:
            with socket.create_connection((host, int(port)), _SECONDS_TO_CONNECT):
                return
        except (OSError, ValueError) as error:
            problems.append(f"{place}: {first_line(error)}")
    raise AndornotError(
        f"no Spark master answers at {master} ({'; '.join(problems)}); start it, or correct "
        f"{option('master')}"
    )


def _shipping(archive: str | os.PathLike[str] | None) -> dict[str, str]:
    """Return the properties that ship a package or an environment to the workers."""
    if archive is None:
        return {}
    path = Path(archive).absolute()
    if not path.is_file():
        raise FileError(archive, "no such file", f"check {option('py_archive')}")
    if path.suffix in (".zip", ".whl"):
        return {"spark.submit.pyFiles": str(path)}
    if path.name.endswith((".tar.gz", ".tgz")):
        return {
            "spark.archives": f"{path}#{_ENVIRONMENT}",
            "spark.pyspark.python": f"./{_ENVIRONMENT}/bin/python",
            "spark.pyspark.driver.python": os.environ.get("PYSPARK_DRIVER_PYTHON", "python3"),
        }
    raise FileError(
        archive,
        "it is neither a package nor an environment",
        "give a .zip or .whl of andornot, or a .tar.gz of an environment",
    )


@contextmanager
def configured(session: SparkSession, **more: str) -> Iterator[None]:
    """Set the properties of the queries of this block, and restore them at its end."""
    properties = {**_FOR_QUERIES, **more}
    before = {name: session.conf.get(name, None) for name in properties}
    for name, value in properties.items():
        session.conf.set(name, value)
    try:
        yield
    finally:
        for name, earlier in before.items():
            if earlier is None:
                session.conf.unset(name)
            else:
                session.conf.set(name, earlier)


@contextmanager
def watched(session: SparkSession, label: str) -> Iterator[None]:
    """Report the progress of the jobs of this block, from the tasks that Spark has completed."""
    context: Any = session.sparkContext
    group = f"andornot {label} {id(object())}"
    tracker = context.statusTracker()
    is_done = threading.Event()

    def report_tasks() -> None:
        while not is_done.wait(_SECONDS_BETWEEN_REPORTS):
            stages: dict[int, Any] = {}
            for job in tracker.getJobIdsForGroup(group):
                info = tracker.getJobInfo(job)
                for number in info.stageIds if info else ():
                    found = tracker.getStageInfo(number)
                    if found is not None:
                        stages[number] = found
            total = sum(each.numTasks for each in stages.values())
            done = sum(each.numCompletedTasks for each in stages.values())
            if total:
                report(done / total, f"{done:,} of {total:,} tasks")

    with stage(label) as report:
        context.setJobGroup(group, label, interruptOnCancel=True)
        thread = threading.Thread(target=report_tasks, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_done.set()
            thread.join()
            context.setLocalProperty("spark.jobGroup.id", None)


_OURS = re.compile(r"andornot\.base\.errors\.\w+: (.+)")
_CAUSE = re.compile(r"^(?:Caused by: |: )?((?:\w+\.)+\w*(?:Exception|Error)\w*: .+)$", re.MULTILINE)
_PYTHON = re.compile(r"^(\w+(?:Error|Exception): .+)$", re.MULTILINE)


@contextmanager
def one_line_errors(name: str) -> Iterator[None]:
    """Turn the errors of Spark in this block into one line; `name` is what was read."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of pandas, which is not used
            yield
    except (PySparkException, Py4JError) as error:
        text = str(error)
        if "PATH_NOT_FOUND" in text:
            raise FileError(name, "no such file or folder", "check the path") from error
        raise AndornotError(_explained(text) or f"{name}: Spark failed: {_cause(error)}") from error


def _explained(text: str) -> str | None:
    """Return our own error of a task, or the remedy for what is wrong with the workers."""
    if found := _OURS.findall(text):
        return str(found[-1])
    if "No module named 'andornot" in text or "from 'andornot" in text:
        return (
            "andornot is not installed on the workers, or in another version; install the version "
            f"of this machine there, or ship it by {option('py_archive')}"
        )
    if "PYTHON_VERSION_MISMATCH" in text:
        return (
            "the workers have another version of Python than this machine; set "
            "spark.pyspark.python to the same version"
        )
    return None


def _cause(error: Exception) -> str:
    """Return the innermost cause that the text of an error names, in one line."""
    text = str(error)
    found = _PYTHON.findall(text) or _CAUSE.findall(text)
    return first_line(AndornotError(found[-1])) if found else first_line(error)
