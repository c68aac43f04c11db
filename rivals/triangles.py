"""A canonical job of triangles: scene.json for rivals, scenes of clothlab for ours, and a table of what all make of it.

    triangles.py N FOLDER                   clothlab, and all that are installed, one after the other
    triangles.py N FOLDER NAME [OPTION...]  a rival alone: `rivals/run NAME OPTION...`
    triangles.py N FOLDER clothlab [WAY]    clothlab alone, its systems solved in all ways or in one: default, blocks, ...

A sheet of 1 m and 0.2 kg, N x N particles, flat and at rest, falls from two adjacent corners; a continuum of 1000 N/m along both
threads, 500 N/m against shear, which is isotropic with Poisson's ratio 0, and 1e-5 N m against bending, without damping; cells are
halved along diagonals that alternate; 100 steps of 0.01 s. clothlab takes backward Euler, linearised once a step; CLOTHLAB is the
program, if not target/release/clothlab. Its time is that of the whole process; that of rivals is of their steps. One thread each.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from canonical import GRAVITY, milliseconds, run, scene, strains

DENSITY, STRETCH, SHEAR, RIGIDITY = 0.2, 1000.0, 500.0, 1e-5
RUNS = [
    "blender_cloth",
    "mujoco_flex",
    "mujoco_flex --iterations 1000",
    "newton_cloth --solver style3d",
    "newton_cloth --solver vbd --parts 5",
]
# how clothlab solves its systems: the line at the top of the scene, and the section at its end
GRADIENTS = '[solver.conjugate-gradients]\npreconditioner = "{}"\n'
WAYS = {
    "default": ("", ""),
    "incomplete-cholesky": ("", GRADIENTS.format("incomplete-cholesky")),
    "aggregation": ("", GRADIENTS.format("aggregation")),
    "blocks": ("", GRADIENTS.format("a-block")),
    "direct": ('solver = "direct"\n', ""),
}
SCENE = """step = 0.01
duration = 1.0
integrator = "backward-euler"
pins = ["bottom-left", "bottom-right"]
{top}
[mesh.regular]
nx = {n}
ny = {n}
width = 1.0
height = 1.0

[material]
density = {DENSITY}
stretch = {{ stiffness = {STRETCH}, damping = 0.0 }}
shear = {{ stiffness = {SHEAR}, damping = 0.0 }}
bend = {{ rigidity = {RIGIDITY}, damping = 0.0 }}

[output]
energies_every = 50

{end}"""


def triangles(n):
    """The job as scene.json; particles have a third of each triangle about them."""
    spacing = 1 / (n - 1)
    positions = [[(k % n) * spacing, (k // n) * spacing, 0.0] for k in range(n * n)]
    corners = []
    for j in range(n - 1):
        for i in range(n - 1):
            a, b, c, d = j * n + i, j * n + i + 1, (j + 1) * n + i + 1, (j + 1) * n + i
            corners += [[a, b, c], [a, c, d]] if (i + j) % 2 == 0 else [[a, b, d], [b, c, d]]
    thirds = np.bincount(np.ravel(corners), minlength=n * n)
    cloth = {
        "grid": {"nx": n, "ny": n, "spacing": spacing},
        "positions": positions,
        "velocities": [[0.0, 0.0, 0.0]] * (n * n),
        "rest_positions": positions,
        "masses": (DENSITY * spacing**2 / 6 * thirds).tolist(),
        "triangles": corners,
        "springs": None,
        "continuum": {"density": DENSITY, "stretch": STRETCH, "shear": SHEAR, "bending_rigidity": RIGIDITY},
        "sheet": None,
    }
    return scene(f"triangles-{n}", cloth, step=0.01, times=[0.25, 0.5, 0.75, 1.0], pins=[0, n - 1])


def ours(job, folder, way):
    """Runs clothlab: CPU time of its process over its steps [ms], the last positions, and the height of the centre at 0.5 s [m]."""
    top, end = WAYS[way]
    out, path = folder / f"clothlab-{way}", folder / f"{way}.toml"
    folder.mkdir(parents=True, exist_ok=True)
    numbers = {"DENSITY": DENSITY, "STRETCH": STRETCH, "SHEAR": SHEAR, "RIGIDITY": RIGIDITY}
    path.write_text(SCENE.format(n=job["grid"]["nx"], top=top, end=end, **numbers))
    program = os.environ.get("CLOTHLAB", Path(__file__).parent / "../target/release/clothlab")
    words = [program, "simulate", path, "--out", out, "--force", "--no-pictures"]
    before = os.times()
    subprocess.run(words, env={**os.environ, "RAYON_NUM_THREADS": "1"}, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    x = np.loadtxt(out / "positions.csv", delimiter=",", skiprows=1)[:, 1:]
    energies = np.genfromtxt(out / "energies.csv", delimiter=",", names=True)
    centre = energies["gravitational"][1] / GRAVITY / sum(job["masses"])
    return 1e3 * seconds / job["duration"] * job["step"], x, centre


def theirs(job, folder, rival):
    """Runs a rival: what it is, and the same of it, but that its time is that of its steps alone."""
    result, states = run(job, folder, rival)
    name = f"{result['program']} {result['version'].split(',')[0]}, {result['method']}"
    parts = round(job["step"] / result["step"])
    centre = np.average(states[1, :, 2], weights=job["masses"])
    return f"{name}, {parts} parts" if parts > 1 else name, milliseconds(job, result), states[-1], centre


def row(job, name, time, x, centre):
    strain = strains(job, x)
    print(
        f"| {name} | {time:.1f} | {strain.max():.4f} | {strain.mean():.5f} | {centre:.4f} | {x[:, 2].min():.4f} |",
        flush=True,
    )


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 3:
        sys.exit(__doc__)
    n, folder, rival = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    job = triangles(n)
    if not rival:
        rivals, ways = [words.split() for words in RUNS], list(WAYS)
    elif rival[0] == "clothlab":
        rivals, ways = [], rival[1:] or list(WAYS)
    else:
        rivals, ways = [rival], []
    if not set(ways) <= set(WAYS):
        sys.exit(f"clothlab solves its systems in these ways: {' '.join(WAYS)}")
    print(f"| N = {n} | CPU [ms/step] | largest strain | mean strain | centre at 0.5 s [m] | lowest [m] |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    for way in ways:
        row(job, f"clothlab, {way}", *ours(job, folder, way))
    for words in rivals:
        try:
            row(job, *theirs(job, folder, words))
        except subprocess.CalledProcessError:
            continue  # it has said why


if __name__ == "__main__":
    main()
