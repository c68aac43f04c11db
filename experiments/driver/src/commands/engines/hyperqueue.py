#!/usr/bin/env python3
"""Submits @SHARDS@ shards to HyperQueue as a graph of tasks, with the merge behind all of them."""
import os
import sys

try:
    from hyperqueue import Client, Job
    from hyperqueue.ffi.protocol import ResourceRequest
except ImportError:
    sys.exit("the Python package hyperqueue is missing: `pip install hyperqueue` brings it")

here = @HERE_OF_PYTHON@


def task(program, log, **options):
    """A program that is tried again where the machine under it is lost."""
    log = f"{here}/logs/{log}.log"
    return job.program(program, stdout=log, stderr=log, crash_limit=5, **options)


job = Job(name="@STUDY@", max_fails=None)
shards = [
    task([f"{here}/shard", str(number)], number, resources=ResourceRequest(cpus=@JOBS@)) for number in range(1, @SHARDS@ + 1)
]
task([f"{here}/merge"], "merge", deps=shards)
try:
    client = Client(os.environ.get("HQ_SERVER_DIR"))
except BaseException as error:
    sys.exit(f"there is no HyperQueue server to submit to: {error}")
print(f"submitted job {client.submit(job).id}: @SHARDS@ shards and the merge behind them")
