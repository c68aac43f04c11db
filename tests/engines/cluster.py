"""A HyperQueue server with two workers, until it is stopped: cluster.py FOLDER."""
import signal
import sys
from pathlib import Path

from hyperqueue.cluster import LocalCluster, WorkerConfig

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
cluster = LocalCluster(str(folder))
for _ in range(2):
    cluster.start_worker(WorkerConfig(cores=1))
print("started", flush=True)
signal.pause()
