"""Are frames of our scenes free of intersections? Asked is the IPC Toolkit, which knows nothing of our checks.

    python scenes.py out/peers/scenes tests/peers/found/scenes.csv

The first folder holds a simulation a scene, with frames as OBJ. The cloth of every frame is looked at, together with the bodies of
scene-solid-K.obj where they do not move; moving ones are left out, since frames say nothing of where they are.
"""

import csv
import sys
import tomllib
from pathlib import Path

import ipctk
import numpy as np


def read(path, first):
    """Vertices and triangles of an OBJ file, corners counted from `first`; of a face with more corners a fan."""
    vertices, faces = [], []
    for line in path.read_text().splitlines():
        kind, *words = line.split() or [""]
        if kind == "v":
            vertices.append([float(word) for word in words[:3]])
        elif kind == "f":
            corners = [first + int(word.split("/")[0]) - 1 for word in words]
            faces += [[corners[0], corners[k], corners[k + 1]] for k in range(1, len(corners) - 1)]
    return vertices, faces


def bodies(folder, first):
    """Those of a simulation that stand still, and how many move."""
    scene = tomllib.loads((folder / "scene.toml").read_text())
    vertices, faces, moving = [], [], 0
    for solid in scene.get("solid", []):
        if "mesh" not in solid:
            continue
        if "motion" in solid["mesh"]:
            moving += 1
            continue
        x, corners = read(folder / solid["mesh"]["file"], first + len(vertices))
        scale, at = solid["mesh"].get("scale", 1.0), solid["mesh"].get("at", [0.0] * 3)
        vertices += [[scale * q + at[k] for k, q in enumerate(point)] for point in x]
        faces += corners
    return vertices, faces, moving


def row(folder):
    frames = sorted((folder / "frames").glob("frame_*.obj"))
    crossing = 0
    for frame in frames:
        vertices, faces = read(frame, 0)
        beside, corners, moving = bodies(folder, len(vertices))
        places, faces = np.array(vertices + beside), np.array(faces + corners)
        mesh = ipctk.CollisionMesh(places, ipctk.edges(faces), faces)
        crossing += ipctk.has_intersections(mesh, places)
    return [folder.name, len(frames), len(vertices), len(beside), moving, crossing]


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: scenes.py FOLDER TABLE")
    folders = sorted(path.parent for path in Path(sys.argv[1]).glob("*/scene.toml"))
    if not folders:
        sys.exit(f"{sys.argv[1]} holds no simulation; write some with `clothlab simulate scenes/ring.toml --frames obj`")
    with open(sys.argv[2], "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["scene", "frames", "particles", "vertices_of_bodies", "moving_bodies_left_out", "frames_with_intersections"])
        table.writerows(row(folder) for folder in folders)


main()
