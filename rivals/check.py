"""Runs the rivals that are installed on small scenes, and says whether each mapping is right.

    check.py [FOLDER] [NAME...]      scenes and results come to FOLDER, out/rivals where none is said

- sheet: the canonical sheet with 16 x 16 particles: shapes, finite numbers, pins that are held.
- fall: a sheet without pins: ½ g t² to ½ g t (t + h), as first-order schemes have it, within 1e-3 g t².
- strip: 3 x 17 particles that hang from their first line. With springs ks and masses m the free end comes down by the sum of
  j m g / ks over the 16 springs, with a membrane by 3/2 of that, as there are three lines of particles and two of cells.
- membrane: the strip as a continuum, for those that take one.
- drape: a sheet on a sphere: no particle deeper inside than 1 cm, and none far below.
- slide: a sheet on a plane that slopes by 30°, with friction mu: ½ g (sin 30° - mu cos 30°) t² down the slope, to within a tenth of
  what it is without friction.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from canonical import GRAVITY, canonical, scene, sheet

HERE = Path(__file__).parent
RUNS = [
    "scipy_baseline",
    "scipy_baseline --solve direct",
    "mujoco_flex",
    "pbd --sub-steps 50",
    "blender_cloth",
    "blender_cloth --compression scene",
    "newton_cloth --solver vbd --parts 5",
    "newton_cloth --solver xpbd --parts 30 --iterations 1",
    "newton_cloth --solver style3d",
]
KEYS = {
    "program": str,
    "version": str,
    "method": str,
    "precision": str,
    "threads": int,
    "step": float,
    "steps": int,
    "setup_cpu_seconds": float,
    "step_cpu_seconds": float,
    "wall_seconds": float,
    "mapping": list,
    "lacks": list,
    "finished": bool,
}
# what is not right, and why
SINGLE = "particles move less in so short a step than single precision holds"
BORDERS = "edges of a border are as stiff as those within, and here two lines of three lie on a border"
LOST = "Style3D takes 0.2 % of every velocity in every step"
SLIDES = "Blender has no coefficient of friction, and its own does not brake a sheet that slides"
KNOWN = {
    ("fall", "newton_cloth --solver xpbd --parts 30 --iterations 1"): SINGLE,
    ("strip", "newton_cloth --solver xpbd --parts 30 --iterations 1"): "one iteration of XPBD softens springs by 2 ks h² / m",
    ("membrane", "blender_cloth"): BORDERS,
    ("membrane", "blender_cloth --compression scene"): BORDERS,
    ("fall", "newton_cloth --solver style3d"): LOST,
    ("slide", "newton_cloth --solver style3d"): f"{LOST}, and brakes as with mu = 0.33",
    ("slide", "blender_cloth"): SLIDES,
    ("slide", "blender_cloth --compression scene"): SLIDES,
}
# of the elongation of the strip, relative
NEAR = 0.05
MASS, STIFFNESS = 5e-4, 200.0
# sine and cosine
SLOPE = 0.5, 0.75**0.5


def strip():
    """Hangs along -z at its rest length, and comes to rest by what the schemes dissipate."""
    cloth = sheet(3, 17, 0.05, MASS, stretch=STIFFNESS, shear=0.0, bend=0.0)
    hanging = [[x, 0.0, -y] for x, y, _ in cloth["positions"]]
    times = [round(0.1 * k, 1) for k in range(30, 51)]
    return scene("strip", {**cloth, "positions": hanging, "rest_positions": hanging}, step=0.01, times=times, pins=[0, 1, 2])


def membrane():
    """The strip as a continuum of triangles."""
    job = strip()
    stuff = {"density": MASS / 0.05**2, "stretch": STIFFNESS, "shear": STIFFNESS / 2, "bending_rigidity": 0.0}
    return {**job, "name": "membrane", "springs": None, "bend_law": None, "sheet": None, "continuum": stuff}


def fall():
    return scene("fall", sheet(9, 9, 0.1, 0.002), step=0.01, times=[0.1, 0.5, 1.0])


def drape():
    ball = {"kind": "sphere", "centre": [0.5, 0.5, -0.31], "radius": 0.3}
    cloth = sheet(16, 16, 1 / 15, 0.2 / 256)
    return scene("drape", cloth, step=0.005, times=[0.5, 1.0], solids=[ball], friction={"static": 0.5, "kinetic": 0.5})


def slide():
    """Lies just above a plane whose normal leans along x, and slides."""
    cloth = sheet(9, 9, 0.05, 0.2 * 0.05**2)
    plane = {"kind": "plane", "point": [0.0, 0.0, 0.0], "normal": [SLOPE[0], 0.0, SLOPE[1]]}
    above = 2e-3  # farther than any rival keeps from solids [m]
    lying = [[x * SLOPE[1] + above * SLOPE[0], y, -x * SLOPE[0] + above * SLOPE[1]] for x, y, _ in cloth["positions"]]
    cloth = {**cloth, "positions": lying, "rest_positions": lying}
    return scene("slide", cloth, step=0.005, times=[0.25, 0.5], solids=[plane], friction={"static": 0.3, "kinetic": 0.3})


def of_sheet(x, job, result):
    return "", True


def of_fall(x, job, result):
    worst = 0.0
    for t, state in zip(job["sample_times"], x):
        drop = -state[:, 2] / (GRAVITY * t**2)
        worst = max(worst, 0.5 - drop.min(), drop.max() - 0.5 * (1 + result["step"] / t))
    return f"{worst:+.1e} g t² beyond the bounds", worst < 1e-3


def of_strip(x, job, result):
    lines = np.arange(1, 17)
    expected = (lines * MASS * GRAVITY / STIFFNESS).sum()
    if result["program"] == "MuJoCo" or "Style3D" in result["method"] or job["springs"] is None:
        expected *= 1.5
    found = -x[:, -3:, 2].mean() - 0.8
    return f"{1e3 * found:.3f} mm longer, {1e3 * expected:.3f} expected: {100 * (found / expected - 1):+.1f} %", abs(
        found / expected - 1
    ) < NEAR


def of_drape(x, job, result):
    ball = job["solids"][0]
    depth = ball["radius"] - np.linalg.norm(x - ball["centre"], axis=2).min()
    lowest = x[-1, :, 2].min()
    return f"{1e3 * depth:+.1f} mm inside, lowest {lowest:.3f} m", depth < 0.01 and -1.0 < lowest < -0.2


def of_slide(x, job, result):
    sine, cosine = SLOPE
    t = job["sample_times"][-1]
    free = 0.5 * GRAVITY * sine * t**2
    gone = (x[-1] - np.array(job["positions"])) @ [cosine, 0.0, -sine]
    expected = free * (1 - job["friction"]["kinetic"] * cosine / sine)
    deep = -(x[-1] @ [sine, 0.0, cosine]).min()
    return (
        f"{gone.mean():.4f} m down, {expected:.4f} expected, {free:.4f} without friction; {1e3 * deep:+.1f} mm inside",
        abs(gone.mean() - expected) < 0.1 * free and deep < 0.01,
    )


SCENES = {
    "sheet": (lambda: canonical(16), of_sheet),
    "fall": (fall, of_fall),
    "strip": (strip, of_strip),
    "membrane": (membrane, of_strip),
    "drape": (drape, of_drape),
    "slide": (slide, of_slide),
}


def judged(job, out, judge):
    """What is to be said of a result, and whether it is right."""
    result, x = json.loads((out / "result.json").read_text()), np.load(out / "states.npy")
    for key, kind in KEYS.items():
        if not isinstance(result.get(key), kind):
            return f"result.json has no {key}", False
    if x.shape != (len(job["sample_times"]), len(job["positions"]), 3) or x.dtype != np.float64:
        return f"states.npy has shape {x.shape} and type {x.dtype}", False
    if not result["finished"] or not np.isfinite(x).all():
        return "it did not finish", False
    moved = np.abs(x[:, job["pins"]] - np.array(job["positions"])[job["pins"]])
    if moved.size and moved.max() > 1e-6:
        return f"pins moved by {moved.max():.1e} m", False
    found, right = judge(x, job, result)
    return f"{1e3 * result['step_cpu_seconds'] / result['steps']:.2f} ms/step {found}", right


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "../out/rivals")
    wanted = [run for run in RUNS if not sys.argv[2:] or run.split()[0] in sys.argv[2:]]
    failed = 0
    for name, (make, judge) in SCENES.items():
        job = make()
        (folder / name).mkdir(parents=True, exist_ok=True)
        path = folder / name / "scene.json"
        path.write_text(json.dumps(job))
        for run in wanted:
            out = folder / name / run.replace(" --", "-").replace(" ", "-")
            done = subprocess.run([HERE / "run", *run.split(), path, out], capture_output=True, text=True)
            last = (done.stderr.strip().splitlines() or [""])[-1]
            if done.returncode == 0:
                said, right = judged(job, out, judge)
            else:
                said, right = last, done.returncode == 3 or "not installed" in last
            known = KNOWN.get((name, run))
            failed += not right and known is None
            print(f"{name}  {run}: {said}{'' if right else f'  (known: {known})' if known else '  WRONG'}", flush=True)
    print(f"{failed} wrong" if failed else "all right")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
