"""Fetch datasets: download, verify and unpack them; write them only when complete."""

from __future__ import annotations

import os
from pathlib import Path

from andornot.base.errors import AndornotError, FileError
from andornot.base.folders import writing_cache
from andornot.base.progress import Report, stage
from andornot.base.replacing import flush_all, flush_folder
from andornot.base.temporaries import remove_stale, temporary_folder
from andornot.datasets.dataset import Dataset, Download, content_digest
from andornot.datasets.locating import dataset_named, fetched_folder, find, not_here
from andornot.datasets.unpacking import MOST_BYTES, unpack

TIMEOUT = 30.0  # seconds in which a server must respond
_CHUNK = 1 << 16


def fetch(name: str) -> Path:
    """Return the path of a dataset, after downloading it to the user's cache if it is missing.

    For example `fetch("simlex-999")`. After an error, no incomplete file is left.
    """
    dataset = dataset_named(name)
    here, home = find(name), fetched_folder()
    if here is not None:
        if home.is_dir():  # a process may have been killed just before it removed its folder
            remove_stale(home, name)
        return here
    if dataset.download is None:
        raise not_here(name)
    target = home / dataset.file
    with writing_cache(home, "datasets"):
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary_folder(home / name) as work:
            whole = _fetch_to(dataset, dataset.download, target, work)
            if not dataset.is_at(target):  # another process may have been quicker
                flush_all(whole)
                os.replace(whole, target)
                for folder in target.parents:  # those that were made just now too
                    flush_folder(folder)
                    if folder == home:
                        break
    return target


def _fetch_to(dataset: Dataset, download: Download, target: Path, work: Path) -> Path:
    """Download and unpack a dataset in the folder `work`, and return its path there."""
    what = f"its {download.inside}" if download.inside else "it"
    by_hand = f"download it by hand (from {dataset.home}) and put {what} at {target}"
    with stage(f"fetching {dataset.name}") as report:
        path = _download(download, work, by_hand, report)
    if download.inside:
        archive, path = path, work / "unpacked"
        try:
            unpack(archive, download.inside, path)
        except FileError as error:
            if error.path != archive:
                raise
            raise AndornotError(f"{download.url}: {error.problem}; {by_hand}") from error
    if not dataset.is_at(path):
        raise AndornotError(
            f"{download.url}: the archive doesn't contain {download.inside}; {by_hand}"
        )
    if download.content is not None and content_digest(path, download.covered) != download.content:
        raise AndornotError(
            f"{download.url}: the files have a wrong checksum and were discarded; {by_hand}"
        )
    return path


def _download(download: Download, work: Path, by_hand: str, report: Report) -> Path:
    """Download a file, verify it, and return its path."""
    import pooch
    from requests.exceptions import HTTPError, RequestException

    pooch.get_logger().setLevel("WARNING")
    downloader = pooch.HTTPDownloader(
        progressbar=_Bar(report),
        chunk_size=_CHUNK,
        timeout=TIMEOUT,
        headers={"Accept-Encoding": "identity"},
    )
    try:
        path = Path(
            pooch.retrieve(download.url, download.checksum, "download", work, downloader=downloader)
        )
    except HTTPError as error:
        problem = f"the server answered {str(error).partition(' for url')[0]}"
    except RequestException:
        problem = "no connection, or the connection broke"
    except ValueError:
        problem = "the file has a wrong checksum and was discarded"
    else:
        size = path.stat().st_size
        if download.size in (None, size):
            return path
        problem = f"{size:,} bytes where {download.size:,} are expected, so it was discarded"
    raise AndornotError(f"{download.url}: {problem}; try again, or {by_hand}")


class _Bar:
    """Progress bar of pooch that passes the completed fraction on to a report."""

    def __init__(self, report: Report) -> None:
        self.total = 0  # set by pooch to the size that the server announces
        self._done = 0
        self._report = report

    def update(self, count: int) -> None:
        """Add bytes; raise AndornotError if the download exceeds the limit."""
        self._done += count
        if self._done > MOST_BYTES:
            raise AndornotError(
                f"the download exceeds {MOST_BYTES:,} bytes and was stopped; try again later"
            )
        if self.total:
            self._report(min(self._done / self.total, 1.0))

    def reset(self) -> None:
        """Start again from zero."""
        self._done = 0

    def close(self) -> None:
        """Do nothing; pooch requires this method."""
