"""A gradient through a run of cloth by Newton (newton-physics.org), on the processor: what it costs, and how exact it is.

    python tests/peers/gradients.py FILE

A sheet of triangles of 1 m swings from one edge for a quarter of a second by the explicit solver, which is the one that has
derivatives; phi is the mean square of the distance of its particles from a place. The derivatives are those by the velocities of the
start, all three of each particle, through Warp's tape. Each line is a sheet: medians of runs alone and of runs with their gradient, taken
in turn, and the difference of the derivative along a random direction from a central difference, in single precision.
"""

import csv
import statistics
import sys
import time

import newton
import numpy as np
import warp as wp

SIDES = [8, 16, 32, 64]
STEPS = 400
DT = 0.25 / STEPS
ROUNDS = 5
TARGET = wp.vec3(0.3, 0.2, -0.4)


@wp.kernel
def goal(x: wp.array(dtype=wp.vec3), n: int, phi: wp.array(dtype=float)):
    i = wp.tid()
    d = x[i] - TARGET
    wp.atomic_add(phi, 0, wp.dot(d, d) / float(n))


class Swing:
    """A sheet and the memory for a run of it."""

    def __init__(self, side):
        builder = newton.ModelBuilder()
        cell = 1.0 / (side - 1)
        builder.add_cloth_grid(
            pos=wp.vec3(0.0, 0.0, 0.0),
            vel=wp.vec3(0.0, 0.0, 0.0),
            rot=wp.quat_identity(),
            dim_x=side - 1,
            dim_y=side - 1,
            cell_x=cell,
            cell_y=cell,
            mass=0.2 / side**2,
            fix_left=True,
            particle_radius=1e-3,
            tri_ke=20.0,
            tri_ka=20.0,
            tri_kd=2e-3,
            edge_ke=0.0,
            edge_kd=0.0,
        )
        self.model = builder.finalize(device="cpu", requires_grad=True)
        self.solver = newton.solvers.SolverSemiImplicit(self.model)
        self.solver.enable_tri_contact = False
        self.states = [self.model.state() for _ in range(STEPS + 1)]
        self.control = self.model.control()
        self.phi = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
        self.count = side**2

    def run(self):
        """phi of a run from where the first state is."""
        self.phi.zero_()
        for before, after in zip(self.states, self.states[1:]):
            before.clear_forces()
            self.solver.step(before, after, self.control, None, DT)
        wp.launch(goal, dim=self.count, inputs=[self.states[-1].particle_q, self.count, self.phi], device="cpu")
        return float(self.phi.numpy()[0])

    def gradient(self):
        """phi and its derivatives by the velocities of the start."""
        tape = wp.Tape()
        with tape:
            phi = self.run()
        tape.backward(self.phi)
        found = self.states[0].particle_qd.grad.numpy().copy()
        tape.zero()
        return phi, found


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def line(side):
    swing = Swing(side)
    swing.run(), swing.gradient()
    alone, whole = [], []
    for _ in range(ROUNDS):
        alone.append(timed(swing.run)[0])
        seconds, (_, gradient) = timed(swing.gradient)
        whole.append(seconds)
    direction = np.random.default_rng(1).normal(size=gradient.shape).astype(np.float32)
    start = swing.states[0].particle_qd.numpy().copy()
    step, values = 1e-2, []
    for sign in (1.0, -1.0):
        swing.states[0].particle_qd.assign(start + np.float32(sign * step) * direction)
        values.append(swing.run())
    along, difference = float(np.sum(gradient * direction)), (values[0] - values[1]) / (2.0 * step)
    if not np.isfinite(difference):
        raise SystemExit(f"a sheet of {side} a side comes apart: take more steps")
    alone, whole = statistics.median(alone), statistics.median(whole)
    memory = 6 * 4 * side**2 * (STEPS + 1) * 2 / 1e6
    return {
        "side": side,
        "parameters": 3 * side**2,
        "steps": STEPS,
        "run [s]": f"{alone:.4f}",
        "run and gradient [s]": f"{whole:.4f}",
        "runs": f"{whole / alone:.2f}",
        "off [-]": f"{abs(along - difference) / abs(difference):.1e}",
        "states and their derivatives [MB]": f"{memory:.1f}",
    }


def main():
    wp.config.quiet = True
    wp.init()
    lines = [line(side) for side in SIDES]
    with open(sys.argv[1], "w", newline="") as file:
        writer = csv.DictWriter(file, lines[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    print(open(sys.argv[1]).read(), end="")


if __name__ == "__main__":
    main()
