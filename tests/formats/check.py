"""Opens the frames of a simulation with the tools that people use, and compares what they read with the OBJ frames.

check.py FOLDER: what `clothlab simulate SCENE --frames obj,pc2,usda,vtk --out FOLDER` wrote.
"""
import sys
from pathlib import Path

import numpy as np


def obj(path):
    """Vertices and faces of an OBJ file, counted from 0."""
    lines = path.read_text().splitlines()
    vertices = np.array([[float(word) for word in line.split()[1:]] for line in lines if line.startswith("v ")])
    faces = [[int(word.split("/")[0]) - 1 for word in line.split()[1:]] for line in lines if line.startswith("f ")]
    return vertices, faces


def solids_of(folder, k):
    """Vertices of each solid in frame k, and its faces counted from its first vertex: where none moves, as they always are."""
    path = folder / "frames" / f"solids_{k:05}.obj"
    path = path if path.exists() else folder / "solids.obj"
    if not path.exists():
        return []
    solids, before = [], 0
    for part in path.read_text().split("o solid_")[1:]:
        lines = part.splitlines()
        x = np.array([[float(word) for word in line.split()[1:]] for line in lines if line.startswith("v ")])
        faces = [[int(word) - 1 - before for word in line.split()[1:]] for line in lines if line.startswith("f ")]
        solids.append((x, faces))
        before += len(x)
    return solids


def near(found, expected, what):
    """Single precision of coordinates of a metre or so."""
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape, f"{what}: shape {found.shape}, not {expected.shape}"
    largest = np.abs(found - expected).max()
    assert largest <= 1e-6 * max(1.0, np.abs(expected).max()), f"{what}: off by {largest} m"


def with_usd(folder, frames, faces):
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(folder / "cloth.usda"))
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetEndTimeCode() == len(frames) - 1
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/scene/cloth"))
    counts, indices = mesh.GetFaceVertexCountsAttr().Get(), mesh.GetFaceVertexIndicesAttr().Get()
    assert list(counts) == [len(face) for face in faces]
    assert list(indices) == [corner for face in faces for corner in face]
    for k, x in enumerate(frames):
        near(mesh.GetPointsAttr().Get(k), x, f"USD, frame {k}")
    texture = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
    assert len(texture.Get()) == len(indices)
    solids = [prim for prim in stage.GetPrimAtPath("/scene").GetChildren() if prim.GetName().startswith("solid_")]
    assert len(solids) == len(solids_of(folder, 0))
    for k in range(len(frames)):
        for prim, (x, solid_faces) in zip(solids, solids_of(folder, k)):
            points = np.array(UsdGeom.Mesh(prim).GetPointsAttr().Get(k), float)
            moved = np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(k))  # of rows
            near(points @ moved[:3, :3] + moved[3, :3], x, f"USD, {prim.GetName()} in frame {k}")
            counts = UsdGeom.Mesh(prim).GetFaceVertexCountsAttr().Get()
            assert list(counts) == [len(face) for face in solid_faces]
    return f"usd-core: {len(frames)} frames, {len(solids)} solids"


def with_meshio(folder, frames, faces):
    import meshio

    for k, x in enumerate(frames):
        mesh = meshio.read(folder / "frames" / f"frame_{k:05}.vtk")
        near(mesh.points, x, f"VTK, frame {k}")
        assert mesh.point_data["velocity"].shape == x.shape and mesh.point_data["stretch"].size == len(x)
        assert sum(len(cells.data) for cells in mesh.cells) == len(faces)
        path = folder / "frames" / f"solids_{k:05}.vtk"
        if path.exists():
            solids = meshio.read(path)
            near(solids.points, np.concatenate([x for x, _ in solids_of(folder, k)]), f"VTK, solids in frame {k}")
            assert sum(len(cells.data) for cells in solids.cells) == sum(len(faces) for _, faces in solids_of(folder, k))
    return f"meshio: {len(frames)} frames with velocity and stretch"


def with_blender(folder, frames, faces):
    import bpy

    def empty():
        bpy.ops.wm.read_factory_settings(use_empty=True)

    def shown(cloth, k):
        bpy.context.scene.frame_set(k)
        evaluated = cloth.evaluated_get(bpy.context.evaluated_depsgraph_get())
        return [evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices]

    empty()
    bpy.ops.wm.usd_import(filepath=str(folder / "cloth.usda"))
    cloth = bpy.data.objects["cloth"]
    assert [list(face.vertices) for face in cloth.data.polygons] == faces and len(cloth.data.uv_layers) == 1
    for k, x in enumerate(frames):
        near(shown(cloth, k), x, f"Blender from USD, frame {k}")
        for number, (solid, _) in enumerate(solids_of(folder, k)):
            near(shown(bpy.data.objects[f"solid_{number}"], k), solid, f"Blender from USD, solid {number} in frame {k}")

    empty()
    bpy.ops.wm.obj_import(filepath=str(folder / "rest.obj"), forward_axis="Y", up_axis="Z")
    cloth = bpy.context.selected_objects[0]
    assert len(cloth.data.uv_layers) == 1
    cache = cloth.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format, cache.filepath, cache.interpolation = "PC2", str(folder / "cloth.pc2"), "NONE"
    for k, x in enumerate(frames):
        near(shown(cloth, k), x, f"Blender from PC2, frame {k}")
    if solids_of(folder, 0):
        bpy.ops.wm.obj_import(filepath=str(folder / "solids.obj"), forward_axis="Y", up_axis="Z")
        for number in range(len(solids_of(folder, 0))):
            solid, path = bpy.data.objects[f"solid_{number}"], folder / f"solid_{number}.pc2"
            if path.exists():
                cache = solid.modifiers.new("cache", "MESH_CACHE")
                cache.cache_format, cache.filepath, cache.interpolation = "PC2", str(path), "NONE"
            for k in range(len(frames)):
                near(shown(solid, k), solids_of(folder, k)[number][0], f"Blender from PC2, solid {number} in frame {k}")
    return f"Blender {bpy.app.version_string}: {len(frames)} frames from USD and from PC2"


def main():
    folder = Path(sys.argv[1])
    read = [obj(path) for path in sorted((folder / "frames").glob("frame_*.obj"))]
    frames, faces = [vertices for vertices, _ in read], read[0][1]
    assert len(frames) > 1
    rest, rest_faces = obj(folder / "rest.obj")
    assert rest.shape == frames[0].shape and rest_faces == faces
    for opened in (with_usd, with_meshio, with_blender):
        print(opened(folder, frames, faces))


if __name__ == "__main__":
    main()
