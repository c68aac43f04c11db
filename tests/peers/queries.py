"""Judges the continuous tests by ipctk, by proofs that bodies stay apart, and by exact arithmetic.

queries.py EXAMPLE COUNT FILE: EXAMPLE is the built example `queries` of the crate collision; it is asked for COUNT queries of every
kind, test and scale, and one row on each comes to FILE.
"""
import csv
import subprocess
import sys

import apart
import exact
import ipctk
import numpy as np

KINDS = "generic grid coplanar parallel sliver still coinciding carried grazing meeting close thick".split()
SCALES = ("1", "1e-12", "1e6")
SEED = "1"
SLACK = 1e-9  # as in continuous.rs
BLOCK = 20000
# of a row: queries that are decided in whole numbers whatever others say, those whose times are proven not to be late, and those
# that Tight Inclusion is asked, of the one kind on which it always comes to an end within time and memory
EXACTLY, TIMES, TIGHT = 4000, 20000, 5000


def queries(example, kind, test, scale, count):
    written = subprocess.run([example, kind, test, scale, str(count), SEED], stdout=subprocess.PIPE, check=True).stdout
    numbers = np.frombuffer(written, "<f8").reshape(-1, 26)
    return numbers[:, :12].reshape(-1, 4, 3), numbers[:, 12:24].reshape(-1, 4, 3), numbers[:, 24], numbers[:, 25]


def asked(judge, edges, start, end, thickness):
    """Times of the impacts that ipctk finds; NaN where it finds none."""
    test = judge.edge_edge_ccd if edges else judge.point_triangle_ccd
    found = (test(*s, *e, min_distance=d) for s, e, d in zip(start, end, thickness))
    return np.array([time if hit else np.nan for hit, time in found])


def largest(numbers):
    return f"{max(numbers.max(initial=0.0), 0.0):.1e}"


def extent(start, end, thickness):
    """What SLACK is a share of: the largest distance from the centre, and way beside that of the centre."""
    start, end = start - start.mean(axis=0), end - end.mean(axis=0)
    lengths = [np.sqrt(apart.dot(np.moveaxis(x, 1, 0), np.moveaxis(x, 1, 0))).max(axis=0) for x in (start, end - start)]
    return np.maximum(np.maximum(*lengths), thickness)


def undecided(start, end, edges, which, until, bound, most=apart.MOST, block=BLOCK):
    """Those of `which` that are not proven to be farther apart than `bound` until a moment."""
    parts = [which[k : k + block] for k in range(0, len(which), block)]
    whether = [apart.undecided(start[:, :, part], end[:, :, part], edges, until[part], bound[part], most) for part in parts]
    return np.concatenate([part[open_] for part, open_ in zip(parts, whether)]) if parts else which


def judged(example, kind, test, scale, count):
    edges = test == "edge-edge"
    start, end, thickness, ours = queries(example, kind, test, scale, count)
    s, e = apart.split(start), apart.split(end)
    hit = ~np.isnan(ours)
    row = {"kind": kind, "test": test, "scale": scale, "queries": len(ours), "hits": hit.sum()}

    # the peer
    peer = asked(ipctk.AdditiveCCD(max_iterations=1000), edges, start, end, thickness)
    peer_hit = ~np.isnan(peer)
    lacked = peer_hit & ~hit
    row |= {"ipctk_hits": peer_hit.sum(), "ipctk_hits_lacked": lacked.sum(), "hits_ipctk_lacks": (hit & ~peer_hit).sum()}
    both = hit & peer_hit
    row |= {"lead_over_ipctk": largest(peer[both] - ours[both])}
    some = TIGHT if kind == "generic" else 0
    tight = ipctk.TightInclusionCCD(tolerance=1e-6 * float(scale), max_iterations=10000)
    tight_hit = ~np.isnan(asked(tight, edges, start[:some], end[:some], thickness[:some]))
    tight_lacked = np.flatnonzero(tight_hit & ~hit[:some])
    row |= {"tight_queries": len(tight_hit), "tight_hits": tight_hit.sum(), "tight_hits_lacked": len(tight_lacked)}

    # every answer that they do not meet is proven, or decided in whole numbers
    whole = np.ones(len(ours))
    open_ = undecided(s, e, edges, np.flatnonzero(~hit), whole, thickness)
    open_ = undecided(s, e, edges, open_, whole, thickness, 100 * apart.MOST, BLOCK // 100)
    decided = {i: exact.meeting(start[i], end[i], edges) for i in open_ if thickness[i] == 0}
    missed = {i for i, meeting in decided.items() if meeting}
    row |= {"ipctk_lacked_true": sum(lacked[i] for i in missed)}
    row |= {"proven_apart": (~hit).sum() - len(open_), "decided_exactly": len(decided), "undecided": len(open_) - len(decided)}

    # a sample is decided in whole numbers besides
    sample = range(min(EXACTLY, len(ours)) if kind != "thick" else 0)
    meetings = [exact.meeting(start[i], end[i], edges) for i in sample]
    missed |= {i for i in sample if meetings[i] and not hit[i]}
    row |= {"misses": len(missed), "exact_sample": len(meetings), "exact_meetings": sum(m is not None for m in meetings)}
    row["exact_ipctk_misses"] = sum(m is not None and not peer_hit[i] for i, m in zip(sample, meetings))
    row["exact_hits_without_meeting"] = sum(m is None and bool(hit[i]) for i, m in zip(sample, meetings))

    # no time is after the true moment
    late = sum(m is not None and bool(hit[i]) and ours[i] > m[1] for i, m in zip(sample, meetings))
    timed = np.flatnonzero(hit[:TIMES] & (ours[:TIMES] > 0))
    row |= {"exact_late": late, "times": len(timed), "times_not_proven": len(undecided(s, e, edges, timed, ours, thickness))}

    # how far apart what we call near is, and whether it comes near at all
    where = np.flatnonzero(hit)
    x = apart.at(s[:, :, where], e[:, :, where], ours[where])
    size = extent(s, e, thickness)
    beyond = apart.quotient(apart.distances(x, edges) - thickness[where], size[where])  # no size: all is in one place
    far = where[beyond > SLACK * (1 + 1e-6)]
    near = undecided(s, e, edges, far, whole, thickness + SLACK * size * (1 + 1e-6))
    return row | {"hits_beyond_slack": len(far), "false_alarms": len(far) - len(near), "farthest_over_extent": largest(beyond)}


def main():
    if len(sys.argv) != 4 or not sys.argv[2].isdecimal() or int(sys.argv[2]) == 0:
        sys.exit("usage: queries.py EXAMPLE COUNT FILE, COUNT above 0")
    example, count, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    ipctk.set_logger_level(ipctk.LoggerLevel.off)
    np.seterr(all="ignore")
    rows = []
    for kind in KINDS:
        for test in ("vertex-face", "edge-edge"):
            for scale in SCALES:
                rows.append(judged(example, kind, test, scale, count))
                print(*(f"{name} {value}" for name, value in rows[-1].items()), flush=True)
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    total = {name: sum(row[name] for row in rows) for name in ("queries", "misses", "undecided", "false_alarms")}
    print(*(f"{value} {name}" for name, value in total.items()), sep=", ")
    if total["misses"] or total["undecided"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
