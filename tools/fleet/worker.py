"""A thread that works from `with` to its end."""

import threading

from lab.peers.processes import ProcessError

END_S = 60    # more than any answer that a worker waits for


class Worker(threading.Thread):
    """A class that inherits it defines `work`, which returns soon after `stopped` is set. A failure of `work` is printed at once; the end of `with`
    raises it as ProcessError, unless another exception is on its way."""

    def __init__(self):
        super().__init__(name=type(self).__name__, daemon=True)
        self.stopped, self.failed = threading.Event(), None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, *_):
        self.stopped.set()
        self.join(END_S)
        if kind is None and self.is_alive():
            raise ProcessError(f"{self.name} did not end within {END_S} s")
        if kind is None and self.failed is not None:
            raise ProcessError(f"{self.name} failed: {self.failed!r}") from self.failed

    def run(self):
        try:
            self.work()
        except Exception as problem:
            self.failed = problem
            raise
