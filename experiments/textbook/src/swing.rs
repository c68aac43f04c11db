//! Masses of a third of each triangle: the first swing of hanging sheets on irregular meshes against that of a hanging continuum.
//! S-MASS.

use cloth::triangles::{Triangle, TriangleMesh, Vec2};
use kit::prelude::*;

use super::weave::{course, follow, watch};

ranges!(SwingRanges {
    //! Sheets.
    /// Number of meshes.
    sets: Count,
    /// Points a side.
    side: List<Side>,
    /// Largest move of a point along a side over the width of a cell \[-\].
    irregular: Positive,
    /// Strain of the uppermost springs by the sheet's weight \[-\].
    strain: Positive,
});

row! {
    /// A mesh with one way to share its mass.
    pub struct SwingRow {
        /// thirds of triangles, or equal
        pub masses: String,
        /// points a side
        pub side: usize,
        /// lightest particle over the heaviest
        pub lightest: f64,
        /// finished, gains energy or not finite; no swing: it finished without enough of them
        pub status: Status,
        /// omega of the first swing out of the plane; none where not finished, or no swing \[1/s\]
        pub frequency: Option<f64>,
        /// departure from the first swing of a hanging rope, as a share
        pub error: Option<f64>,
    }
}

const THIRDS: &str = "thirds";
const EQUAL: &str = "equal";

/// Zero of the Bessel function J_0.
const ROOT: f64 = 2.404_825_557_695_773;

/// Amplitude of the swing at the lower end \[m\], and density \[kg/m²\].
const AMPLITUDE: f64 = 1e-3;
const DENSITY: f64 = 0.2;

/// Periods over which the frequency is measured.
const PERIODS: usize = 4;

/// Steps of 1/30 s in which the sheet takes its weight before it is let swing.
const SETTLING: u64 = 60;

/// Points a side, and moves of the points over a cell.
#[derive(Clone, Debug)]
pub struct Case {
    side: usize,
    moves: Vec<[f64; 2]>,
}

/// Random meshes.
pub struct Swing(pub SwingRanges);

/// omega of the first swing of a hanging rope of 1 m \[1/s\].
fn exact() -> f64 {
    0.5 * ROOT * GRAVITY.sqrt()
}

impl Swing {
    /// The mesh in the plane of x and -z, its points moved along the borders and within.
    fn mesh(&self, case: &Case) -> Option<TriangleMesh> {
        let n = case.side;
        let h = 1.0 / (n - 1) as f64;
        let plane: Vec<Vec2> = (0..n * n)
            .map(|k| {
                let (i, j) = (k % n, k / n);
                let [a, b] = case.moves[k].map(|by| self.0.irregular.get() * h * by);
                let free = |q: usize| if q == 0 || q == n - 1 { 0.0 } else { 1.0 };
                Vec2::new(i as f64 * h + free(i) * a, j as f64 * h + free(j) * b)
            })
            .collect();
        let regular = TriangleMesh::regular(n, n, 1.0, 1.0).ok()?;
        let cut = |triangle: &Triangle| Triangle { corners: triangle.corners, material: triangle.corners.map(|k| plane[k]) };
        let triangles = regular.triangles().iter().map(cut).collect();
        TriangleMesh::new(plane.iter().map(|x| Vec3::new(x.x, 0.0, -x.y)).collect(), triangles).ok()
    }

    fn row(&self, case: &Case, mesh: &TriangleMesh, kind: &str) -> Option<SwingRow> {
        let n = case.side;
        let thirds = mesh.masses(DENSITY);
        let masses = if kind == THIRDS { thirds } else { vec![DENSITY / thirds.len() as f64; thirds.len()] };
        let lightest = masses.iter().copied().fold(f64::INFINITY, f64::min);
        let heaviest = masses.iter().copied().fold(0.0, f64::max);
        let ks = DENSITY * GRAVITY / self.0.strain.get(); // weight of a column of 1 m, rho h g, over the elongation of a spring, strain h
        let x = mesh.positions();
        let spring = |&[i, j]: &[usize; 2]| {
            let elastic = Elastic { stiffness: ks, damping: 0.0 };
            NetSpring { i, j, rest: (x[j] - x[i]).norm(), elastic }
        };
        let pinned = (0..n * n).map(|k| k < n).collect();
        let mut net = Net::new(masses, pinned, mesh.edges().iter().map(spring).collect()).ok()?;
        let shape: Vec<f64> = x.iter().map(|x| libm::j0(ROOT * (1.0 + x.z).max(0.0).sqrt())).collect();
        let mut state = State::at_rest(x.to_vec());
        net.air = 5.0;
        let mut settling = BackwardEuler::new(&net, Settings { solver: Solver::Direct, ..Settings::default() });
        let settled = follow(&net, &mut settling, 1.0 / 30.0, SETTLING, &mut state);
        net.air = 0.0;
        state.v.fill(Vec3::zeros());
        state.x.iter_mut().zip(&shape).skip(n).for_each(|(x, shape)| x.y = AMPLITUDE * shape);
        let part =
            |state: &State| state.x.iter().zip(&shape).zip(net.masses()).map(|((x, shape), m)| m * shape * x.y).sum::<f64>();
        let dt = 0.1 * (lightest / ks).sqrt();
        let mut scheme = ForwardBackwardEuler::new(net.particle_count());
        // two zeros a period
        let (mut zeros, mut before, mut step) = (vec![], part(&state), 0_u64);
        let longest = (2.0 * PERIODS as f64 * std::f64::consts::TAU / exact() / dt) as u64;
        let mut swinging = course(&net, &state, longest);
        while settled.status() == Status::Finished && zeros.len() <= 2 * PERIODS && swinging.goes_on() {
            scheme.step(&net, dt, &mut state);
            watch(&mut swinging, &net, &state);
            let now = part(&state);
            if (now > 0.0) != (before > 0.0) {
                zeros.push((step as f64 + before / (before - now)) * dt);
            }
            (before, step) = (now, step + 1);
        }
        swinging.end_early(|| net.energy(&state));
        let status = settled.status().max(swinging.status());
        let frequency = (status == Status::Finished && zeros.len() > 2 * PERIODS)
            .then(|| std::f64::consts::TAU * PERIODS as f64 / (zeros[2 * PERIODS] - zeros[0]));
        let status = if status == Status::Finished && frequency.is_none() { Status::NoSwing } else { status };
        Some(SwingRow {
            masses: kind.into(),
            side: n,
            lightest: lightest / heaviest,
            status,
            frequency,
            error: frequency.map(|omega| (omega / exact() - 1.0).abs()),
        })
    }
}

impl Group for Swing {
    const NAME: &'static str = "swing";
    const ABOUT: &'static str = "the first swing of hanging sheets on irregular triangle meshes";
    type Case = Case;
    type Row = SwingRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let side = pick(stream, self.0.side.values()).get() as usize;
        let moves = (0..side * side).map(|_| [(); 2].map(|()| 2.0 * stream.random::<f64>() - 1.0)).collect();
        Case { side, moves }
    }

    fn measure(&self, case: &Case) -> Vec<SwingRow> {
        let rows = self.mesh(case).map(|mesh| [THIRDS, EQUAL].map(|kind| self.row(case, &mesh, kind)));
        rows.into_iter().flatten().flatten().collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Swing(ranges.swing.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fine_regular_sheet_swings_as_a_rope() {
        let text = "sets = 1\nside = [9]\nirregular = 0.3\nstrain = 0.005\n";
        let swing = Swing(kit::ranges::stated(text));
        let error = |side: usize| {
            let case = Case { side, moves: vec![[0.0; 2]; side * side] };
            swing.row(&case, &swing.mesh(&case).unwrap(), THIRDS).unwrap().error.unwrap()
        };
        assert!(error(9) < 0.02 && error(9) < error(4), "{} {}", error(9), error(4));
    }
}
