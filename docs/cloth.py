"""Draws docs/cloth.png: the last state of docs/cloth.toml, with a shadow and smooth shading.

    cargo clothlab simulate docs/cloth.toml --out out/cloth --no-pictures
    python3 docs/cloth.py out/cloth/positions.csv docs/cloth.png     # needs numpy and pillow
"""

import csv
import sys

import numpy as np
from PIL import Image

SIDE, WIDTH, HEIGHT, SUPER = 121, 1200, 640, 2
BALL, RADIUS, FLOOR = np.array([0.75, 0.75, -0.42]), 0.4, -0.83
SUN = np.array([-0.75, -0.12, 0.8]) / np.linalg.norm([-0.75, -0.12, 0.8])


def normals(x, triangles):
    face = np.cross(x[triangles[:, 1]] - x[triangles[:, 0]], x[triangles[:, 2]] - x[triangles[:, 0]])
    sums = np.zeros_like(x)
    for corner in range(3):
        np.add.at(sums, triangles[:, corner], face)
    return sums / np.linalg.norm(sums, axis=1, keepdims=True)


def sphere(centre, radius, rings=90, around=180):
    theta, phi = np.meshgrid(np.linspace(0, np.pi, rings), np.linspace(0, 2 * np.pi, around), indexing="ij")
    out = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], -1).reshape(-1, 3)
    return centre + radius * out, out, cells(rings, around)


def cells(rows, columns):
    k = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    return np.concatenate([np.stack([k, k + 1, k + columns + 1], 1), np.stack([k, k + columns + 1, k + columns], 1)])


def raster(points, triangles, width, height, paint):
    """Calls paint(pixel rows, columns, barycentric weights, triangle) for each triangle in pixels."""
    for t in triangles:
        a, b, c = points[t]
        low = np.floor(np.minimum(np.minimum(a, b), c)[:2]).astype(int)
        high = np.ceil(np.maximum(np.maximum(a, b), c)[:2]).astype(int)
        x0, y0 = max(low[0], 0), max(low[1], 0)
        x1, y1 = min(high[0], width - 1), min(high[1], height - 1)
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if x1 < x0 or y1 < y0 or area == 0:
            continue
        xs, ys = np.meshgrid(np.arange(x0, x1 + 1) + 0.5, np.arange(y0, y1 + 1) + 0.5)
        wb = ((xs - a[0]) * (c[1] - a[1]) - (ys - a[1]) * (c[0] - a[0])) / area
        wc = ((b[0] - a[0]) * (ys - a[1]) - (b[1] - a[1]) * (xs - a[0])) / area
        wa = 1 - wb - wc
        inside = (wa >= -1e-6) & (wb >= -1e-6) & (wc >= -1e-6)
        if inside.any():
            rows, columns = (ys[inside] - 0.5).astype(int), (xs[inside] - 0.5).astype(int)
            paint(rows, columns, np.stack([wa[inside], wb[inside], wc[inside]], 1), t)


def main(table, out):
    with open(table, newline="") as file:
        x = np.array([[float(row[k]) for k in "xyz"] for row in csv.DictReader(file)])
    cloth = cells(SIDE, SIDE)
    ball, ball_normals, ball_cells = sphere(BALL, RADIUS - 2e-3)
    plane = np.array([[-6, -6, FLOOR - 2e-3], [8, -6, FLOOR - 2e-3], [8, 14, FLOOR - 2e-3], [-6, 14, FLOOR - 2e-3]], float)
    parts = [
        (x, normals(x, cloth), cloth, (0.78, 0.17, 0.20)),
        (ball, ball_normals, ball_cells, (0.93, 0.91, 0.86)),
        (plane, np.tile([0.0, 0.0, 1.0], (4, 1)), np.array([[0, 1, 2], [0, 2, 3]]), (0.90, 0.91, 0.93)),
    ]
    # depth as the sun sees it
    across = np.cross(SUN, [0.0, 0.0, 1.0])
    across /= np.linalg.norm(across)
    up = np.cross(across, SUN)
    size, extent = 1400, 3.2
    shadow = np.full((size, size), -np.inf)
    to_sun = lambda p: np.stack([((p - BALL) @ across / extent + 0.5) * size, ((p - BALL) @ up / extent + 0.5) * size, (p - BALL) @ SUN], 1)
    for points, _, triangles, _ in parts[:2]:
        seen = to_sun(points)

        def cast(rows, columns, weights, t):
            np.maximum.at(shadow, (rows, columns), weights @ seen[t, 2])

        raster(seen, triangles, size, size, cast)
    # the camera
    width, height = WIDTH * SUPER, HEIGHT * SUPER
    eye, target = np.array([0.35, -2.5, 0.75]), np.array([0.85, 0.75, -0.42])
    ahead = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(ahead, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    above = np.cross(right, ahead)
    focus = 2.75 * height
    colour, depth = np.ones((height, width, 3)), np.full((height, width), np.inf)
    for points, normal, triangles, base in parts:
        relative = points - eye
        z = relative @ ahead
        z = np.maximum(z, 1e-3)
        pixels = np.stack([width / 2 + focus * (relative @ right) / z, height / 2 - focus * (relative @ above) / z, 1 / z], 1)

        def paint(rows, columns, weights, t):
            inverse = weights @ pixels[t, 2]
            near = 1 / inverse
            visible = near < depth[rows, columns]
            rows, columns, weights, near = rows[visible], columns[visible], weights[visible], near[visible]
            share = weights * pixels[t, 2] * near[:, None]
            place, n = share @ points[t], share @ normal[t]
            n /= np.linalg.norm(n, axis=1, keepdims=True)
            view = eye - place
            view /= np.linalg.norm(view, axis=1, keepdims=True)
            n = np.where((n * view).sum(1, keepdims=True) < 0, -n, n)
            seen = to_sun(place)
            lit = np.zeros(len(place))
            for dx in (-3, -1, 1, 3):
                for dy in (-3, -1, 1, 3):
                    column = np.clip(seen[:, 0].astype(int) + dx, 0, size - 1)
                    row = np.clip(seen[:, 1].astype(int) + dy, 0, size - 1)
                    lit += seen[:, 2] > shadow[row, column] - 0.02
            lit /= 16
            direct = np.clip(n @ SUN, 0, 1) * lit
            half = SUN + view
            half /= np.linalg.norm(half, axis=1, keepdims=True)
            shine = 0.12 * np.clip((n * half).sum(1), 0, 1) ** 24 * lit
            sky = 0.48 + 0.14 * n[:, 2]
            rgb = np.array(base) * (sky + 0.58 * direct)[:, None] + shine[:, None]
            fog = np.clip((near - 4.2) / 4.0, 0, 1)[:, None]
            colour[rows, columns] = rgb * (1 - fog) + fog
            depth[rows, columns] = near

        raster(pixels, triangles, width, height, paint)
    image = np.clip(colour, 0, 1) ** (1 / 1.15)
    image = image.reshape(HEIGHT, SUPER, WIDTH, SUPER, 3).mean((1, 3))
    Image.fromarray((image * 255).astype(np.uint8)).quantize(160).save(out, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
