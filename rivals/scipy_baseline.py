"""Backward Euler on the springs of a scene as a textbook has it, with SciPy's sparse matrices and solvers.

    M (v' - v) = h f(x + h v', v'),  x' = x + h v'

is linearised at x, v and solved once, as Baraff & Witkin do, or `--newton` times. Solids are met after the step, see contacts.py.
"""

from protocol import parser, race  # first: it sets the number of threads

import numpy as np
import scipy
import scipy.sparse as sparse
from scipy.sparse.linalg import LinearOperator, cg, splu

from contacts import Contacts

# how much shorter than at rest a spring may be and still count as stretched, so that rounding flips none
SLACK = 1e-12


class Rival:
    program = "SciPy"
    version = scipy.__version__
    precision = "double"

    def __init__(self, scene, options):
        self.springs = scene.need_springs()
        self.scene, self.options = scene, options
        solver = f"conjugate gradients to {options.tolerance:g}" if options.solve == "cg" else "sparse LU"
        self.method = f"backward Euler, {options.newton} Newton step{'s' * (options.newton > 1)}, {solver}"
        self.mapping = ["springs, dampers, masses, pins, gravity and air: as they are"]
        self.lacks = ["wind"] if scene.drag is not None else []
        self.contacts = None
        if scene.solids:
            friction = scene.friction or {"static": 0.0, "kinetic": 0.0}
            self.contacts = Contacts(scene.solids, friction["kinetic"], scene.masses, scene.free())
            self.mapping.append("solids: met after each step by positions and impulses; friction: the kinetic coefficient")
            if friction["static"] != friction["kinetic"]:
                self.lacks.append("static friction apart from kinetic")
        self.x, self.v = scene.positions.copy(), scene.velocities.copy()

        count, m = scene.count, len(self.springs)
        ends = np.concatenate((self.springs.i, self.springs.j))
        signs = np.concatenate((-np.ones(m), np.ones(m)))
        differences = sparse.csr_array((signs, (np.tile(np.arange(m), 2), ends)), shape=(m, count))
        free = np.flatnonzero(np.repeat(scene.free(), 3))
        # from velocities of free particles to those of springs, x_j - x_i
        self.spread = sparse.bsr_array(sparse.kron(differences, sparse.eye_array(3)).tocsr()[:, free])
        self.differences, self.free = differences, free
        self.mass = np.repeat(scene.masses, 3)

    def forces(self, x, v):
        """Forces [N] on the particles, and -df/dx, -df/dv of each spring, 3 x 3."""
        springs, scene = self.springs, self.scene
        d, w = self.differences @ x, self.differences @ v
        length = np.linalg.norm(d, axis=1)
        acts = (springs.pushes | (length >= springs.rest * (1 - SLACK))) & (springs.pulls | (length < springs.rest))
        acts &= length > 0
        length = np.where(acts, length, 1.0)
        n = d / length[:, None]
        along = n[:, :, None] * n[:, None, :]
        tension = np.where(acts, springs.stiffness * (length - springs.rest), 0.0)
        slope = np.where(acts, springs.stiffness, 0.0)
        if scene.bend_law is not None:
            bends = acts & (springs.kind == "bend")
            ratio, steepness = scene.bend_law.force_and_slope(length / springs.rest)
            tension = np.where(bends, springs.stiffness * springs.rest * ratio, tension)
            slope = np.where(bends, springs.stiffness * steepness, slope)
        # T' n nᵀ + T / |x| (I - n nᵀ), without the second part where a spring pushes
        across = np.maximum(tension, 0) / length
        by_position = (slope - across)[:, None, None] * along + across[:, None, None] * np.eye(3)
        rate = (w * n).sum(axis=1)
        damping = np.where(acts, springs.damping, 0.0)
        if scene.damping_form == "projected":
            damping = np.where(rate >= 0, damping, 0.0)
            by_velocity, pull = damping[:, None, None] * along, (damping * rate)[:, None] * n
        else:
            by_velocity, pull = damping[:, None, None] * np.eye(3), damping[:, None] * w
        on_springs = tension[:, None] * n + pull
        f = scene.masses[:, None] * scene.gravity - scene.air * v - self.differences.T @ on_springs
        return f, by_position, by_velocity

    def step(self):
        h, free = self.scene.step, self.free
        x, v = self.x, self.v
        start, velocity = self.x, self.v.copy()
        for _ in range(self.options.newton):
            f, by_position, by_velocity = self.forces(x, v)
            count = len(by_position)
            blocks = np.arange(count), np.arange(count + 1)
            inner = sparse.bsr_array((h * h * by_position + h * by_velocity, *blocks), shape=(3 * count, 3 * count))
            matrix = sparse.csr_array(self.spread.T @ inner @ self.spread)
            matrix += sparse.diags_array(self.mass[free] + h * self.scene.air)
            # M (V - v) + h f + h df/dx (x_n + h v - x)
            away = self.differences @ (start + h * v - x)
            toward = self.differences.T @ np.einsum("kab,kb->ka", by_position, away)
            b = self.mass.reshape(-1, 3) * (velocity - v) + h * (f - toward)
            dv = np.zeros(v.size)
            dv[free] = self.solve(matrix, b.ravel()[free])
            v = v + dv.reshape(-1, 3)
            moves = np.zeros(v.size)
            moves[free] = h
            x = start + moves.reshape(-1, 3) * v
        self.x, self.v = (x, v) if self.contacts is None else self.contacts.resolve(start, x, v)

    def solve(self, matrix, b):
        if self.options.solve == "direct":
            return splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve(b)
        count = matrix.shape[0] // 3
        blocks = np.linalg.inv(diagonal_blocks(matrix))
        jacobi = LinearOperator(matrix.shape, lambda r: np.einsum("kab,kb->ka", blocks, r.reshape(count, 3)).ravel())
        found, failed = cg(matrix, b, rtol=self.options.tolerance, atol=0.0, maxiter=100_000, M=jacobi)
        return np.full_like(found, np.nan) if failed else found

    def positions(self):
        return self.x.copy()


def diagonal_blocks(matrix):
    """Shape [n / 3, 3, 3]."""
    count = matrix.shape[0] // 3
    blocks = np.zeros((count, 3, 3))
    entries = matrix.tocoo()
    inside = entries.row // 3 == entries.col // 3
    row, column = entries.row[inside], entries.col[inside]
    blocks[row // 3, row % 3, column % 3] = entries.data[inside]
    return blocks


if __name__ == "__main__":
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--solve", choices=["cg", "direct"], default="cg", help="linear systems; cg if nothing is said")
    options.add_argument("--tolerance", type=float, default=1e-8, help="of cg, residual over right side; 1e-8 if nothing is said")
    options.add_argument("--newton", type=int, default=1, metavar="N", help="Newton steps of a step; 1 if nothing is said")
    race(Rival, options)
