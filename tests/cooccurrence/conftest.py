"""A cluster of Spark, once for all tests, and a session on it, once for a module."""

import shutil

import pytest


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """One master and two workers of one core each."""
    pytest.importorskip("pyspark", reason="needs the extra spark")
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    from clusters import running_cluster

    with running_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(scope="module")
def spark(cluster):
    """A session on the cluster.

    It holds both cores until it ends: a command of another module would wait for them forever.
    """
    from andornot.cooccurrence.spark.sessions import spark_session

    with spark_session(cluster.master, cluster.conf()) as session:
        yield session
