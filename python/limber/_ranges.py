"""Work on many rows by several threads; the library runs without the interpreter's lock."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

# rows of one call into the library: seconds at most, so that Ctrl-C is noticed
LONGEST = 1 << 16
# fewer rows than this are not worth a thread
SHORTEST = 256

Work = Callable[[int, int, int], None]


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(threads: int, rows: int) -> int:
    """How many threads work on so many rows; 0 threads: as many as there are processors."""
    if threads < 0:
        raise ValueError(f"threads: {threads} is negative; 0 is all processors")
    return max(1, min(threads or processors(), rows // SHORTEST))


def run(work: Work, rows: int, threads: int, longest: int = LONGEST) -> None:
    """Calls work(thread, begin, end) for ranges that together are all rows.

    Which thread does which range is left to chance; the results are the same bits for any.
    """
    if threads == 1:
        for begin in range(0, rows, longest):
            work(0, begin, min(begin + longest, rows))
        return
    # several ranges a thread, so that all end together
    size = min(longest, max(SHORTEST, -(-rows // (16 * threads))))
    begins = iter(range(0, rows, size))
    lock = threading.Lock()
    stop = threading.Event()

    def take(thread: int) -> None:
        while not stop.is_set():
            with lock:
                begin = next(begins, None)
            if begin is None:
                return
            work(thread, begin, min(begin + size, rows))

    with ThreadPoolExecutor(threads) as pool:
        try:
            for future in [pool.submit(take, thread) for thread in range(threads)]:
                future.result()
        finally:
            stop.set()
