"""Looks at many moments, on all processors. Each process works through stretches of them in order, since a disk only goes forward."""

import concurrent.futures
import os


def look_at_all(look, moments, more, say):
    """What `look(moments of a stretch, *more)` gave of each, in one list; `say` gets how many are done."""
    done, jobs = [], os.cpu_count() or 1
    pool = concurrent.futures.ProcessPoolExecutor(jobs)
    try:
        running = [pool.submit(look, part, *more) for part in parts(moments, jobs)]
        for ended in concurrent.futures.as_completed(running):
            done += ended.result()
            say(len(done))
    finally:
        pool.shutdown(cancel_futures=True)    # after a failure no further stretch begins
    return done


def parts(moments, jobs):
    """Neighbours together, few enough that all jobs end at about the same time and progress is seen."""
    size = min(25, max(1, len(moments) // (4 * jobs) + 1))
    return [moments[begin:begin + size] for begin in range(0, len(moments), size)]
