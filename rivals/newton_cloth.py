"""Cloth by the solvers of Newton (newton-physics.org) on the processor: VBD, XPBD, or Style3D.

VBD and XPBD take springs as they are, VBD a continuum as triangles too; Style3D knows triangles alone, and gets the membrane that
springs stand for.
"""

from protocol import Refusal, parser, race  # first: it sets the number of threads

import numpy as np
import warp as wp

wp.config.log_level = wp.LOG_ERROR
import newton

# radius of a particle to solids [m]
RADIUS = 1e-3


class Rival:
    program = "Newton"
    version = f"{newton.__version__}, Warp {wp.__version__}"
    precision = "single"

    def __init__(self, scene, options):
        self.scene, self.options = scene, options
        self.mapping, self.lacks = [], []
        self.builder = newton.ModelBuilder()
        self.free = scene.free()
        if options.solver == "style3d":
            newton.solvers.SolverStyle3D.register_custom_attributes(self.builder)
            self.add_panel()
        else:
            self.add_particles()
            self.add_springs() if scene.springs is not None else self.add_triangles()
        self.mapping.append("masses and gravity: as they are; pins: particles without mass")
        if scene.air > 0 or scene.drag is not None:
            self.lacks.append("air")
        friction = scene.friction or {"static": 0.0, "kinetic": 0.0}
        # a contact has a mean of the coefficients of the particle and of the shape
        self.builder.default_shape_cfg.mu = friction["kinetic"]
        for solid in scene.solids:
            self.add_solid(solid)
        self.model = self.builder.finalize(device="cpu")
        self.model.set_gravity(scene.gravity.tolist())
        self.solver = self.make_solver()
        if options.solver == "style3d":
            self.lacks.append("motion without damping: 0.2 % of every velocity are taken in every step")
        self.states = [self.model.state(), self.model.state()]
        self.control = self.model.control()
        self.pipeline = newton.CollisionPipeline(self.model)
        self.contacts = self.pipeline.contacts()
        if scene.solids:
            self.model.soft_contact_mu = friction["kinetic"]
            self.mapping.append(
                f"solids: shapes, {RADIUS:g} m from the cloth, of Newton's own stiffness; friction: the kinetic coefficient"
            )
            if friction["static"] != friction["kinetic"]:
                self.lacks.append("static friction apart from kinetic")
        if options.iterations < 100:
            self.lacks.append("convergence: so few iterations leave cloth softer than it is")
        self.restart()

    def add_particles(self):
        scene, mass = self.scene, np.where(self.free, self.scene.masses, 0.0)
        flags = np.where(self.free, int(newton.ParticleFlags.ACTIVE), 0)
        still = [wp.vec3(0.0)] * scene.count
        rest = [wp.vec3(*x) for x in scene.rest_positions.tolist()]
        self.builder.add_particles(rest, still, mass.tolist(), radius=[RADIUS] * scene.count, flags=flags.tolist())

    def add_springs(self):
        springs = self.scene.springs
        for i, j, ks, kd in zip(springs.i.tolist(), springs.j.tolist(), springs.at_rest(self.scene.bend_law), springs.damping):
            self.builder.add_spring(i, j, float(ks), float(kd), 0.0)
        self.builder.spring_rest_length[:] = springs.rest.tolist()
        self.mapping.append("springs: springs")
        if not springs.pushes.all() or not springs.pulls.all():
            self.lacks.append("springs that act in extension only, or in compression only: all act in both")
        if self.scene.bend_law is not None:
            self.mapping.append("bend springs: linear, with their stiffness near rest")
        if springs.damping.any():
            self.mapping.append("damping of springs: along them, also where they shorten")
        self.builder.set_coloring(colours(self.scene.count, np.stack((springs.i, springs.j), axis=1)))

    def add_triangles(self):
        if self.options.solver == "xpbd":
            raise Refusal("triangles without springs, by XPBD")
        membrane, rigidity = self.scene.membrane()
        triangles = self.scene.need_triangles()
        a, b, c = triangles.T.tolist()
        count = len(triangles)
        self.builder.add_triangles(a, b, c, tri_ke=[membrane / 2] * count, tri_ka=[0.0] * count, tri_kd=[0.0] * count)
        for (k, l), (i, j) in hinges(triangles):
            x = self.scene.rest_positions
            area = 0.5 * sum(np.linalg.norm(np.cross(x[k] - x[o], x[l] - x[o])) for o in (i, j))
            self.builder.add_edge(i, j, k, l, edge_ke=rigidity * float(np.linalg.norm(x[k] - x[l])) / area, edge_kd=0.0)
        self.builder.color(include_bending=rigidity > 0)
        self.mapping.append(f"membrane stiffness {membrane:g} N/m: of triangles, with Poisson's ratio 0")
        if rigidity > 0:
            self.mapping.append(f"bending rigidity {rigidity:g} N m: of hinges, exact for cylinders along the lines of a grid")
        continuum = self.scene.continuum
        if continuum is not None and continuum.get("shear", membrane / 2) != membrane / 2:
            self.lacks.append("a shear stiffness apart from the stretch stiffness")

    def add_panel(self):
        scene = self.scene
        membrane, rigidity = scene.membrane()
        shear = scene.continuum.get("shear", membrane / 2) if scene.continuum is not None else membrane / 2
        newton.solvers.style3d.add_cloth_mesh(
            self.builder,
            pos=wp.vec3(0.0),
            rot=wp.quat_identity(),
            vel=wp.vec3(0.0),
            vertices=[wp.vec3(*x) for x in scene.rest_positions.tolist()],
            indices=scene.need_triangles().ravel().tolist(),
            panel_verts=panel(scene.rest_positions, scene.need_triangles()).tolist(),
            density=1.0,
            tri_aniso_ke=wp.vec3(membrane, membrane, shear),
            edge_aniso_ke=wp.vec3(rigidity, rigidity, rigidity),
            tri_kd=0.0,
            edge_kd=0.0,
            particle_radius=RADIUS,
        )
        self.builder.particle_mass[:] = np.where(self.free, scene.masses, 0.0).tolist()
        self.builder.particle_flags[:] = np.where(self.free, int(newton.ParticleFlags.ACTIVE), 0).tolist()
        self.mapping.append(
            f"membrane stiffness {membrane:g} N/m: along both threads, shear {shear:g} N/m, without Poisson's effect"
        )
        self.mapping.append(f"bending rigidity {rigidity:g} N m: as it is")
        if scene.springs is not None:
            self.lacks.append("springs: triangles, which resist compression")

    def add_solid(self, solid):
        if solid["kind"] == "sphere":
            place = wp.transform(wp.vec3(*solid["centre"].tolist()), wp.quat_identity())
            self.builder.add_shape_sphere(-1, xform=place, radius=solid["radius"])
        else:
            offset = -float(solid["normal"] @ solid["point"])
            self.builder.add_shape_plane((*solid["normal"].tolist(), offset), width=0.0, length=0.0)

    def make_solver(self):
        iterations, solvers = self.options.iterations, newton.solvers
        if self.options.solver == "vbd":
            self.method = f"VBD, {iterations} iterations"
            return solvers.SolverVBD(self.model, iterations=iterations, particle_enable_self_contact=False)
        if self.options.solver == "xpbd":
            self.method = f"XPBD, {iterations} iterations"
            return solvers.SolverXPBD(self.model, iterations=iterations)
        self.method = f"Style3D, {iterations} iterations"
        return solvers.SolverStyle3D(self.model, config=solvers.SolverStyle3D.Config(iterations=iterations))

    def restart(self):
        for state in self.states:
            state.particle_q.assign(self.scene.positions.astype(np.float32))
            state.particle_qd.assign(np.where(self.free[:, None], self.scene.velocities, 0.0).astype(np.float32))

    def warm_up(self):
        """A step and its end, on a solver of its own: some keep what they found."""
        self.step()
        self.step()
        self.restart()
        self.solver = self.make_solver()

    def step(self):
        before, after = self.states
        before.clear_forces()
        if self.scene.solids:
            self.pipeline.collide(before, self.contacts)
        self.solver.step(before, after, self.control, self.contacts, self.scene.step)
        self.states = [after, before]

    def positions(self):
        return self.states[0].particle_q.numpy().astype(float)


def colours(count, pairs):
    """Groups of particles none of which share a spring: greedy, in the order of the particles."""
    neighbours = [[] for _ in range(count)]
    for i, j in pairs.tolist():
        neighbours[i].append(j)
        neighbours[j].append(i)
    colour = [-1] * count
    for i in range(count):
        taken = {colour[j] for j in neighbours[i]}
        colour[i] = next(c for c in range(count) if c not in taken)
    colour = np.array(colour)
    return [np.flatnonzero(colour == c) for c in range(colour.max() + 1)]


def hinges(triangles):
    """Edges (k, l) with the corners opposite to them: (i, k, l) and (j, l, k) are triangles."""
    opposite = {(a[s - 2], a[s - 1]): a[s] for a in triangles.tolist() for s in range(3)}
    return [((k, l), (i, opposite[l, k])) for (k, l), i in opposite.items() if k < l and (l, k) in opposite]


def panel(rest, triangles):
    """Coordinates in its plane of cloth that is flat at rest, along its first edge and to the left, where triangles wind to."""
    x = rest - rest[0]
    u = x[1] / np.linalg.norm(x[1])
    normal = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)[2][2]
    if np.abs(x @ normal).max() > 1e-6 * np.abs(x).max():
        raise Refusal("cloth that is not flat at rest, by Style3D")
    a, b, c = (x[corner] for corner in triangles.T)
    normal *= np.sign((np.cross(b - a, c - a) @ normal).sum())
    return np.stack((x @ u, x @ np.cross(normal, u)), axis=1)


if __name__ == "__main__":
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--solver", choices=["vbd", "xpbd", "style3d"], default="vbd", help="vbd if nothing is said")
    options.add_argument("--iterations", type=int, default=10, metavar="N", help="of a step, 10 if nothing is said")
    race(Rival, options)
