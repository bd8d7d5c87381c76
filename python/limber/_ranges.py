"""Work on many rows by several threads; the library runs without the interpreter's lock."""

from __future__ import annotations

import operator
import os
import threading
from collections.abc import Callable, Iterator
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
    wanted = operator.index(threads)
    if wanted < 0:
        raise ValueError(f"threads: {wanted} is negative; 0 is all processors")
    return max(1, min(wanted or processors(), rows // SHORTEST))


def run(
    work: Work, rows: int, threads: int, longest: int = LONGEST, shortest: int = SHORTEST
) -> None:
    """Calls work(thread, begin, end) for ranges that together are all rows.

    Which thread does which range is left to chance; the results are the same bits for any. A range
    has at least `shortest` rows: few, where a row takes long.
    """
    if threads == 1:
        for begin in range(0, rows, longest):
            work(0, begin, min(begin + longest, rows))
        return
    parts = iter(ranges(rows, threads, longest, shortest))
    lock = threading.Lock()
    stop = threading.Event()

    def take(thread: int) -> None:
        while not stop.is_set():
            with lock:
                part = next(parts, None)
            if part is None:
                return
            work(thread, *part)

    # the caller is one of them
    with ThreadPoolExecutor(threads - 1) as pool:
        try:
            others = [pool.submit(take, thread) for thread in range(1, threads)]
            take(0)
            for other in others:
                other.result()
        finally:
            stop.set()


def ranges(rows: int, threads: int, longest: int, shortest: int) -> Iterator[tuple[int, int]]:
    """Ranges that together are all rows: long ones first, short ones at the end.

    Each costs the lanes that its last problems leave idle, so few are best; and all threads are to
    end together, so the last ones are short.
    """
    begin = 0
    while begin < rows:
        left = rows - begin
        end = begin + min(left, longest, max(shortest, left // (3 * threads)))
        yield begin, end
        begin = end
