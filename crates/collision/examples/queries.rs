//! Queries of the continuous tests, with our answers, for the outside judges of `tests/peers`.
//!
//! `queries KIND TEST SCALE COUNT SEED` writes to standard output, for every query, 26 little-endian numbers of 8 bytes: the four
//! positions at the start, the four at the end, the thickness, and the time of the impact, which is NaN where there is none. The
//! same arguments give the same bytes. Half of the positions are whole numbers, so that what is degenerate is so exactly.

use std::io::{self, BufWriter, Write};

use collision::{Motion, Vec3, edge_edge, vertex_face};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const KINDS: [&str; 12] = [
    "generic",    // any positions
    "grid",       // whole coordinates from -2 to 2
    "coplanar",   // everything stays in one plane
    "parallel",   // edges stay parallel, corners of the face stay on a line
    "sliver",     // nearly so: an angle, or a height, of 1e-1 to 1e-13
    "still",      // no motion, or all move alike
    "coinciding", // two corners share a place at the start, at the end, or always
    "carried",    // all move alike by up to 1e9, and corners coincide as before
    "grazing",    // what touches moves along the surface then, and touches at a border as often as within
    "meeting",    // touching at a moment
    "close",      // at 1e-5 to 1e-16 from touching
    "thick",      // a thickness of 1e-3 to 1e-1, any positions or about that far from each other at a moment
];

/// Positions at the start and at the end, and the thickness.
type Query = ([Vec3; 4], [Vec3; 4], f64);

struct Draw {
    stream: ChaCha8Rng,
    /// Particles of the first body.
    first: usize,
    whole: bool,
}

impl Draw {
    fn one_in(&mut self, count: u32) -> bool {
        self.stream.random_range(0..count) == 0
    }

    /// A power of ten between two exponents.
    fn power(&mut self, low: f64, high: f64) -> f64 {
        libm::exp10(self.stream.random_range(low..high))
    }

    fn vector(&mut self) -> Vec3 {
        let whole = self.whole;
        Vec3::from_fn(
            |_, _| {
                if whole { f64::from(self.stream.random_range(-2..=2_i32)) } else { self.stream.random_range(-1.0..1.0) }
            },
        )
    }

    fn four(&mut self) -> [Vec3; 4] {
        [(); 4].map(|()| self.vector())
    }

    /// A share from 0 to 1: a multiple of a quarter, ends included, as often as not.
    fn share(&mut self) -> f64 {
        if self.one_in(2) { 0.25 * f64::from(self.stream.random_range(0..=4_i32)) } else { self.stream.random() }
    }

    /// Weights of the particles whose sum over the positions leads from a place on the second body to one on the first.
    fn weights(&mut self, border: bool) -> [f64; 4] {
        let [mut s, t] = [self.share(), self.share()];
        if border {
            s = f64::from(self.stream.random_range(0..=1_i32));
        }
        if self.first == 1 { [1.0, s - 1.0, -s * (1.0 - t), -s * t] } else { [1.0 - s, s, t - 1.0, -t] }
    }

    /// Moves the first body so that the two places of `weights` are `apart`.
    fn bring(&self, x: &mut [Vec3; 4], weights: &[f64; 4], apart: Vec3) {
        let found: Vec3 = (0..4).map(|k| weights[k] * x[k]).sum();
        x[..self.first].iter_mut().for_each(|x| *x += apart - found);
    }

    /// Four corners whose edges are parallel, or whose face is a line, but for `off`.
    fn aligned(&mut self, off: f64) -> [Vec3; 4] {
        let (mut x, along) = (self.four(), self.vector());
        let share =
            if self.whole { f64::from(self.stream.random_range(-2..=2_i32)) } else { self.stream.random_range(-2.0..2.0) };
        let (from, to) = if self.first == 1 { ([1, 1], [2, 3]) } else { ([0, 2], [1, 3]) };
        (x[to[0]], x[to[1]]) = (x[from[0]] + along, x[from[1]] + share * along + off * self.vector());
        x
    }

    /// Two corners of different bodies share a place.
    fn coincide(&mut self, start: &mut [Vec3; 4], end: &mut [Vec3; 4]) {
        let (i, j, when) =
            (self.stream.random_range(0..self.first), self.stream.random_range(self.first..4), self.stream.random_range(0..3));
        if when != 1 {
            start[j] = start[i];
        }
        if when != 0 {
            end[j] = end[i];
        }
    }

    /// A query whose lengths are about 1.
    fn query(&mut self, kind: &str) -> Query {
        self.whole = if kind == "generic" { false } else { kind == "grid" || self.one_in(2) };
        let [mut start, mut end] = [self.four(), self.four()];
        let time = self.share();
        // positions at that moment, and the way of a step, of what meets then
        let through = |at: [Vec3; 4], way: [Vec3; 4]| {
            ([0, 1, 2, 3].map(|k| at[k] - time * way[k]), [0, 1, 2, 3].map(|k| at[k] + (1.0 - time) * way[k]))
        };
        let (mut at, mut way) = (start, end);
        let border = kind == "grazing" && self.one_in(2);
        let weights = self.weights(border);
        let mut thickness = 0.0;
        match kind {
            "coplanar" => {
                self.whole = true;
                let plane = [self.vector(), self.vector()];
                let mut place = || {
                    let [a, b] = [(); 2].map(|()| f64::from(self.stream.random_range(-512..=512_i32)) / 256.0);
                    a * plane[0] + b * plane[1]
                };
                (start, end) = ([(); 4].map(|()| place()), [(); 4].map(|()| place()));
            }
            "parallel" | "sliver" => {
                let off = if kind == "sliver" { self.power(-13.0, -1.0) } else { 0.0 };
                (at, way) = (self.aligned(off), self.aligned(off));
                if self.one_in(2) {
                    // a direction that stays
                    let [one, other] = [self.vector(), self.vector()];
                    way = [0, 1, 2, 3].map(|k| if k < self.first { one } else { other });
                }
                if kind == "sliver" || self.one_in(2) {
                    self.bring(&mut at, &weights, Vec3::zeros());
                }
                (start, end) = through(at, way);
            }
            "still" => {
                if self.one_in(2) {
                    self.bring(&mut start, &weights, Vec3::zeros());
                }
                let way = if self.one_in(2) { Vec3::zeros() } else { self.vector() };
                end = start.map(|x| x + way);
            }
            "coinciding" => self.coincide(&mut start, &mut end),
            "carried" => {
                let way = self.power(0.0, 9.0) * self.vector();
                end.iter_mut().for_each(|x| *x += way);
                self.coincide(&mut start, &mut end);
            }
            "grazing" => {
                self.bring(&mut at, &weights, Vec3::zeros());
                let [a, b] = [self.share(), self.share()];
                let sides = if self.first == 1 { [at[2] - at[1], at[3] - at[1]] } else { [at[1] - at[0], at[3] - at[2]] };
                self.bring(&mut way, &weights, 4.0 * ((a - 0.5) * sides[0] + (b - 0.5) * sides[1]));
                (start, end) = through(at, way);
            }
            "meeting" | "close" => {
                let apart = if kind == "close" { self.power(-16.0, -5.0) * self.vector() } else { Vec3::zeros() };
                self.bring(&mut at, &weights, apart);
                (start, end) = through(at, way);
            }
            "thick" => {
                thickness = self.power(-3.0, -1.0);
                if self.one_in(2) {
                    let direction = self.vector();
                    let apart = thickness * (1.0 + self.power(-12.0, -1.0)) / direction.norm().max(0.1) * direction;
                    self.bring(&mut at, &weights, apart);
                    (start, end) = through(at, way);
                }
            }
            _ => {} // start and end are any
        }
        (start, end, thickness)
    }
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let parsed = || {
        let [kind, test, scale, count, seed] = arguments.as_slice() else { return None };
        let kind = KINDS.into_iter().find(|known| known == kind)?;
        let first = ["vertex-face", "edge-edge"].iter().position(|known| known == test)? + 1;
        let scale = scale.parse::<f64>().ok().filter(|scale| scale.is_finite() && *scale > 0.0)?;
        Some((kind, first, scale, count.parse::<u64>().ok()?, seed.parse().ok()?))
    };
    let Some((kind, first, scale, count, seed)) = parsed() else {
        eprintln!("usage: queries KIND vertex-face|edge-edge SCALE COUNT SEED, KIND one of {}", KINDS.join(", "));
        std::process::exit(2);
    };
    let mut draw = Draw { stream: ChaCha8Rng::seed_from_u64(seed), first, whole: false };
    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..count {
        let (start, end, thickness) = draw.query(kind);
        let motion = Motion { start: start.map(|x| scale * x), end: end.map(|x| scale * x) };
        let thickness = scale * thickness;
        let test = if first == 1 { vertex_face } else { edge_edge };
        let time = test(&motion, thickness).map_or(f64::NAN, |impact| impact.time);
        let numbers = motion.start.iter().chain(&motion.end).flat_map(|x| x.iter().copied()).chain([thickness, time]);
        for number in numbers {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    out.flush()
}
