//! One spring: whether its force is linear, and whether it depends on the path. S-QUADRATIC, S-PATH.

use std::f64::consts::TAU;

use kit::prelude::*;

ranges!(SpringRanges {
    /// Number of springs.
    sets: Count,
    /// Stiffness \[N/m\].
    stiffness: Ends,
    /// Rest length \[m\].
    rest: Ends,
    /// Points of the quadrature round a path.
    points: Count,
});

row! {
    /// What came of a spring.
    pub struct SpringRow {
        /// ks \[N/m\]
        pub stiffness: f64,
        /// L, rest length \[m\]
        pub rest: f64,
        /// distance of its ends \[m\]
        pub length: f64,
        /// second difference of the force for displacements along the spring, over ks times the displacement
        pub along: f64,
        /// the same across the spring
        pub across: f64,
        /// the same in a random direction
        pub any: f64,
        /// work of the spring round a closed path over its largest energy on it
        pub work: f64,
        /// work of a plain damper of 1 N s/m round the same path, passed in as many seconds as it has points \[J\]
        pub damper_work: f64,
    }
}

/// A spring between two particles, where the second one is, a displacement of it, and a closed path.
#[derive(Clone, Debug)]
pub struct Case {
    stiffness: f64,
    rest: f64,
    at: Vec3,
    by: Vec3,
    /// Amplitudes of sine and cosine of degree 1 to 3 \[m\].
    path: [[Vec3; 2]; 3],
}

/// Random springs.
pub struct Springs(pub SpringRanges);

/// A vector whose coordinates lie between -1 and 1.
fn vector(stream: &mut ChaCha8Rng) -> Vec3 {
    let [x, y, z] = [(); 3].map(|()| 2.0 * stream.random::<f64>() - 1.0);
    Vec3::new(x, y, z)
}

/// Size of a displacement over the rest length \[-\].
const STEP: f64 = 0.1;

impl Springs {
    fn row(&self, case: &Case) -> Option<SpringRow> {
        let Case { stiffness, rest, at, by, path } = case;
        let (stiffness, rest) = (*stiffness, *rest);
        let net = |elastic| Net::new(vec![1.0; 2], vec![false; 2], vec![NetSpring { i: 0, j: 1, rest, elastic }]);
        let (mut spring, mut damper) =
            (net(Elastic { stiffness, damping: 0.0 }).ok()?, net(Elastic { stiffness: 0.0, damping: 1.0 }).ok()?);
        (spring.gravity, damper.gravity) = (Vec3::zeros(), Vec3::zeros());
        // on the second particle, the first one at rest in the origin; masses of 1 kg
        let force = |net: &Net, x: Vec3, v: Vec3| {
            let mut a = [Vec3::zeros(); 2];
            net.accelerate(&[Vec3::zeros(), x], &[Vec3::zeros(), v], &mut a);
            a[1]
        };
        let bend = |d: Vec3| {
            let d = STEP * rest * d.normalize();
            let at = |sign: f64| force(&spring, at + sign * d, Vec3::zeros());
            (at(1.0) + at(-1.0) - 2.0 * at(0.0)).norm() / (stiffness * STEP * rest)
        };
        let along = at.normalize();
        let across = by - along.dot(by) * along;
        let points = self.0.points.get();
        let place = |t: f64| {
            let turn = |degree: usize| {
                let angle = TAU * t * (degree + 1) as f64;
                let [sine, cosine] = path[degree];
                libm::sin(angle) * sine + libm::cos(angle) * cosine
            };
            at + turn(0) + turn(1) + turn(2)
        };
        let (mut work, mut damper_work, mut most) = (0.0, 0.0, 0.0_f64);
        for k in 0..points {
            let time = |k: f64| k / f64::from(points);
            let (from, to) = (place(time(f64::from(k))), place(time(f64::from(k) + 1.0)));
            let (middle, way) = (place(time(f64::from(k) + 0.5)), to - from);
            work += force(&spring, middle, Vec3::zeros()).dot(&way);
            damper_work += force(&damper, middle, way).dot(&way);
            most = most.max(spring.energy(&State::at_rest(vec![Vec3::zeros(), middle])));
        }
        let row = SpringRow {
            stiffness,
            rest,
            length: at.norm(),
            along: bend(along),
            across: bend(across),
            any: bend(*by),
            work: (work / most).abs(),
            damper_work,
        };
        Some(row)
    }
}

impl Group for Springs {
    const NAME: &'static str = "springs";
    const ABOUT: &'static str = "random springs between two particles";
    type Case = Case;
    type Row = SpringRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let stiffness = log_uniform(stream, self.0.stiffness.get());
        let rest = log_uniform(stream, self.0.rest.get());
        let at = rest * (0.7 + 0.6 * stream.random::<f64>()) * vector(stream).normalize();
        let by = vector(stream);
        let path = [(); 3].map(|()| [(); 2].map(|()| 0.05 * rest * vector(stream)));
        Case { stiffness, rest, at, by, path }
    }

    fn measure(&self, case: &Case) -> Vec<SpringRow> {
        self.row(case).into_iter().collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Springs(ranges.springs.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::ranges::stated;

    #[test]
    fn a_spring_is_linear_along_itself_only() {
        let springs = Springs(stated("sets = 1\nstiffness = [1.0, 2.0]\nrest = [1.0, 2.0]\npoints = 400"));
        let path = [[Vec3::new(0.05, 0.0, 0.02), Vec3::new(0.0, 0.06, 0.0)]; 3];
        let row = springs.row(&Case { stiffness: 2.0, rest: 1.0, at: Vec3::new(0.0, 1.2, 0.0), by: Vec3::x(), path }).unwrap();
        // along: k (|x| - L) is linear; across: 2 k (1.2 - 1) (1 - 1.2 / sqrt(1.44 + 0.01)) lacks and gains
        assert!(row.along < 1e-14 && row.across > 1e-3 && (row.across - row.any).abs() < 1e-15, "{row:?}");
        let length = (1.44_f64 + 0.01).sqrt();
        let pull = |length: f64| 2.0 * (length - 1.0) / length * 1.2;
        assert!((row.across - 2.0 * (pull(length) - pull(1.2)) / (2.0 * 0.1)).abs() < 1e-12, "{row:?}");
        assert!(row.work < 1e-3 && row.damper_work < 0.0, "{row:?}");
    }
}
