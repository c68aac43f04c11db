"""Springs as XPBD distance constraints of PositionBasedDynamics, each of compliance 1 / stiffness."""

from protocol import Refusal, parser, race  # first: it sets the number of threads

import importlib.metadata
import os
import sys
from contextlib import contextmanager

import numpy as np

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pypbd

GRAVITY = 9.81

# bodies of which the library takes the box that they fill; distances are those of a ball and of a box
OCTAHEDRON = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], float)
OCTAHEDRON_FACES = [[0, 4, 3], [0, 3, 5], [0, 5, 2], [0, 2, 4], [1, 3, 4], [1, 5, 3], [1, 2, 5], [1, 4, 2]]
CUBE = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
CUBE_FACES = [
    [a, b, c]
    for p, q, r, s in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    for a, b, c in ((p, q, r), (p, r, s))
]


@contextmanager
def quiet():
    """Without what the library prints, which goes around Python's own streams."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


class Rival:
    program = "PositionBasedDynamics"
    version = f"pyPBD {importlib.metadata.version('pyPBD')}"
    precision = "double"

    def __init__(self, scene, options):
        springs = scene.need_springs()
        self.scene = scene
        self.method = f"XPBD, {options.sub_steps} sub-steps of {options.iterations} iterations"
        self.mapping = [
            "springs: distance constraints of compliance 1 / stiffness",
            "masses and gravity: as they are; pins: particles without mass",
        ]
        self.lacks = []
        if not springs.pushes.all() or not springs.pulls.all():
            self.lacks.append("springs that act in extension only, or in compression only: all act in both")
        if scene.bend_law is not None:
            self.mapping.append("bend springs: linear, with their stiffness near rest")
        if springs.damping.any():
            self.lacks.append("damping of springs")
        if scene.air > 0 or scene.drag is not None:
            self.lacks.append("air")
        if options.iterations * options.sub_steps < 1000:
            self.lacks.append("convergence: so few iterations leave cloth softer than its springs")

        strength = float(np.linalg.norm(scene.gravity))
        if strength == 0:
            raise Refusal("no gravity")
        # the module cannot set gravity, which is 9.81 m/s² along -y: the scene is turned, and its lengths are scaled
        self.turn, self.scale = onto_minus_y(scene.gravity / strength), GRAVITY / strength
        if self.scale != 1:
            self.mapping.append(f"lengths are {self.scale:g} times as large, as gravity is always {GRAVITY} m/s²")

        simulation = pypbd.Simulation.getCurrent()
        with quiet():
            simulation.initDefault()
        self.model, self.controller = simulation.getModel(), simulation.getTimeStep()
        pypbd.TimeManager.getCurrent().setTimeStepSize(scene.step)
        self.controller.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, options.sub_steps)
        self.controller.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, options.iterations)
        self.particles = particles = self.model.getParticles()
        if scene.solids:
            self.add_solids()
        else:
            for _ in range(scene.count):
                particles.addVertex(np.zeros(3))
        free = scene.free()
        for i, mass in enumerate(scene.masses):
            particles.setMass(i, mass if free[i] else 0.0)
        stiffness = springs.at_rest(scene.bend_law)
        for i, j, rest, ks in zip(springs.i.tolist(), springs.j.tolist(), springs.rest * self.scale, stiffness):
            # a constraint takes its length from where its particles are at rest
            particles.setPosition0(i, np.zeros(3))
            particles.setPosition0(j, np.array([rest, 0.0, 0.0]))
            if ks > 0:
                self.model.addDistanceConstraint_XPBD(i, j, ks)
        self.restart()

    def add_solids(self):
        """Particles, as those of triangles, which alone meet rigid bodies, and these. What the library points to is kept."""
        scene, model = self.scene, self.model
        friction = scene.friction or {"static": 0.0, "kinetic": 0.0}
        points = list(self.scale * scene.rest_positions @ self.turn.T)
        cloth = model.addTriangleModel(points, scene.need_triangles().ravel().tolist(), testMesh=True)
        cloth.setFrictionCoeff(0.0)  # coefficients of both sides are added, those of restitution multiplied
        cloth.setRestitutionCoeff(0.0)
        # two calls of the one or a call of getCollisionObjects, and Python frees what the library still has
        detection = self.controller.getCollisionDetection()
        detection.setTolerance(0.0)
        self.kept = [cloth, detection]
        for k, solid in enumerate(scene.solids):
            if solid["kind"] == "sphere":
                radius = self.scale * solid["radius"]
                corners, faces = radius * OCTAHEDRON, OCTAHEDRON_FACES
                place, turn = self.scale * self.turn @ solid["centre"], np.eye(3)
            else:
                side = 20 * self.scale * float(np.ptp(scene.positions, axis=0).max())
                corners, faces = side / 2 * CUBE, CUBE_FACES
                normal = self.turn @ solid["normal"]
                place, turn = self.scale * self.turn @ solid["point"] - side / 2 * normal, onto_minus_y(-normal).T
            vertices, mesh = pypbd.VertexData(), pypbd.IndexedFaceMesh()
            for corner in corners:
                vertices.addVertex(corner)
            mesh.initMesh(len(corners), 3 * len(faces) // 2, len(faces))
            for face in faces:
                mesh.addFace(face)
            mesh.buildNeighbors()
            body = model.addRigidBody(1.0, vertices, mesh, place, turn, np.ones(3), False, False)
            body.setMass(0.0)
            body.setFrictionCoeff(friction["kinetic"])
            body.setRestitutionCoeff(0.0)
            what = k, pypbd.CollisionObject.RigidBodyCollisionObjectType, vertices, 0, len(corners)
            if solid["kind"] == "sphere":
                detection.addCollisionSphere(*what, radius, False, False)
            else:
                detection.addCollisionBox(*what, np.full(3, side), False, False)
            self.kept += [vertices, mesh, body]
        self.mapping.append(
            "solids: rigid bodies without mass, a plane as the face of a box, met by velocities at the end of a step, with the"
            " library's own stiffness against depth; friction: the kinetic coefficient"
        )
        self.lacks.append("solids that are not entered: contacts are found after a step")
        if friction["static"] != friction["kinetic"]:
            self.lacks.append("static friction apart from kinetic")

    def restart(self):
        x, v = (self.scale * rows @ self.turn.T for rows in (self.scene.positions, self.scene.velocities))
        for i in range(self.scene.count):
            self.particles.setPosition(i, x[i])
            self.particles.setVelocity(i, v[i])

    def warm_up(self):
        with quiet():
            self.step()
        self.restart()

    def step(self):
        self.controller.step(self.model)

    def positions(self):
        x = np.array([self.particles.getPosition(i) for i in range(self.scene.count)])
        return x @ self.turn / self.scale


def onto_minus_y(direction):
    """The rotation that takes a direction to -y."""
    target = np.array([0.0, -1.0, 0.0])
    cosine = direction @ target
    if cosine < -0.99999999:
        return np.diag([1.0, -1.0, -1.0])
    axis = np.cross(direction, target)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + cross + cross @ cross / (1 + cosine)


if __name__ == "__main__":
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--sub-steps", type=int, default=20, metavar="N", help="of a step, 20 if nothing is said")
    options.add_argument("--iterations", type=int, default=1, metavar="N", help="of a sub-step, 1 if nothing is said")
    race(Rival, options)
