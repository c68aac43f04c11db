"""The cloth modifier of Blender: its springs along edges and across quads, by backward Euler with one linear solve a step.

A frame is a step. Blender measures time in units of sqrt(1e-3) s, in which it takes a thousandth of gravity, whatever the frame
rate; stiffnesses that it is given are divided by the mean length of an edge.
"""

from protocol import Refusal, parser, race  # first: it sets the number of threads

import math
import os

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # it takes as many threads as it sees processors

import bpy
import numpy as np

# [s]
UNIT = math.sqrt(1e-3)
# largest stiffness that its interface takes [kg m / UNIT²]
MOST = 10_000.0
# how near cloth comes to a solid, and the least that is possible [m]
NEAR = 1e-3


class Rival:
    program = "Blender"
    version = bpy.app.version_string
    precision = "single"

    def __init__(self, scene, options):
        if scene.velocities.any():
            raise Refusal("cloth that moves at the start")
        self.scene, self.options = scene, options
        self.method = "cloth modifier, 1 linear solve a step, to 1 % or 100 iterations"
        self.mapping, self.lacks = [], []
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.preferences.edit.use_global_undo = False
        world = bpy.context.scene
        world.gravity = scene.gravity.tolist()
        world.frame_start, world.frame_end = 0, int(scene.sample_steps[-1])
        for solid in scene.solids:
            self.add_solid(solid)
        self.cloth = self.add_cloth()
        world.frame_set(0)
        self.frame = 0

    def add_cloth(self):
        scene = self.scene
        faces = quads(scene.grid) if scene.grid is not None else scene.need_triangles().tolist()
        mesh = bpy.data.meshes.new("cloth")
        mesh.from_pydata(scene.positions.tolist(), [], faces)
        cloth = bpy.data.objects.new("cloth", mesh)
        bpy.context.collection.objects.link(cloth)
        modifier = cloth.modifiers.new("cloth", "CLOTH")
        settings = modifier.settings
        if (scene.positions != scene.rest_positions).any():
            cloth.shape_key_add(name="start")
            rest = cloth.shape_key_add(name="rest")
            rest.data.foreach_set("co", scene.rest_positions.astype(np.float32).ravel())
            settings.rest_shape_key = rest
        self.add_material(settings, mesh)
        if len(scene.pins):
            group = cloth.vertex_groups.new(name="pins")
            group.add(scene.pins.tolist(), 1.0, "REPLACE")
            settings.vertex_group_mass = "pins"
            self.mapping.append("pins: the pin group")
        settings.quality, settings.time_scale = 1, scene.step / UNIT
        modifier.point_cache.frame_start, modifier.point_cache.frame_end = 0, int(scene.sample_steps[-1])
        contact = modifier.collision_settings
        contact.use_self_collision, contact.use_collision = False, bool(scene.solids)
        contact.distance_min = NEAR
        if scene.solids:
            self.mapping.append(f"solids: collision meshes, {NEAR:g} m of distance")
            if scene.friction is not None:
                self.lacks.append("coefficients of friction: Blender's own friction, as it comes")
            else:
                contact.friction = 0.0
        return cloth

    def add_material(self, settings, mesh):
        scene = self.scene
        edges = np.array([edge.vertices[:] for edge in mesh.edges])
        mean = np.linalg.norm(np.diff(scene.rest_positions[edges], axis=1), axis=2).mean()
        rigidity = 0.0
        if scene.springs is not None:
            families = {kind: scene.springs.kind == kind for kind in ("stretch", "shear", "bend")}
            ks, kd = (
                {kind: mean_of(values[those]) for kind, those in families.items()}
                for values in (scene.springs.stiffness, scene.springs.damping)
            )
            if any(np.ptp(scene.springs.stiffness[those]) > 0 for those in families.values() if those.any()):
                self.lacks.append("stiffness that differs within a family of springs: its mean")
            if scene.grid is None:
                self.lacks.append("springs other than along edges of triangles")
            pushes = bool(scene.springs.pushes[families["stretch"]].any())
            if self.options.compression == "tension" and not pushes:
                pushes = True
                self.lacks.append("stretch springs that act in extension only: by choice")
            if bool(scene.springs.pushes[families["shear"]].any()):
                self.lacks.append("shear springs that push")
            if families["bend"].any() or scene.bend_law is not None:
                self.lacks.append("bend springs")
            if scene.sheet is not None:
                rigidity = scene.membrane()[1]
        else:
            stretch, rigidity = scene.membrane()
            shear = scene.continuum.get("shear", 0.0) if scene.grid is not None else 0.0
            # C11 - C12² / C11 = stretch, where C11 = ks + shear and C12 = shear; without quads those of a lattice of equal triangles
            along = 0.5 * (stretch + math.hypot(stretch, 2 * shear)) - shear if scene.grid is not None else math.sqrt(0.75) * stretch
            ks = {"stretch": along, "shear": shear}
            kd, pushes = {"stretch": 0.0, "shear": 0.0}, True
            self.lacks.append("a continuum: springs along edges" + (" and across quads" if scene.grid is not None else ""))
        unit = UNIT**2 * mean
        names = {"tension": ks["stretch"], "compression": ks["stretch"] if pushes else 0.0, "shear": ks["shear"]}
        for name, stiffness in names.items():
            if stiffness * unit > MOST:
                raise Refusal(f"springs of {stiffness:g} N/m and {mean:g} m")
            setattr(settings, f"{name}_stiffness", stiffness * unit)
            setattr(settings, f"{name}_stiffness_max", stiffness * unit)
        for name, damping in {
            "tension": kd["stretch"],
            "compression": kd["stretch"] if pushes else 0.0,
            "shear": kd["shear"],
        }.items():
            setattr(settings, f"{name}_damping", damping * UNIT)
        self.mapping.append(f"springs: stiffness times {unit:g}, the square of the unit of time and the mean length of an edge")
        # a hinge of length h between quads bends by 0.05 b h² of its stiffness b
        settings.bending_model = "ANGULAR"
        settings.bending_stiffness = settings.bending_stiffness_max = bending = rigidity * UNIT**2 / (0.05 * mean**2)
        settings.bending_damping = 0.0
        if rigidity > 0:
            self.mapping.append(f"bending: a stiffness of {bending:g}, which is that of quads")
        masses = scene.masses
        settings.mass = masses.mean()
        if np.ptp(masses) > 1e-6 * masses.mean():
            self.lacks.append("masses that differ: their mean")
        else:
            self.mapping.append("mass: that of a vertex")
        settings.air_damping = min(scene.air * UNIT / 0.01, 10.0)
        if scene.air > 0:
            self.mapping.append("air: air damping")
        if scene.drag is not None:
            self.lacks.append("wind")

    def add_solid(self, solid):
        if solid["kind"] == "sphere":
            bpy.ops.mesh.primitive_uv_sphere_add(
                segments=96, ring_count=48, radius=solid["radius"], location=solid["centre"].tolist()
            )
        else:
            size = 20 * float(np.ptp(self.scene.positions, axis=0).max())
            bpy.ops.mesh.primitive_plane_add(size=size, location=solid["point"].tolist())
            body = bpy.context.object
            body.rotation_mode = "QUATERNION"
            body.rotation_quaternion = body.matrix_world.to_3x3().col[2].rotation_difference(solid["normal"].tolist())
        body = bpy.context.object
        body.modifiers.new("collision", "COLLISION")
        body.collision.thickness_outer = NEAR
        body.collision.damping = 0.0
        if self.scene.friction is None:
            body.collision.cloth_friction = 0.0

    def step(self):
        self.frame += 1
        bpy.context.scene.frame_set(self.frame)

    def positions(self):
        found = self.cloth.evaluated_get(bpy.context.evaluated_depsgraph_get())
        if "NO_CONVERGENCE" in found.modifiers["cloth"].solver_result.status:
            self.lacks.append(f"convergence of the linear system in step {self.frame}, to 1 % in 100 iterations")
        mesh = found.data
        x = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", x)
        return x.reshape(-1, 3).astype(float)


def quads(grid):
    nx, ny = grid["nx"], grid["ny"]
    index = np.arange(nx * ny).reshape(ny, nx)
    corners = (index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1])
    return np.stack([corner.ravel() for corner in corners], axis=1).tolist()


def mean_of(values):
    return float(values.mean()) if len(values) else 0.0


if __name__ == "__main__":
    options = parser(__doc__.splitlines()[0])
    choices = ["scene", "tension"]
    options.add_argument(
        "--compression",
        choices=choices,
        default="tension",
        help="of stretch springs: as in the scene, or as in tension, if nothing is said",
    )
    race(Rival, options)
