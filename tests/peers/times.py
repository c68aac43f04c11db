"""Times the search for what meets in a step of a sheet folded in four: ours, ipctk's and parry's, on the same states in turn.

times.py FOLDED PARRY FILE: FOLDED is the built example `folded` of the crate collision, PARRY the program of tests/peers/parry; a row
on each work of each program and side of the sheet comes to FILE. Everything runs on one thread. Before anything is timed, pairs are
compared: those of faces by exact boxes must be parry's, and none of ours may be missing from ipctk's.
"""

import csv
import os
import platform
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

import ipctk
import numpy as np

SIDES = [50, 100, 200, 320]
ROUNDS = 3
# at least, of each program on each side in a round
SECONDS = 1.0
# above this side, ipctk's pairs are counted alone: they come to Python one by one
COMPARED = 100


def read(path):
    """How much larger boxes are, positions at the start and at the end, and the corners of the faces."""
    data = path.read_bytes()
    particles, faces, beyond = struct.unpack_from("<QQd", data)
    x = np.frombuffer(data, "<f8", 6 * particles, 24).reshape(2, particles, 3)
    corners = np.frombuffer(data, "<u4", 3 * faces, 24 + 48 * particles).reshape(faces, 3)
    return beyond, np.asfortranarray(x[0]), np.asfortranarray(x[1]), corners.astype(np.int32)


def lists(path, widths):
    """Lists of numbers, each behind its length."""
    data, at, found = path.read_bytes(), 0, []
    for width in widths:
        (count,) = struct.unpack_from("<Q", data, at)
        found.append(np.frombuffer(data, "<u4", width * count, at + 8).reshape(count, width))
        at += 8 + 4 * width * count
    return found


class Ipctk:
    """The IPC Toolkit on a step."""

    PHASES = {"LBVH": ipctk.LBVH, "HashGrid": ipctk.HashGrid, "SpatialHash": ipctk.SpatialHash, "SweepAndPrune": ipctk.SweepAndPrune}
    TESTS = {"AdditiveCCD": ipctk.AdditiveCCD, "TightInclusionCCD": ipctk.TightInclusionCCD}

    def __init__(self, path):
        self.beyond, self.start, self.end, faces = read(path)
        self.mesh = ipctk.CollisionMesh(self.start, ipctk.edges(faces), faces)

    def search(self, phase):
        candidates = ipctk.Candidates()
        begin = time.perf_counter()
        candidates.build(self.mesh, self.start, self.end, self.beyond, self.PHASES[phase]())
        return time.perf_counter() - begin, candidates

    def decide(self, candidates, test):
        """All candidates, and the share of the step up to which none is called near: nothing touches, but with its usual parameters
        ipctk calls some near, and puts the rest to the test until then alone."""
        begin = time.perf_counter()
        step = candidates.compute_collision_free_stepsize(self.mesh, self.start, self.end, 0.0, self.TESTS[test]())
        return time.perf_counter() - begin, f"free to {step:.3f}"

    def numbers(self, candidates):
        """A vertex and a face, and the ends of two edges, as in our lists."""
        edges = self.mesh.edges
        of_vertices = [(pair.vertex_id, pair.face_id) for pair in candidates.fv_candidates]
        of_edges = [(*edges[pair.edge0_id], *edges[pair.edge1_id]) for pair in candidates.ee_candidates]
        return np.array(of_vertices), np.array(of_edges)


def keys(pairs, edges):
    """One number for each pair, whatever the order of edges and of their ends."""
    pairs = np.asarray(pairs, dtype=np.uint64)
    if edges:
        ends = np.sort(pairs.reshape(-1, 2, 2), axis=2)
        pairs = np.sort(ends[:, :, 0] << np.uint64(32) | ends[:, :, 1], axis=1)
        return set(map(tuple, pairs.tolist()))
    return set(map(tuple, pairs.tolist()))


def compared(folder, folded, parry, side):
    """Refuses to time what does not find the same; how many pairs there are by exact boxes."""
    state, own, theirs = (folder / f"{name}-{side}" for name in ["state", "pairs", "parry"])
    subprocess.run([folded, "state", str(side), state], check=True)
    subprocess.run([folded, "pairs", str(side), own], check=True)
    subprocess.run([parry, state, "0", theirs], check=True, stdout=subprocess.DEVNULL)
    of_faces, of_vertices, of_edges = lists(own, [2, 2, 4])
    if not np.array_equal(of_faces, lists(theirs, [2])[0]):
        sys.exit(f"on side {side}, parry finds other pairs of faces")
    if side <= COMPARED:
        peer = Ipctk(state)
        for ours, found, edges in zip([of_vertices, of_edges], peer.numbers(peer.search("LBVH")[1]), [False, True]):
            lacked = keys(ours, edges) - keys(found, edges)
            if lacked:
                sys.exit(f"on side {side}, ipctk lacks {len(lacked)} pairs, such as {next(iter(lacked))}")
    print(f"{side}: {len(of_faces)} pairs of faces, {len(of_vertices)} of vertices and faces, {len(of_edges)} of edges by boxes")


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


class Times:
    """Seconds of each work, and what it found."""

    def __init__(self):
        self.of = {}

    def add(self, work, seconds, found):
        self.of.setdefault(work, ([], found))[0].append(seconds)


def ours(times, folded, side):
    lines = subprocess.run([folded, "time", str(side), str(SECONDS)], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        search, tests, candidates, met = line.split()
        times.add((side, "clothlab", "search"), float(search), candidates)
        times.add((side, "clothlab", "continuous tests"), float(tests), met)
        times.add((side, "clothlab", "both"), float(search) + float(tests), met)


def parrys(times, parry, state, side):
    command = [parry, state, str(SECONDS), os.devnull]
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        building, rest, pairs = line.split()
        times.add((side, "parry3d-f64", "building the tree"), float(building), "")
        times.add((side, "parry3d-f64", "boxes, refit, pairs of faces"), float(rest), pairs)


def ipctks(times, state, side, phase):
    peer, begin = Ipctk(state), time.perf_counter()
    while True:
        search, candidates = peer.search(phase)
        times.add((side, "ipctk", f"search, {phase}"), search, len(candidates))
        for test in Ipctk.TESTS:
            seconds, found = peer.decide(candidates, test)
            times.add((side, "ipctk", f"continuous tests, {test}"), seconds, found)
            times.add((side, "ipctk", f"both, {phase}, {test}"), search + seconds, found)
        if time.perf_counter() - begin > SECONDS:
            return


def main():
    folded, parry, file = sys.argv[1:]
    ipctk.set_num_threads(1)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for side in SIDES:
            compared(folder, folded, parry, side)
        times, peer = Times(), Ipctk(folder / "state-100")
        fastest = min(Ipctk.PHASES, key=lambda phase: min(peer.search(phase)[0] for _ in range(3)))
        for _ in range(ROUNDS):
            for side in SIDES:
                ours(times, folded, side)
                ipctks(times, folder / f"state-{side}", side, fastest)
                parrys(times, parry, folder / f"state-{side}", side)
    versions = {"clothlab": "", "ipctk": metadata.version("ipctk"), "parry3d-f64": "0.31.1"}
    with open(file, "w", newline="") as table:
        rows = csv.writer(table, lineterminator="\n")
        rows.writerow("side,faces,program,version,work,least_ms,median_ms,repetitions,found,processor,load_before".split(","))
        for (side, program, work), (seconds, found) in sorted(times.of.items(), key=lambda item: item[0][0]):
            figures = [f"{1e3 * min(seconds):.3f}", f"{1e3 * statistics.median(seconds):.3f}", len(seconds)]
            machine = [processor(), f"{load:.2f}"]
            rows.writerow([side, 2 * (side - 1) ** 2, program, versions[program], work, *figures, found, *machine])


main()
