"""Fetching sets: downloaded, verified, unpacked, and put in place only when they are whole."""

from __future__ import annotations

import os
from pathlib import Path

from andornot.base.errors import AndornotError, FileError
from andornot.base.files import flush_folder, writing
from andornot.base.progress import Report, stage
from andornot.base.temporaries import temporary_folder
from andornot.datasets.dataset import Dataset, Download, content_digest
from andornot.datasets.locating import dataset_named, fetched_folder, find, not_here
from andornot.datasets.unpacking import MOST_BYTES, unpack

TIMEOUT = 30.0  # seconds in which a server must say something
_CHUNK = 1 << 16


def fetch(name: str) -> Path:
    """The file or folder of a set, downloaded to the user's cache where it isn't here yet.

    For example `fetch("simlex-999")`. Whatever goes wrong, nothing is left half-written.
    """
    dataset = dataset_named(name)
    here = find(name)
    if here is not None:
        return here
    if dataset.download is None:
        raise not_here(name)
    home = fetched_folder()
    target = home / dataset.file
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary_folder(home / name) as work:
            whole = _fetched(dataset, dataset.download, target, work)
            if not dataset.stands_at(target):  # another process may have been quicker
                os.replace(whole, target)
                flush_folder(target.parent)
    return target


def _fetched(dataset: Dataset, download: Download, target: Path, work: Path) -> Path:
    """The set as it is to stand at its target, but in the folder `work`."""
    what = f"its {download.inside}" if download.inside else "it"
    by_hand = f"get it by other means (its home is {dataset.home}) and put {what} at {target}"
    with stage(f"fetching {dataset.name}") as report:
        path = _downloaded(download, work, by_hand, report)
    if download.inside:
        archive, path = path, work / "unpacked"
        try:
            unpack(archive, download.inside, path)
        except FileError as error:
            if error.path != archive:
                raise
            raise AndornotError(f"{download.url}: {error.problem}; {by_hand}") from error
    if not dataset.stands_at(path):
        raise AndornotError(f"{download.url}: it holds no {download.inside} as expected; {by_hand}")
    if download.content is not None and content_digest(path, download.covered) != download.content:
        raise AndornotError(
            f"{download.url}: its files aren't the known ones, so they were thrown away; {by_hand}"
        )
    return path


def _downloaded(download: Download, work: Path, by_hand: str, report: Report) -> Path:
    """The file of a download, verified."""
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
        problem = f"the server says {str(error).partition(' for url')[0]}"
    except RequestException:
        problem = "no connection, or one that broke"
    except ValueError:
        problem = "its checksum isn't the known one, so it was thrown away"
    else:
        size = path.stat().st_size
        if download.size in (None, size):
            return path
        problem = f"{size:,} bytes where {download.size:,} are expected, so it was thrown away"
    raise AndornotError(f"{download.url}: {problem}; try again, or {by_hand}")


class _Bar:
    """What pooch tells of a download, passed on as the part that is done."""

    def __init__(self, report: Report) -> None:
        self.total = 0  # set by pooch to what the server says, 0 where it doesn't
        self._done = 0
        self._report = report

    def update(self, count: int) -> None:
        """So many bytes more; the end, where they are more than any set has."""
        self._done += count
        if self._done > MOST_BYTES:
            raise AndornotError(f"a download of more than {MOST_BYTES:,} bytes; it was given up")
        if self.total:
            self._report(min(self._done / self.total, 1.0))

    def reset(self) -> None:
        """From the beginning."""
        self._done = 0

    def close(self) -> None:
        """The end."""
