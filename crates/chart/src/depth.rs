//! Depth: in which order faces and segments are drawn, so that what is nearer covers what is farther.
//!
//! The painter's algorithm, from the farthest mean depth to the nearest, corrected where two pieces overlap on the page:
//! there the one that is nearer in the overlap is drawn later [Newell, Newell & Sancha 1972], with a search through the
//! pieces behind in place of their reordering. Where pieces cover each other in a ring, one of them gives way.

use std::cmp::Ordering;

/// Share of its own size by which a segment may lie behind a face of its mesh and yet be drawn in front: the chord of a
/// curved surface.
const CHORD: f64 = 0.1;
/// Share by which a segment may lie behind and yet be drawn in front for what is open over what is closed: a flat face of a sheet
/// that bends about an edge.
const BEND: f64 = 0.35;
/// Most of both [px].
const MOST_LEAD: f64 = 12.0;
/// Overlaps below these are none: areas [px²], lengths and depths [px].
const LEAST_AREA: f64 = 0.02;
const LEAST_LENGTH: f64 = 0.05;
const LEAST_DEPTH: f64 = 1e-6;

/// Point: right, down, and toward the viewer [px].
pub(super) type Point = [f64; 3];

/// Face or segment.
#[derive(Clone, Debug)]
pub(super) struct Piece<'a> {
    /// Two corners of a segment, three or more of a face.
    pub corners: Vec<Point>,
    /// Number of the mesh, and of its vertices at the corners.
    pub mesh: usize,
    pub vertices: &'a [usize],
    /// Whether the mesh is closed.
    pub closed: bool,
}

/// A triangle that runs counterclockwise in x and y, with its box.
#[derive(Clone, Copy, Debug)]
struct Facet {
    corners: [Point; 3],
    ends: Ends,
}

/// Smallest and largest x and y [px].
type Ends = [[f64; 2]; 2];

/// What is asked of a piece again and again.
struct Measured<'a> {
    piece: &'a Piece<'a>,
    ends: Ends,
    /// Of a face, those without area left out.
    facets: Vec<Facet>,
    /// Largest extent along an axis [px].
    size: f64,
}

impl<'a> Measured<'a> {
    fn of(piece: &'a Piece<'a>) -> Self {
        let ranges = [0, 1, 2].map(|axis| range(&piece.corners, axis));
        let [x, y, z] = ranges.map(|[low, high]| high - low);
        let facet = |corners: [Point; 3]| Facet { corners, ends: ends(&corners) };
        Measured { piece, ends: [ranges[0], ranges[1]], facets: piece.triangles().map(facet).collect(), size: x.max(y).max(z) }
    }

    /// Lead over a piece of lower rank [px].
    fn lead(&self, over: &Self) -> f64 {
        let (piece, over) = (self.piece, over.piece);
        let share = match (piece.mesh == over.mesh, !piece.closed && over.closed) {
            (true, _) => CHORD,
            (false, true) => BEND,
            (false, false) => return 0.0,
        };
        (share * self.size).min(MOST_LEAD)
    }
}

fn ends(corners: &[Point]) -> Ends {
    [0, 1].map(|axis| range(corners, axis))
}

/// Smallest and largest of a coordinate.
fn range(corners: &[Point], axis: usize) -> [f64; 2] {
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    corners.iter().fold(none, |[low, high], corner| [low.min(corner[axis]), high.max(corner[axis])])
}

/// Whether boxes have no point in common.
fn are_apart(a: &Ends, b: &Ends) -> bool {
    (0..2).any(|axis| a[axis][1] < b[axis][0] || b[axis][1] < a[axis][0])
}

impl Piece<'_> {
    fn mean_depth(&self) -> f64 {
        self.corners.iter().map(|corner| corner[2]).sum::<f64>() / self.corners.len() as f64
    }

    fn is_segment(&self) -> bool {
        self.corners.len() == 2
    }

    /// Where two touch, the larger is in front: what is open on what is closed, segments on the faces of the same.
    fn rank(&self) -> (bool, bool) {
        (!self.closed, self.is_segment())
    }

    /// The face as triangles that run counterclockwise in x and y, those without area left out.
    fn triangles(&self) -> impl Iterator<Item = [Point; 3]> + '_ {
        (2..self.corners.len()).filter_map(|k| {
            let [a, b, c] = [self.corners[0], self.corners[k - 1], self.corners[k]];
            let area = turn(a, b, c);
            (area.abs() > LEAST_DEPTH).then_some(if area > 0.0 { [a, b, c] } else { [a, c, b] })
        })
    }
}

/// Numbers of the pieces in the order drawn, the farthest first.
pub(super) fn order(pieces: &[Piece<'_>]) -> Vec<usize> {
    let depths: Vec<f64> = pieces.iter().map(Piece::mean_depth).collect();
    let mut painter: Vec<usize> = (0..pieces.len()).collect();
    let farther =
        |a: usize, b: usize| depths[a].total_cmp(&depths[b]).then(pieces[a].rank().cmp(&pieces[b].rank())).then(a.cmp(&b));
    painter.sort_unstable_by(|&a, &b| farther(a, b));
    let behind = behind(pieces, &painter);
    let mut seen = vec![false; pieces.len()];
    let mut order = Vec::with_capacity(pieces.len());
    let mut open: Vec<(usize, usize)> = Vec::new(); // a piece, and how much behind it was looked at
    for &first in &painter {
        if !std::mem::replace(&mut seen[first], true) {
            open.push((first, 0));
        }
        while let Some((piece, looked)) = open.last_mut() {
            let (piece, next) = (*piece, behind[*piece].get(*looked));
            *looked += 1;
            match next {
                Some(&other) if !std::mem::replace(&mut seen[other], true) => open.push((other, 0)),
                Some(_) => {}
                None => {
                    order.push(piece);
                    open.pop();
                }
            }
        }
    }
    order
}

/// The pieces that each piece covers some of, the farthest first.
fn behind(pieces: &[Piece<'_>], painter: &[usize]) -> Vec<Vec<usize>> {
    let measured: Vec<Measured<'_>> = pieces.iter().map(Measured::of).collect();
    let mut rank = vec![0; pieces.len()];
    painter.iter().enumerate().for_each(|(k, &piece)| rank[piece] = k);
    let mut from_left = painter.to_vec();
    from_left.sort_by(|&a, &b| measured[a].ends[0][0].total_cmp(&measured[b].ends[0][0]));
    let mut behind = vec![Vec::new(); pieces.len()];
    let mut beside: Vec<usize> = Vec::new(); // pieces that reach as far right as the current one starts
    for b in from_left {
        let current = &measured[b];
        beside.retain(|&a| measured[a].ends[0][1] >= current.ends[0][0]);
        for &a in beside.iter().filter(|&&a| !are_apart(&measured[a].ends, &current.ends)) {
            match compare(&measured[a], current) {
                Some(Ordering::Greater) => behind[a].push(b),
                Some(Ordering::Less) => behind[b].push(a),
                _ => {}
            }
        }
        beside.push(b);
    }
    behind.iter_mut().for_each(|pieces| pieces.sort_unstable_by_key(|&piece| rank[piece]));
    behind
}

/// Whether a piece is in front (`Greater`) of another where they overlap; `None` where they do not.
fn compare(a: &Measured<'_>, b: &Measured<'_>) -> Option<Ordering> {
    let apart = match (a.piece.corners.as_slice(), b.piece.corners.as_slice()) {
        ([p, q], [r, s]) => crossing([*p, *q], [*r, *s])?,
        ([p, q], _) => segment_over([*p, *q], a, b)?,
        (_, [r, s]) => -segment_over([*r, *s], b, a)?,
        _ => largest(a.facets.iter().flat_map(|one| b.facets.iter().filter_map(move |other| overlap(one, other))))?,
    };
    let lead = match a.piece.rank().cmp(&b.piece.rank()) {
        Ordering::Less => -b.lead(a),
        Ordering::Equal => 0.0,
        Ordering::Greater => a.lead(b),
    };
    if (apart + lead).abs() < LEAST_DEPTH { None } else { (apart + lead).partial_cmp(&0.0) }
}

/// How far a segment is in front of a face where it is over it: without end if it joins two corners of the face.
fn segment_over(ends: [Point; 2], segment: &Measured<'_>, face: &Measured<'_>) -> Option<f64> {
    let (of, on) = (segment.piece, face.piece);
    if of.mesh == on.mesh && of.vertices.iter().all(|vertex| on.vertices.contains(vertex)) {
        return Some(f64::INFINITY);
    }
    let facets = face.facets.iter().filter(|facet| !are_apart(&facet.ends, &segment.ends));
    largest(facets.filter_map(|facet| over_triangle(ends, facet.corners)))
}

/// The depth that goes with the largest size.
fn largest(overlaps: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    overlaps.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, depth)| depth)
}

/// Twice the area of a triangle in x and y, positive when it runs from x to y.
fn turn(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn between(from: Point, to: Point, share: f64) -> Point {
    [0, 1, 2].map(|k| from[k] + share * (to[k] - from[k]))
}

/// Depth of a triangle at the x and y of a point, that of its corners at most.
fn depth([a, b, c]: [Point; 3], at: Point) -> f64 {
    let area = turn(a, b, c);
    let depth = (turn(at, b, c) * a[2] + turn(a, at, c) * b[2] + turn(a, b, at) * c[2]) / area;
    depth.clamp(a[2].min(b[2]).min(c[2]), a[2].max(b[2]).max(c[2]))
}

/// How far the first segment is in front of the second where they cross; `None` where they do not.
fn crossing([p, q]: [Point; 2], [r, s]: [Point; 2]) -> Option<f64> {
    let sides = [turn(p, q, r), turn(p, q, s), turn(r, s, p), turn(r, s, q)];
    if !(sides[0] * sides[1] < 0.0 && sides[2] * sides[3] < 0.0) {
        return None;
    }
    let first = between(p, q, sides[2] / (sides[2] - sides[3]));
    Some(first[2] - between(r, s, sides[0] / (sides[0] - sides[1]))[2])
}

/// Length of a segment over a triangle, and how far it is in front in the middle of that; `None` where they are apart.
fn over_triangle([p, q]: [Point; 2], triangle: [Point; 3]) -> Option<(f64, f64)> {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for k in 0..3 {
        let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
        let (start, end) = (turn(from, to, p), turn(from, to, q)); // >= 0 inside
        match (start < 0.0, end < 0.0) {
            (true, true) => return None,
            (true, false) => enter = enter.max(start / (start - end)),
            (false, true) => leave = leave.min(start / (start - end)),
            (false, false) => {}
        }
    }
    let [dx, dy] = [q[0] - p[0], q[1] - p[1]];
    let length = (leave - enter) * (dx * dx + dy * dy).sqrt();
    let middle = between(p, q, 0.5 * (enter + leave));
    (length > LEAST_LENGTH).then(|| (length, middle[2] - depth(triangle, middle)))
}

/// Corners of what two triangles share, at most: a cut leaves k of n corners, and adds two for each of the k or of the others.
const MOST_CORNERS: usize = 9;

/// Whether a triangle lies beyond a side of another one.
fn is_beside(one: [Point; 3], other: [Point; 3]) -> bool {
    (0..3).any(|k| one.iter().all(|&corner| turn(other[k], other[(k + 1) % 3], corner) < 0.0))
}

/// Area that two triangles share, and how far the first is in front in the middle of it; `None` where they are apart.
fn overlap(one: &Facet, other: &Facet) -> Option<(f64, f64)> {
    if are_apart(&one.ends, &other.ends) {
        return None;
    }
    let (one, other) = (one.corners, other.corners);
    if is_beside(one, other) || is_beside(other, one) {
        return None;
    }
    let (mut corners, mut cut, mut count) = ([[0.0; 3]; MOST_CORNERS], [[0.0; 3]; MOST_CORNERS], 3);
    corners[..3].copy_from_slice(&one); // cut by the sides of the other in turn [Sutherland & Hodgman 1974]
    for k in 0..3 {
        let (from, to) = (other[k], other[(k + 1) % 3]);
        let mut inside = 0;
        let mut keep = |corner| {
            cut[inside] = corner;
            inside += 1;
        };
        for j in 0..count {
            let (corner, next) = (corners[j], corners[(j + 1) % count]);
            let (here, there) = (turn(from, to, corner), turn(from, to, next));
            if here >= 0.0 {
                keep(corner);
            }
            if (here < 0.0) != (there < 0.0) {
                keep(between(corner, next, here / (here - there)));
            }
        }
        if inside < 3 {
            return None;
        }
        (corners, count) = (cut, inside);
    }
    let shared = &corners[..count];
    let area = 0.5 * (2..shared.len()).map(|k| turn(shared[0], shared[k - 1], shared[k])).sum::<f64>();
    let middle = [0, 1, 2].map(|k| shared.iter().map(|corner| corner[k]).sum::<f64>() / shared.len() as f64);
    (area > LEAST_AREA).then(|| (area, depth(one, middle) - depth(other, middle)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(corners: &[Point]) -> Piece<'static> {
        let vertices = if corners.len() == 2 { &[8, 9][..] } else { &[0, 1, 2, 3][..] };
        Piece { corners: corners.to_vec(), mesh: 0, vertices, closed: false }
    }

    /// Square about the middle of the page at a depth.
    fn square(depth: f64) -> Piece<'static> {
        piece(&[[-5.0, -5.0, depth], [5.0, -5.0, depth], [5.0, 5.0, depth], [-5.0, 5.0, depth]])
    }

    /// Triangle that lies flat under the middle of the page, its mean depth far nearer than it is there.
    fn leaning() -> Piece<'static> {
        piece(&[[-9.0, -1.0, 0.0], [9.0, -1.0, 0.0], [0.0, 90.0, 60.0]])
    }

    #[test]
    fn far_pieces_come_first_and_equal_ones_stay_in_order() {
        assert_eq!(order(&[square(3.0), square(1.0), square(2.0)]), [1, 2, 0]);
        assert_eq!(order(&[square(1.0), square(1.0), square(1.0)]), [0, 1, 2]);
    }

    #[test]
    fn the_depth_of_an_overlap_outweighs_the_mean() {
        let (lying, standing) = (leaning(), square(8.0));
        assert!(lying.mean_depth() > standing.mean_depth());
        assert_eq!(order(&[lying.clone(), standing.clone()]), [0, 1]);
        assert_eq!(order(&[standing, lying]), [1, 0]);
    }

    #[test]
    fn what_does_not_overlap_is_drawn_by_its_mean() {
        let mut aside = square(8.0);
        aside.corners.iter_mut().for_each(|corner| corner[0] += 100.0);
        assert_eq!(order(&[leaning(), aside]), [1, 0]);
    }

    #[test]
    fn segments_pass_behind_faces_and_lie_on_their_own() {
        let segment = |depth: f64| piece(&[[-9.0, 0.0, depth], [9.0, 0.0, depth]]);
        assert_eq!(order(&[square(0.0), segment(-5.0)]), [1, 0]);
        assert_eq!(order(&[segment(5.0), square(0.0)]), [1, 0]);
        assert_eq!(order(&[segment(-1.0), square(0.0)]), [1, 0], "a tenth of its length is 1.8 px");
        let edge = Piece { vertices: &[4, 7], ..segment(-5.0) };
        let face = Piece { vertices: &[4, 5, 6, 7], ..square(0.0) };
        assert_eq!(order(&[edge.clone(), face.clone()]), [1, 0]);
        assert_eq!(order(&[edge, Piece { mesh: 1, ..face.clone() }]), [0, 1]);
        let other = Piece { mesh: 1, ..segment(-1.0) };
        assert_eq!(order(&[face.clone(), other.clone()]), [1, 0], "no lead over another sheet");
        assert_eq!(order(&[other, Piece { closed: true, ..face.clone() }]), [1, 0]);
        let rim = Piece { mesh: 1, closed: true, ..segment(1.0) };
        assert_eq!(
            order(&[face.clone(), Piece { corners: vec![[-9.0, 0.0, 3.4], [9.0, 0.0, 3.4]], ..rim.clone() }]),
            [1, 0],
            "a third of the face is 3.5 px"
        );
        assert_eq!(order(&[Piece { corners: vec![[-9.0, 0.0, 3.6], [9.0, 0.0, 3.6]], ..rim }, face]), [1, 0]);
    }

    #[test]
    fn crossing_segments_are_compared_where_they_cross() {
        let far = piece(&[[-1.0, 0.0, 0.0], [99.0, 0.0, 50.0]]);
        let near = piece(&[[0.0, -1.0, 9.0], [0.0, 1.0, 9.0]]);
        assert_eq!(crossing([far.corners[0], far.corners[1]], [near.corners[0], near.corners[1]]), Some(-8.5));
        assert_eq!(order(&[near, far]), [1, 0]);
    }

    #[test]
    fn a_ring_of_pieces_is_drawn_all_the_same() {
        let bar = |turn: fn([f64; 2]) -> [f64; 2]| {
            let corners = [[-9.0, 4.0, 0.0], [9.0, 4.0, 9.0], [9.0, 6.0, 9.0], [-9.0, 6.0, 0.0]];
            piece(&corners.map(|[x, y, z]| [turn([x, y])[0], turn([x, y])[1], z]))
        };
        let ring = [bar(|[x, y]| [x, y]), bar(|[x, y]| [-y, x]), bar(|[x, y]| [-x, -y]), bar(|[x, y]| [y, -x])];
        let measured = ring.each_ref().map(Measured::of);
        let pairs = [(0, 1), (1, 2), (2, 3), (3, 0)].map(|(a, b): (usize, usize)| compare(&measured[a], &measured[b]));
        assert!(pairs.iter().all(|pair| pair.is_some() && *pair == pairs[0]), "{pairs:?}");
        let mut drawn = order(&ring);
        drawn.sort_unstable();
        assert_eq!(drawn, [0, 1, 2, 3]);
    }

    #[test]
    fn triangles_share_what_they_share() {
        let triangle = |x: f64, z: f64| [[x, 0.0, z], [x + 4.0, 0.0, z], [x, 4.0, z]];
        let facet = |x: f64, z: f64| Facet { corners: triangle(x, z), ends: ends(&triangle(x, z)) };
        assert_eq!(overlap(&facet(0.0, 1.0), &facet(2.0, 0.0)), Some((2.0, 1.0)));
        assert_eq!(overlap(&facet(0.0, 1.0), &facet(4.0, 0.0)), None);
        assert_eq!(overlap(&facet(0.0, 1.0), &facet(9.0, 0.0)), None);
        let (length, apart) = over_triangle([[-1.0, 1.0, 5.0], [9.0, 1.0, 5.0]], triangle(0.0, 1.0)).expect("over it");
        assert!((length - 3.0).abs() < 1e-14 && apart == 4.0, "{length}, {apart}");
    }
}
