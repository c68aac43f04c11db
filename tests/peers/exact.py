"""Whether, and when first, a vertex meets a face or an edge another one, in whole numbers: nothing is rounded.

What four points do along straight lines changes only at roots of polynomials in time: the volume that they span, the areas of
their triangles along the axes, the differences of their coordinates. The moments at which they meet are a closed set, so the first
of them is the start or such a root. Roots are isolated with Sturm's theorem; signs at a root are those of exact polynomials.
"""
from fractions import Fraction
from itertools import combinations
from math import gcd

FINE = Fraction(1, 2**70)


# Polynomials are lists of whole numbers, the constant first, without zeros at the end; the empty list is zero.
def trimmed(f):
    while f and f[-1] == 0:
        f.pop()
    return f


def minus(f, g):
    return trimmed([(f[k] if k < len(f) else 0) - (g[k] if k < len(g) else 0) for k in range(max(len(f), len(g)))])


def times(f, g):
    product = [0] * max(len(f) + len(g) - 1, 0)
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            product[i + j] += a * b
    return trimmed(product)


def primitive(f):
    """Without the common factor of its coefficients, whose signs stay."""
    factor = gcd(*f) if f else 1
    return [a // factor for a in f]


def remainder(f, g):
    """Of f by g, times a positive number."""
    f = f[:]
    while len(f) >= len(g):
        lead, shift = f[-1], len(f) - len(g)
        f = [a * abs(g[-1]) for a in f]
        for k, b in enumerate(g):
            f[shift + k] -= (lead if g[-1] > 0 else -lead) * b
        trimmed(f)
        f = primitive(f)
    return f


def common(f, g):
    """Greatest common divisor."""
    while g:
        f, g = g, remainder(f, g)
    return primitive(f)


def derivative(f):
    return [k * a for k, a in enumerate(f)][1:]


def quotient(f, g):
    """Of f by a divisor of it, but for a factor."""
    f, q = [Fraction(a) for a in f], [Fraction(0)] * (len(f) - len(g) + 1)
    for shift in reversed(range(len(q))):
        q[shift] = f[shift + len(g) - 1] / g[-1]
        for k, b in enumerate(g):
            f[shift + k] -= q[shift] * b
    whole = 1
    for a in q:
        whole = whole * a.denominator // gcd(whole, a.denominator)
    return primitive([int(a * whole) for a in q])


def sign(number):
    return (number > 0) - (number < 0)


def sign_of(f, t):
    """Sign of f at a fraction."""
    value, power = 0, 1
    for a in reversed(f):
        value = value * t.numerator + a * power
        power *= t.denominator
    return sign(value)


class Root:
    """A root of a polynomial without multiple ones, alone between two fractions, which are no roots, or equal to both."""

    def __init__(self, f, low, high):
        self.f, self.low, self.high = f, low, high

    def halve(self):
        middle = (self.low + self.high) / 2
        side = sign_of(self.f, middle)
        if side == 0:
            self.low = self.high = middle
        elif side == sign_of(self.f, self.low):
            self.low = middle
        else:
            self.high = middle

    def refined(self):
        while self.high - self.low > FINE:
            self.halve()
        return self

    def sign(self, g):
        """Sign of another polynomial at this root."""
        if not g:
            return 0
        shared = None
        while self.low != self.high:
            least = most = 0
            for a in reversed(g):  # Horner over the interval, which has no negative numbers
                least = a + min(least * self.low, least * self.high)
                most = a + max(most * self.low, most * self.high)
            if least > 0 or most < 0:
                return sign(least if least > 0 else most)
            if shared is None:
                shared = common(self.f, g)
                if len(shared) > 1 and sign_of(shared, self.low) != sign_of(shared, self.high):
                    return 0
            self.halve()
        return sign_of(g, self.low)


def roots(f):
    """Those from 0 to 1, in order."""
    if len(f) < 2:
        return []
    f = quotient(f, common(f, derivative(f)))
    found = []
    for end, factor in ((Fraction(0), [0, 1]), (Fraction(1), [-1, 1])):
        if sign_of(f, end) == 0:
            found.append(Root(factor, end, end))
            f = quotient(f, factor)
    chain = [f, derivative(f)]
    while chain[-1] and len(chain[-1]) > 1:
        chain.append([-a for a in remainder(chain[-2], chain[-1])])

    def changes(t):
        signs = [s for s in (sign_of(g, t) for g in chain) if s]
        return sum(a != b for a, b in zip(signs, signs[1:]))

    def within(low, high, at_low, at_high):
        if at_low == at_high:
            return
        middle = (low + high) / 2
        if at_low - at_high == 1:
            found.append(Root(f, low, high))
        elif sign_of(f, middle) == 0:
            found.append(Root(f, middle, middle))
            width = (high - low) / 4
            while changes(middle - width) - changes(middle + width) > 1:
                width /= 2
            within(low, middle - width, at_low, changes(middle - width))
            within(middle + width, high, changes(middle + width), at_high)
        else:
            at_middle = changes(middle)
            within(low, middle, at_low, at_middle)
            within(middle, high, at_middle, at_high)

    if len(f) > 1:
        within(Fraction(0), Fraction(1), changes(Fraction(0)), changes(Fraction(1)))
    return sorted(found, key=lambda root: root.low)


def meeting(start, end, edges):
    """The first moment at which they meet, between two fractions; none if they do not. `edges`: two edges, else vertex and face."""
    ratios = [[float(a).as_integer_ratio() for a in x] for x in (*start, *end)]
    unit = max(below for x in ratios for _, below in x)
    whole = [[above * (unit // below) for above, below in x] for x in ratios]
    x = [[trimmed([a, b - a]) for a, b in zip(whole[k], whole[4 + k])] for k in range(4)]
    between = {(i, j): [minus(x[j][k], x[i][k]) for k in range(3)] for i, j in combinations(range(4), 2)}

    def area(i, j, k):
        a, b = between[i, j], between[i, k]
        return [minus(times(a[p], b[q]), times(a[q], b[p])) for p, q in ((1, 2), (2, 0), (0, 1))]

    areas = {three: area(*three) for three in combinations(range(4), 3)}
    volume = []
    for a, b in zip(areas[0, 1, 2], between[0, 3]):
        volume = minus(volume, [-c for c in times(a, b)])

    def met(root):
        """Of four points in a plane."""
        for axis in range(3):
            side = {three: root.sign(areas[three][axis]) for three in areas}
            if any(side.values()):  # seen along this axis they are no line, so that what they do there is what they do
                if edges:
                    return side[0, 1, 2] * side[0, 1, 3] <= 0 and side[0, 2, 3] * side[1, 2, 3] <= 0
                face = side[1, 2, 3]
                inside = (side[0, 1, 2], side[0, 2, 3], -side[0, 1, 3])
                return face != 0 and all(one in (0, face) for one in inside)
        for axis in range(3):
            order = {two: root.sign(between[two][axis]) for two in between}  # 1: the second point is farther along
            if any(order.values()):
                first, second = ((0, 1), (2, 3)) if edges else ((0,), (1, 2, 3))
                sides = {order[i, j] for i in first for j in second}
                return 0 in sides or len(sides) == 2
        return True

    if volume:
        candidates = [Root([0, 1], Fraction(0), Fraction(0))] if sign_of(volume, Fraction(0)) == 0 else []
        candidates += roots(volume)
    else:
        polynomials = [f for three in areas.values() for f in three] + [f for two in between.values() for f in two]
        different = {tuple(primitive(f)) for f in polynomials if len(f) > 1}
        candidates = [Root([0, 1], Fraction(0), Fraction(0))] + [root for f in different for root in roots(list(f))]
    first = None
    for root in candidates:
        if first is not None and root.low >= first.high:
            continue
        if met(root):
            root.refined()
            if first is None or root.high < first.high:
                first = root
    return None if first is None else (first.low, first.high)
