"""What all rivals share: how a scene is read, how a run is timed, and how its states are written.

README.md says what stands in the files. A rival is a class with

    program, version, method, precision   for result.json
    __init__(scene, options)              builds everything, fills `mapping` and `lacks`; raises Refusal
    step()                                one step of `scene.step`
    positions()                           particles [m], float64, shape [particles, 3]
    warm_up()                             optional: compiles and touches everything, and leaves the state as it was

and ends with `race(Rival, parser)`.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import argparse
import json
import math
import sys
import time
from pathlib import Path

import numpy as np

PROTOCOL = 1


class Unfit(Exception):
    """The files do not follow the protocol: exit code 2."""


class Refusal(Exception):
    """The program cannot express the scene at all: exit code 3."""


def array(found, name, shape, kind=float):
    """A list of numbers as an array; None in `shape` stands for any length."""
    try:
        numbers = np.asarray(found, dtype=float)
    except (TypeError, ValueError):
        raise Unfit(f"`{name}` is no table of numbers") from None
    if numbers.size == 0 and shape[0] is None:
        numbers = numbers.reshape([0 if side is None else side for side in shape])
    fits = numbers.ndim == len(shape) and all(side in (None, length) for side, length in zip(shape, numbers.shape))
    if not fits:
        raise Unfit(f"`{name}` has shape {list(numbers.shape)}, not {['any' if side is None else side for side in shape]}")
    if not np.isfinite(numbers).all():
        raise Unfit(f"`{name}` holds a number that is not finite")
    if kind is int and (numbers != np.floor(numbers)).any():
        raise Unfit(f"`{name}` holds a number that is not whole")
    return numbers.astype(kind)


def number(found, name, least=-math.inf, above=-math.inf):
    """A finite number, at least `least` and above `above`."""
    if (
        isinstance(found, bool)
        or not isinstance(found, (int, float))
        or not math.isfinite(found)
        or found < least
        or found <= above
    ):
        bound = f" of at least {least}" if least > -math.inf else f" above {above}" if above > -math.inf else ""
        raise Unfit(f"`{name}` must be a number{bound}, not {found}")
    return float(found)


def key(section, name, where="the scene"):
    if not isinstance(section, dict) or name not in section:
        raise Unfit(f"{where} has no `{name}`")
    return section[name]


class BendLaw:
    """f(s), the tension of a bend spring over ks L, of s = |x| / L: a polynomial, and from `line_from` on a line to zero at 1."""

    def __init__(self, given):
        self.polynomial = np.polynomial.Polynomial(array(key(given, "polynomial", "the bend law"), "bend_law.polynomial", [None]))
        self.line_from = number(key(given, "line_from", "the bend law"), "bend_law.line_from", least=0)
        if self.line_from >= 1:
            raise Unfit("`bend_law.line_from` must be below 1")
        self.slope_at_rest = -self.polynomial(self.line_from) / (1 - self.line_from)

    def force_and_slope(self, s):
        line = s >= self.line_from
        slope = np.where(line, self.slope_at_rest, self.polynomial.deriv()(s))
        return np.where(line, self.slope_at_rest * (s - 1), self.polynomial(s)), slope


class Springs:
    """Parallel arrays, one entry a spring."""

    def __init__(self, rows, particles):
        def column(name, default=None):
            if default is None:
                return [key(row, name, "a spring") for row in rows]
            return [row.get(name, default) for row in rows]

        self.i, self.j = (array(column(name), f"springs.{name}", [None], int) for name in ("i", "j"))
        self.rest, self.stiffness, self.damping = (
            array(column(name), f"springs.{name}", [None]) for name in ("rest", "stiffness", "damping")
        )
        self.kind = np.array(column("kind"), dtype=str)
        self.pushes, self.pulls = np.array(column("pushes"), bool), np.array(column("pulls", True), bool)
        ends = np.concatenate((self.i, self.j))
        if len(ends) and (ends.min() < 0 or ends.max() >= particles) or (self.i == self.j).any():
            raise Unfit("a spring does not lie between two particles")
        if (self.rest <= 0).any() or (self.stiffness < 0).any() or (self.damping < 0).any():
            raise Unfit("a spring has no length, or a stiffness or damping below zero")

    def __len__(self):
        return len(self.i)

    def at_rest(self, law):
        """Stiffness of every spring near its rest length [N/m]."""
        return self.stiffness if law is None else np.where(self.kind == "bend", law.slope_at_rest, 1.0) * self.stiffness


class Scene:
    """scene.json, checked; lengths in metres, masses in kilograms, times in seconds."""

    def __init__(self, text):
        try:
            given = json.loads(text)
        except ValueError as error:
            raise Unfit(f"the scene is no JSON: {error}") from None
        if key(given, "protocol") != PROTOCOL:
            raise Unfit(f"the scene follows protocol {given['protocol']}, and this program {PROTOCOL}")
        self.name = str(key(given, "name"))
        self.step = number(key(given, "step"), "step", above=0)
        self.duration = number(key(given, "duration"), "duration", above=0)
        self.gravity = array(key(given, "gravity"), "gravity", [3])
        self.positions = array(key(given, "positions"), "positions", [None, 3])
        count = self.count = len(self.positions)
        if count == 0:
            raise Unfit("the scene has no particles")
        self.velocities = array(key(given, "velocities"), "velocities", [count, 3])
        self.rest_positions = array(key(given, "rest_positions"), "rest_positions", [count, 3])
        self.masses = array(key(given, "masses"), "masses", [count])
        if (self.masses <= 0).any():
            raise Unfit("a particle has no mass")
        self.triangles = array(key(given, "triangles"), "triangles", [None, 3], int)
        self.pins = array(key(given, "pins"), "pins", [None], int)
        for name, numbers in (("triangles", self.triangles), ("pins", self.pins)):
            if numbers.size and (numbers.min() < 0 or numbers.max() >= count):
                raise Unfit(f"`{name}` names a particle that is not there")
        self.grid = given.get("grid")
        if self.grid is not None and key(self.grid, "nx", "the grid") * key(self.grid, "ny", "the grid") != count:
            raise Unfit("the grid has another number of particles")
        rows = given.get("springs")
        self.springs = None if rows is None else Springs(rows, count)
        self.continuum, self.sheet = given.get("continuum"), given.get("sheet")
        if self.springs is None and self.continuum is None:
            raise Unfit("the cloth has neither `springs` nor `continuum`")
        self.bend_law = None if given.get("bend_law") is None else BendLaw(given["bend_law"])
        self.damping_form = given.get("damping_form", "projected")
        if self.damping_form not in ("projected", "plain"):
            raise Unfit(f"`damping_form` must be projected or plain, not {self.damping_form}")
        self.solids = [self._solid(solid) for solid in given.get("solids") or []]
        friction = given.get("friction")
        self.friction = (
            None
            if friction is None
            else {name: number(key(friction, name, "the friction"), f"friction.{name}", least=0) for name in ("static", "kinetic")}
        )
        self.air = 0.0 if given.get("air") is None else number(given["air"], "air", least=0)
        self.drag = given.get("drag")
        self.lacks = [str(line) for line in given.get("lacks") or []]
        times = array(key(given, "sample_times"), "sample_times", [None])
        whole = np.rint(times / self.step)
        if (
            not len(times)
            or (np.diff(whole) <= 0).any()
            or whole[0] < 1
            or np.abs(whole * self.step - times).max() > 1e-6 * self.step
        ):
            raise Unfit("`sample_times` must be rising multiples of the step")
        if times[-1] > self.duration + 1e-6 * self.step:
            raise Unfit("`sample_times` go beyond the duration")
        self.sample_steps = whole.astype(int)

    @staticmethod
    def _solid(solid):
        kind = key(solid, "kind", "a solid")
        if kind == "sphere":
            centre = array(key(solid, "centre", "a sphere"), "solids.centre", [3])
            return {"kind": kind, "centre": centre, "radius": number(key(solid, "radius", "a sphere"), "solids.radius", above=0)}
        if kind == "plane":
            normal = array(key(solid, "normal", "a plane"), "solids.normal", [3])
            if not normal.any():
                raise Unfit("a plane has no normal")
            point = array(key(solid, "point", "a plane"), "solids.point", [3])
            return {"kind": kind, "point": point, "normal": normal / np.linalg.norm(normal)}
        raise Unfit(f"solids are spheres or planes, not {kind}")

    def finer(self, parts):
        """The same scene in steps that are a whole part of its own."""
        self.step, self.sample_steps = self.step / parts, self.sample_steps * parts

    def farthest(self):
        """A distance that no particle goes unless cloth comes apart [m]: beyond a free fall by a hundred times its extent."""
        extent = float(np.ptp(self.positions, axis=0).max())
        fastest = float(np.linalg.norm(self.velocities, axis=1).max())
        return 100 * extent + fastest * self.duration + float(np.linalg.norm(self.gravity)) * self.duration**2

    def need_springs(self):
        if self.springs is None:
            raise Refusal("cloth without springs")
        return self.springs

    def membrane(self):
        """Membrane stiffness [N/m], Young's modulus times thickness, and bending rigidity [N m]."""
        if self.continuum is not None:
            source, name, stiffness = self.continuum, "continuum", "stretch"
        else:
            source, name, stiffness = self.sheet, "sheet", "membrane"
        if source is None:
            raise Refusal("springs without a sheet that they stand for")
        found = number(key(source, stiffness, f"the {name}"), f"{name}.{stiffness}", above=0)
        return found, number(key(source, "bending_rigidity", f"the {name}"), f"{name}.bending_rigidity", least=0)

    def need_triangles(self):
        if not len(self.triangles):
            raise Refusal("cloth without triangles")
        return self.triangles

    def free(self):
        """Which particles are not pinned."""
        free = np.ones(self.count, bool)
        free[self.pins] = False
        return free


def parser(about):
    """Options of a rival, to which it adds its own; scene and folder come last."""
    options = argparse.ArgumentParser(description=about)
    options.add_argument(
        "--parts", type=int, default=1, metavar="N", help="take N steps for each of the scene's, 1 if nothing is said"
    )
    options.add_argument("scene", type=Path, help="scene.json")
    options.add_argument("out", type=Path, help="folder for states.npy and result.json")
    return options


def race(Rival, options):
    """Runs a rival as a program, and ends it with its exit code."""
    given = options.parse_args()
    try:
        run(Rival, given)
    except Unfit as problem:
        end(f"{given.scene}: {problem}", 2)
    except Refusal as problem:
        end(f"{Rival.program} cannot run {given.scene}: {problem}", 3)
    except OSError as problem:
        end(str(problem), 2)


def end(line, code):
    print(line, file=sys.stderr)
    sys.exit(code)


def run(Rival, given):
    if given.parts < 1:
        raise Unfit("--parts must be at least 1")
    scene = Scene(given.scene.read_text())
    scene.finer(given.parts)
    rival = Rival(scene, given)
    getattr(rival, "warm_up", lambda: None)()
    setup = time.process_time()

    states = np.full((len(scene.sample_steps), scene.count, 3), np.nan)
    done, cpu, wall = 0, 0.0, 0.0
    finished = True
    for k, until in enumerate(scene.sample_steps):
        begin, began = time.process_time(), time.perf_counter()
        while done < until:
            rival.step()
            done += 1
        cpu, wall = cpu + time.process_time() - begin, wall + time.perf_counter() - began
        x = rival.positions()
        if not np.isfinite(x).all() or np.abs(x - scene.positions).max() > scene.farthest():
            finished = False
            break
        states[k] = x

    result = {
        "program": rival.program,
        "version": rival.version,
        "method": rival.method,
        "precision": rival.precision,
        "threads": 1,
        "step": scene.step,
        "steps": done,
        "setup_cpu_seconds": setup,
        "step_cpu_seconds": cpu,
        "wall_seconds": wall,
        "mapping": rival.mapping,
        "lacks": rival.lacks + [f"what the file cannot say: {line}" for line in scene.lacks],
        "finished": finished,
    }
    given.out.mkdir(parents=True, exist_ok=True)
    np.save(given.out / "states.npy", states)
    (given.out / "result.json").write_text(json.dumps(result, indent=2) + "\n")
