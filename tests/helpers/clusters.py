"""A cluster of Spark on this machine: one master, and workers of one core each, on loopback."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import andornot

_SECONDS_TO_START = 90
_PR_SET_PDEATHSIG = 1
_SMALL_JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true"
_OPEN = build_opener(ProxyHandler({})).open  # no proxy to this machine


@dataclass
class Cluster:
    """A running cluster: its address, its folder, and its processes."""

    master: str
    page: str
    folder: Path
    environment: dict[str, str]
    processes: list[subprocess.Popen] = field(default_factory=list)
    workers: list[subprocess.Popen] = field(default_factory=list)

    def conf(self) -> dict[str, str]:
        """The properties of a small session on this cluster."""
        return {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "512m",
            "spark.executor.memory": "512m",
            "spark.driver.extraJavaOptions": _SMALL_JVM,
            "spark.executor.extraJavaOptions": _SMALL_JVM,
            "spark.executorEnv.NUMBA_CACHE_DIR": str(self.folder / "numba"),
            "spark.sql.shuffle.partitions": "2",
            "spark.ui.enabled": "false",
            "spark.pyspark.python": sys.executable,
        }

    def add_worker(self) -> subprocess.Popen:
        """Start a worker of one core."""
        number = len(self.workers)
        options = ["--cores", "1", "--memory", "1g", "--host", "127.0.0.1", "--webui-port", "0"]
        work = self.folder / f"worker-{number}"
        worker = self._start(
            "worker.Worker", self.master, *options, "--work-dir", str(work), log=f"worker-{number}"
        )
        self.workers.append(worker)
        return worker

    def state(self) -> dict:
        """What the master says of its workers and applications."""
        with _OPEN(f"{self.page}/json/", timeout=5) as answer:
            return json.load(answer)

    def wait_for(self, workers: int) -> None:
        """Wait until so many workers have registered."""
        deadline = time.monotonic() + _SECONDS_TO_START
        alive = -1
        while time.monotonic() < deadline:
            try:
                alive = self.state()["aliveworkers"]
            except OSError:
                alive = -1
            if alive == workers:
                return
            time.sleep(0.2)
        logs = "\n".join(path.read_text()[-2000:] for path in self.folder.glob("*.log"))
        raise RuntimeError(f"{alive} workers instead of {workers} after a while:\n{logs}")

    def _start(self, kind: str, *arguments: str, log: str) -> subprocess.Popen:
        import pyspark

        home = Path(pyspark.__file__).parent
        command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind}", *arguments]
        with (self.folder / f"{log}.log").open("wb") as file:
            process = subprocess.Popen(
                command,
                env=self.environment,
                stdout=file,
                stderr=file,
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # a worker and its executors can be killed as one
                preexec_fn=_die_with_parent,
            )
        self.processes.append(process)
        return process


@contextmanager
def running_cluster(folder: Path, workers: int = 2):
    """A cluster for the block; its processes are killed at the end."""
    import pyspark

    port, page = _free_ports(2)
    environment = {
        **os.environ,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_DAEMON_MEMORY": "192m",
        "SPARK_DAEMON_JAVA_OPTS": _SMALL_JVM,
        "PYTHONPATH": str(Path(andornot.__file__).parents[1]),
    }
    cluster = Cluster(f"spark://127.0.0.1:{port}", f"http://127.0.0.1:{page}", folder, environment)
    try:
        options = ["--host", "127.0.0.1", "--port", str(port), "--webui-port", str(page)]
        cluster._start("master.Master", *options, log="master")
        for _ in range(workers):
            cluster.add_worker()
        cluster.wait_for(workers)
        yield cluster
    finally:
        for process in cluster.processes:
            kill(process)


def _die_with_parent() -> None:
    """Ask Linux to kill this process when its parent ends, however that ends."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def kill(process: subprocess.Popen) -> None:
    """Kill a process of the cluster with its children, at once."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()
