"""Cloth as a flex of MuJoCo: triangles of a Saint Venant-Kirchhoff membrane with hinges that bend, `elastic2d`.

Every free particle is a body on three slide joints, every pinned one belongs to the world. Springs are not known to it: it gets the
membrane that they stand for.
"""

from protocol import Refusal, parser, race  # first: it sets the number of threads

import math

import mujoco
import numpy as np

# half the thickness that contacts see [m]
RADIUS = 1e-4
# Young's modulus times thickness is what counts; this thickness stands where nothing bends [m]
THIN = 1e-3


# otherwise warnings go to a file in the current folder; a state that is not finite is found anyway
mujoco.set_mju_user_warning(lambda message: None)


def words(numbers):
    return " ".join(repr(number) for number in np.asarray(numbers, float).ravel().tolist())


class Rival:
    program = "MuJoCo"
    version = mujoco.__version__
    precision = "double"

    def __init__(self, scene, options):
        self.scene, self.options = scene, options
        membrane, rigidity = scene.membrane()
        scene.need_triangles()
        # E t = membrane and E t³ / (12 (1 - nu²)) = rigidity
        thickness = math.sqrt(12 * (1 - options.poisson**2) * rigidity / membrane) if rigidity > 0 else THIN
        shear = membrane / 2 / (1 + options.poisson)
        elastic = "both" if rigidity > 0 else "stretch"
        until = f"to {options.tolerance:g} or {options.iterations} iterations"
        self.method = f"flex, elastic2d {elastic}, {options.integrator}, {options.solver} {until}"
        self.mapping = [
            f"membrane stiffness {membrane:g} N/m: Young's modulus {membrane / thickness:g} Pa times thickness {thickness:g} m",
            f"Poisson's ratio {options.poisson:g}, so that the shear stiffness is {shear:g} N/m",
            f"bending rigidity {rigidity:g} N m: by the same thickness" if rigidity > 0 else "bending: none",
            "masses: of the bodies of the particles; pins: vertices of the world",
        ]
        self.lacks = ["wind"] if scene.drag is not None else []
        if scene.springs is not None:
            self.lacks.append("springs: the flex is a membrane, which resists compression and has a shear modulus of its own")
            if scene.springs.damping.any():
                self.lacks.append("damping of springs")
        elif not math.isclose(scene.continuum.get("shear", shear), shear):
            self.lacks.append("a shear stiffness apart from the stretch stiffness")
        if scene.air > 0:
            self.mapping.append("air: forces of the state before a step, as joints of a flex take no damping")
        if scene.solids:
            self.mapping.append(
                f"solids: geoms; cloth is {2 * RADIUS:g} m thick to them, contacts are soft constraints of MuJoCo's own"
            )
            friction = scene.friction or {"static": 0.0, "kinetic": 0.0}
            if friction["static"] != friction["kinetic"]:
                self.lacks.append("static friction apart from kinetic")
            self.mapping.append(f"friction: its coefficient is {friction['kinetic']:g}, kinetic")
        self.model = mujoco.MjModel.from_xml_string(self.document(thickness, membrane / thickness, elastic))
        self.data = mujoco.MjData(self.model)
        self.free = scene.free()
        if not self.free.all():
            self.model.flex_vert[~self.free] = scene.positions[~self.free]  # the flex was at rest as it was built
        self.model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        self.restart()

    def document(self, thickness, young, elastic):
        scene, options = self.scene, self.options
        free, rest = scene.free(), scene.rest_positions
        if not free.any():
            raise Refusal("cloth that is pinned everywhere")
        bodies, names, places = [], [], np.zeros_like(rest)
        for i, (x, mass) in enumerate(zip(rest, scene.masses)):
            if not free[i]:
                names.append("world")
                places[i] = x
                continue
            names.append(f"p{i}")
            inertia = float(mass) * RADIUS**2
            joints = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
            inertial = f'<inertial pos="0 0 0" mass="{float(mass)!r}" diaginertia="{words([inertia] * 3)}"/>'
            bodies.append(f'<body name="p{i}" pos="{words(x)}">{inertial}{joints}</body>')
        touches = int(bool(scene.solids))
        friction = scene.friction["kinetic"] if scene.friction else 0.0
        geoms = []
        for solid in scene.solids:
            if solid["kind"] == "sphere":
                shape = f'type="sphere" size="{solid["radius"]!r}" pos="{words(solid["centre"])}"'
            else:
                shape = f'type="plane" size="0 0 1" pos="{words(solid["point"])}" zaxis="{words(solid["normal"])}"'
            geoms.append(f'<geom {shape} friction="{friction!r} 0 0"/>')
        element = " ".join(map(str, scene.triangles.ravel().tolist()))
        return f"""<mujoco>
  <compiler inertiafromgeom="false" boundmass="0"/>
  <option timestep="{scene.step!r}" gravity="{words(scene.gravity)}" integrator="{options.integrator}" solver="{options.solver}"
          tolerance="{options.tolerance!r}" iterations="{options.iterations}" jacobian="sparse"/>
  <worldbody>{"".join(geoms)}{"".join(bodies)}</worldbody>
  <deformable>
    <flex name="cloth" dim="2" radius="{RADIUS}" body="{" ".join(names)}" vertex="{words(places)}" element="{element}">
      <elasticity young="{young!r}" poisson="{options.poisson!r}" thickness="{thickness!r}" elastic2d="{elastic}"/>
      <contact contype="{touches}" conaffinity="{touches}" selfcollide="none" friction="{friction!r} 0 0"/>
    </flex>
  </deformable>
</mujoco>"""

    def restart(self):
        """Joints stand for the displacement from where particles are at rest."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:] = (self.scene.positions - self.scene.rest_positions)[self.free].ravel()
        self.data.qvel[:] = self.scene.velocities[self.free].ravel()

    def warm_up(self):
        mujoco.mj_step(self.model, self.data)
        self.restart()

    def step(self):
        if self.scene.air > 0:
            self.data.qfrc_applied[:] = -self.scene.air * self.data.qvel
        mujoco.mj_step(self.model, self.data)

    def positions(self):
        x = self.scene.positions.copy()
        x[self.free] = self.scene.rest_positions[self.free] + self.data.qpos.reshape(-1, 3)
        return x


if __name__ == "__main__":
    options = parser(__doc__.splitlines()[0])
    options.add_argument(
        "--integrator", choices=["discrete", "Euler", "RK4"], default="discrete", help="discrete if nothing is said"
    )
    options.add_argument("--solver", choices=["CG", "Newton"], default="CG", help="CG if nothing is said")
    options.add_argument("--tolerance", type=float, default=1e-8, help="of the solver, 1e-8 if nothing is said")
    options.add_argument("--iterations", type=int, default=100, help="of the solver, at most; 100 if nothing is said")
    options.add_argument("--poisson", type=float, default=0.0, help="Poisson's ratio, 0 if nothing is said")
    race(Rival, options)
