"""Proofs that bodies stay apart, and how near they are at a moment, of many queries at once.

While their corners move along straight lines, how far each corner of one body is from each corner of the other along a fixed
direction is linear in time. Where all these gaps are above a bound at both ends of an interval, the bodies are farther apart all
through it. What no direction decides is halved. The bound holds the rounding of double precision, so that a proof is one.
"""
import numpy as np

# above the rounding of a gap, over the lengths that it is made of: below 10 roundings of 1.2e-16
ROUNDING = 4e-15
# intervals of a query after which, and length of an interval below which, it stays undecided
MOST, SHORTEST = 64, 2.0**-48


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return np.stack((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))


def bodies(edges):
    """Corners of the first and of the second one."""
    return ((0, 1), (2, 3)) if edges else ((0,), (1, 2, 3))


def sides(edges):
    """Corners with the segments of the other body."""
    return ((0, 2, 3), (1, 2, 3), (2, 0, 1), (3, 0, 1)) if edges else ((0, 1, 2), (0, 2, 3), (0, 3, 1))


def quotient(a, b):
    return a / np.where(b == 0, 1, b)


def from_segment(p, a, b):
    """From the nearest place of a segment to a point; across the segment where the place is within it."""
    along, to = b - a, p - a
    square = dot(along, along)
    share = quotient(dot(to, along), square)
    beyond = p - b
    apart = np.where(share >= 1, beyond, to)
    inside = (share > 0) & (share < 1)
    for _ in range(2):
        apart = np.where(inside, apart - quotient(dot(apart, along), square) * along, apart)
    return apart


def directions(x, edges):
    """Across all pairs of features."""
    one, other = ((0, 1), (2, 3)) if edges else ((1, 2), (1, 3))
    yield cross(x[one[1]] - x[one[0]], x[other[1]] - x[other[0]])
    for p, a, b in sides(edges):
        yield from_segment(x[p], x[a], x[b])


def distances(x, edges):
    """Upper bounds of distances, which are those of some places, in extended precision; `x` as of `split`."""
    x = x.astype(np.longdouble)
    squares = [dot(apart, apart) for apart in (from_segment(x[p], x[a], x[b]) for p, a, b in sides(edges))]
    if edges:
        first, second, between = x[1] - x[0], x[3] - x[2], x[2] - x[0]
    else:
        first, second, between = x[2] - x[1], x[3] - x[1], x[0] - x[1]
    normal = cross(first, second)
    square = dot(normal, normal)
    s = quotient(dot(cross(between, second), normal), square)
    t = quotient(dot(cross(between, first), normal), square) if edges else quotient(dot(cross(first, between), normal), square)
    inside = (square > 0) & (s >= 0) & (t >= 0) & ((s <= 1) & (t <= 1) if edges else s + t <= 1)
    apart = between - s * first + t * second if edges else between - s * first - t * second
    squares.append(np.where(inside, dot(apart, apart), np.inf))
    return np.sqrt(np.min(squares, axis=0))


def at(start, end, time):
    """Positions at moments, from the first particle, so that rounding is that of the bodies' size."""
    start, end = (x.astype(np.longdouble) for x in (start, end))
    return (1 - time) * (start - start[0]) + time * (end - end[0])


def split(positions):
    """From queries, particles, axes to particles, axes, queries."""
    return np.ascontiguousarray(np.moveaxis(positions, 0, 2))


def undecided(start, end, edges, until, bound, most=MOST):
    """Which of many queries are not proven to be farther apart than `bound` from the start to the moment `until`, with
    at most so many intervals of a query at once."""
    first, second = bodies(edges)
    pairs = [(i, j) for i in first for j in second]
    gaps = [np.stack([x[i] - x[j] for i, j in pairs]) for x in (start, end)]  # pairs, axes, queries
    length = np.sqrt(np.max([dot(np.moveaxis(gap, 1, 0), np.moveaxis(gap, 1, 0)).max(axis=0) for gap in gaps], axis=0))
    open_ = np.zeros(len(until), bool)
    query = np.arange(len(until))
    low, high = np.zeros(len(until)), until.astype(float)
    while len(query):
        for share in (0.5, 1.0, 0.0):
            moment = low + share * (high - low)
            kept = [gap[:, :, query] for gap in gaps]
            base = (start[:, :, query] - start[:1, :, query], end[:, :, query] - end[:1, :, query])
            x = (1 - moment) * base[0] + moment * base[1]
            proven = np.zeros(len(query), bool)
            for n in directions(x, edges):
                needed = np.sqrt(dot(n, n)) * (bound[query] * (1 + ROUNDING) + ROUNDING * length[query])
                along = [dot(n[:, None], np.moveaxis(gap, 1, 0)) for gap in kept]
                ends = np.stack([(1 - t) * along[0] + t * along[1] for t in (low, high)])
                proven |= (ends > needed).all(axis=(0, 1)) | (-ends > needed).all(axis=(0, 1))
            query, low, high = query[~proven], low[~proven], high[~proven]
            if not len(query):
                break
        many = np.bincount(query, minlength=len(until))[query] > most
        open_[query[many | (high - low < SHORTEST)]] = True
        kept = ~open_[query]
        query, low, high = query[kept], low[kept], high[kept]
        middle = low + 0.5 * (high - low)
        query, low, high = np.tile(query, 2), np.concatenate((low, middle)), np.concatenate((middle, high))
    return open_
