"""A reporter for tests: what was reported, or a call in the middle of the work."""

from contextlib import contextmanager

from andornot.base.progress import reporting


class Seen:
    """Remember every stage and the parts that were reported of it."""

    def __init__(self, meanwhile=None):
        self.stages = {}
        self._meanwhile = meanwhile

    @contextmanager
    def __call__(self, label, total, unit, done):
        parts = self.stages.setdefault(label, [done] if done else [])

        def report(done, note=""):
            parts.append(done)
            if self._meanwhile:
                self._meanwhile(done)

        yield report


@contextmanager
def watching(meanwhile=None):
    """See the progress of the work in the block; `meanwhile` is called with each part done."""
    seen = Seen(meanwhile)
    with reporting(seen):
        yield seen
