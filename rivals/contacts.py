"""Solids at rest that particles meet after a step, as clothlab does it by `contact = "positions"`.

Particles go straight from where they were to where a step has left them. Where one comes to a solid, it is not to go deeper than
the plane that touches the solid there: projected Gauss-Seidel finds the least change of the motion, with Coulomb's friction beside
it, and of the velocities too, which are not to approach. The changed motion is looked at again until it meets nothing.
"""

import numpy as np

# times that a motion is looked at, and sweeps of Gauss-Seidel each time, at most
ROUNDS, SWEEPS = 40, 30
# change of velocities over the largest one that ends the sweeps over them
SETTLED = 1e-4
# depth in a solid that is rounding, over the size of what moves
DEPTH = 1e-12


def dot(a, b):
    return np.einsum("ka,ka->k", a, b)


def distance(solid, x):
    """Signed distances of points x [m] from the surface [m], > 0 outside, and the normals there."""
    if solid["kind"] == "plane":
        return (x - solid["point"]) @ solid["normal"], np.broadcast_to(solid["normal"], x.shape)
    away = x - solid["centre"]
    length = np.linalg.norm(away, axis=1)
    return length - solid["radius"], away / length[:, None]


def reached(solid, start, way):
    """When a particle on its way [m] comes to the surface, from 0 to 1 if it does at all; it is outside at the start."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if solid["kind"] == "plane":
            return distance(solid, start)[0] / -(way @ solid["normal"])
        away = start - solid["centre"]
        a, b, c = dot(way, way), dot(away, way), dot(away, away) - solid["radius"] ** 2
        return (-b - np.sqrt(b * b - a * c)) / a


class Rows:
    """Particles i that meet a solid: n · u_i >= least for their motion u [m], of which `push` along n and `along` across it are due
    to the solid [m]; of velocities all of these in [m/s]."""

    def __init__(self, particles, normals, least):
        self.particles, self.normals, self.least = particles, normals, least
        self.restart()

    def restart(self):
        self.push, self.along = np.zeros(len(self.particles)), np.zeros_like(self.normals)

    def approach(self, u):
        """What each is short of [m]."""
        return self.least - dot(self.normals, u[self.particles])

    def solve(self, u, friction):
        """Changes u, each particle by its row, and returns the largest change; without friction where it is None."""
        i, n = self.particles, self.normals
        push = np.maximum(self.push + self.approach(u), 0.0)
        change = push - self.push
        u[i] += change[:, None] * n
        self.push = push
        largest = np.abs(change).max()
        if friction is not None:
            along = self.along - u[i] + dot(n, u[i])[:, None] * n
            size, most = np.linalg.norm(along, axis=1), friction * push
            along *= np.where(size > most, most / np.where(size > 0, size, 1.0), 1.0)[:, None]
            u[i] += along - self.along
            largest = max(largest, np.linalg.norm(along - self.along, axis=1).max())
            self.along = along
        return largest


class Contacts:
    """Of particles of `masses` [kg], of which `free` move, with friction mu [-]."""

    def __init__(self, solids, friction, masses, free):
        self.solids, self.friction, self.masses, self.free = solids, friction, masses, free

    def resolve(self, start, x, v):
        """Leads a step from `start` to x [m], v [m/s] around the solids: positions and velocities at its end; not a number where it
        cannot."""
        motion, rows, enough = x - start, [], DEPTH * np.abs(start).max()
        for _ in range(ROUNDS):
            met = [self.meet(solid, start, start + motion, 10 * enough if rows else None) for solid in self.solids]
            met = [found for found in met if len(found.particles)]
            if not met:
                break
            rows += met
            sweep(rows, motion, self.friction, enough)
        else:
            return np.full_like(x, np.nan), v
        touched = np.zeros(len(x), bool)
        closed = []
        for row in rows:
            touched[row.particles[row.push > 0]] = True
            near = (row.push > 0) | (row.approach(motion) >= -enough)
            if near.any():
                closed.append(Rows(row.particles[near], row.normals[near], np.zeros(near.sum())))
        # bounds of friction that change with the impulses may bring energy in; without friction nothing does
        for friction in (self.friction, None):
            slowed = v.copy()
            for row in closed:
                row.restart()
            sweep(closed, slowed, friction, SETTLED * np.abs(v).max())
            if self.energy(slowed) <= self.energy(v) * (1 + 1e-14):
                break
        for row in closed:
            touched[row.particles[row.push > 0]] = True
        touched = touched[:, None]
        return np.where(touched, start + motion, x), np.where(touched, slowed, v)

    def energy(self, v):
        return (self.masses[self.free] * dot(v[self.free], v[self.free])).sum()

    def meet(self, solid, start, end, tolerated):
        """Rows of the particles that come to a solid or, in a motion that was changed, end deeper in it than `tolerated` [m]."""
        near = DEPTH * np.maximum(np.abs(start).max(axis=1), np.abs(end).max(axis=1))
        before, after = distance(solid, start)[0], distance(solid, end)[0]
        when = np.where(before <= near, 0.0, reached(solid, start, end - start))
        when = np.where(np.isnan(when) & (after <= near), 1.0, when)
        met = (when >= 0) & (when <= 1) & self.free
        if tolerated is not None:
            met &= after < -np.maximum(near, tolerated)
        particles = np.flatnonzero(met)
        start, end = start[particles], end[particles]
        at = start + when[particles, None] * (end - start)
        depth, normals = distance(solid, at)
        return Rows(particles, normals, dot(normals, at - depth[:, None] * normals - start))


def sweep(rows, u, friction, enough):
    """Changes the motions or velocities u until all rows are fulfilled to `enough`."""
    for _ in range(SWEEPS):
        if max((row.solve(u, friction) for row in rows), default=0.0) <= enough:
            break
