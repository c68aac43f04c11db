"""The canonical job of BENCHMARKS.md as scene.json, and what a rival makes of it.

    canonical.py N FOLDER                   writes FOLDER/scene.json
    canonical.py N FOLDER NAME [OPTION...]  and runs `rivals/run NAME OPTION...` on it into FOLDER/NAME

A sheet of 1 m, N x N particles of 0.2 / N² kg, flat and at rest, falls from two adjacent corners; stretch and shear springs of
1000 N/m in extension only, bend springs of 0.01 N/m by the law of the thesis, in compression only, no damping; 100 steps of 0.01 s.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

GRAVITY = 9.81
# of bend springs, from s = 0.9 on a line [Boxerman 2003, eq. 3.9]
BEND_LAW = {"polynomial": [-9.713, 23.116, -39.083, 34.193, -11.541], "line_from": 0.9}


def sheet(nx, ny, spacing, mass, *, stretch=1000.0, shear=1000.0, bend=0.01, pushes=False, rigidity=0.0, height=0.0):
    """A flat grid in the plane z = `height` as sections of scene.json; particles of `mass` [kg].

    Its membrane stiffness is that of a strip along its threads whose sides are free. With springs that do not push, threads across
    it go slack, and those along it resist alone; with springs that push, it is C11 - C12² / C11, where C11 is stretch + shear and C12
    is shear."""
    index = np.arange(nx * ny).reshape(ny, nx)
    positions = [[(i % nx) * spacing, (i // nx) * spacing, height] for i in range(nx * ny)]
    a, b, c, d = (part.ravel() for part in (index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:]))
    families = [
        ("stretch", stretch, 1.0, [(index[:, :-1], index[:, 1:]), (index[:-1], index[1:])]),
        ("shear", shear, 2**0.5, [(a, d), (b, c)]),
        ("bend", bend, 2.0, [(index[:, :-2], index[:, 2:]), (index[:-2], index[2:])]),
        ("bend", bend, 8**0.5, [(index[:-2, :-2], index[2:, 2:]), (index[:-2, 2:], index[2:, :-2])]),
    ]
    springs = [
        {
            "i": int(i),
            "j": int(j),
            "rest": length * spacing,
            "stiffness": ks,
            "damping": 0.0,
            "kind": kind,
            "pushes": pushes or kind == "bend",
            "pulls": kind != "bend",
        }
        for kind, ks, length, pairs in families
        if ks > 0
        for first, second in pairs
        for i, j in zip(first.ravel(), second.ravel())
    ]
    along = stretch + shear - shear**2 / (stretch + shear) if pushes else stretch
    return {
        "grid": {"nx": nx, "ny": ny, "spacing": spacing},
        "positions": positions,
        "velocities": [[0.0, 0.0, 0.0]] * (nx * ny),
        "rest_positions": positions,
        "masses": [mass] * (nx * ny),
        "triangles": np.concatenate((np.stack((a, b, d), 1), np.stack((a, d, c), 1))).tolist(),
        "springs": springs,
        "bend_law": BEND_LAW,
        "continuum": None,
        "sheet": {"density": mass / spacing**2, "membrane": along, "bending_rigidity": rigidity},
    }


def scene(name, cloth, *, step, times, pins=(), solids=(), friction=None):
    """A whole scene.json with gravity along -z."""
    return {
        "protocol": 1,
        "name": name,
        "step": step,
        "duration": times[-1],
        "sample_times": times,
        "gravity": [0.0, 0.0, -GRAVITY],
        **cloth,
        "pins": list(pins),
        "solids": list(solids),
        "friction": friction,
        "air": None,
        "drag": None,
        "lacks": [],
    }


def canonical(n):
    cloth = sheet(n, n, 1 / (n - 1), 0.2 / n**2)
    return scene(f"canonical-{n}", cloth, step=0.01, times=[0.25, 0.5, 0.75, 1.0], pins=[0, n - 1])


def run(job, folder, rival):
    """Runs `rivals/run RIVAL...` on a scene that is written into `folder`: result.json and states.npy [m]; CalledProcessError where
    it fails, which it says itself."""
    out = folder / "-".join(word.strip("-") for word in rival)
    words = [Path(__file__).with_name("run"), *rival, write(job, folder), out]
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    return json.loads((out / "result.json").read_text()), np.load(out / "states.npy")


def write(job, folder):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "scene.json"
    path.write_text(json.dumps(job))
    return path


def strains(job, x):
    """Strain of every piece of thread between neighbours of the grid [-], of positions x [m]."""
    index = np.arange(len(x)).reshape(job["grid"]["ny"], job["grid"]["nx"])
    pairs = (index[:, :-1], index[:, 1:]), (index[:-1], index[1:])
    lengths = [np.linalg.norm(x[j] - x[i], axis=-1).ravel() for i, j in pairs]
    return np.concatenate(lengths) / job["grid"]["spacing"] - 1


def milliseconds(job, result):
    """CPU time of a step of the scene, in however many parts it was taken [ms]."""
    return 1e3 * result["step_cpu_seconds"] / job["duration"] * job["step"]


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 3:
        sys.exit(__doc__)
    n, folder, rival = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    job = canonical(n)
    if not rival:
        write(job, folder)
        return
    try:
        result, states = run(job, folder, rival)
    except subprocess.CalledProcessError as failure:
        sys.exit(failure.returncode)
    x = states[-1]
    strain = strains(job, x)
    print(
        f"{n}  {result['program']} {result['version']}, {result['method']}: "
        f"{milliseconds(job, result):.2f} ms for a step of {job['step']} s, "
        f"largest strain {strain.max():.4f}, mean {strain.mean():.5f}, lowest {x[:, 2].min():.4f} m, "
        f"setup {result['setup_cpu_seconds']:.1f} s"
    )


if __name__ == "__main__":
    main()
