//! What damping of conditions, and plain dampers on the springs of the same meshes, take from a sheet that turns.
//! S-CONTINUUM-DAMPING.

use cloth::triangles::{Bend, Fabric, SpringMaterial, TriangleCloth, TriangleMesh};
use kit::prelude::*;

use super::patches::Patch;

ranges!(TurningRanges {
    //! Sheets and their dampers.
    /// Number of sheets.
    sets: Count,
    /// Points a side.
    side: List<Side>,
    /// Areal density \[kg/m²\], log-uniform.
    density: Ends,
    /// Stiffness of warp, weft and edges \[N/m\], log-uniform.
    stiffness: Ends,
    /// Stiffness of shear over that of warp and weft \[-\], log-uniform.
    shear: Ends,
    /// Damping ratio of the fastest mode of a cell, about \[-\].
    ratio: Positive,
});

words! {
    /// What is damped.
    pub enum Damped {
        /// The conditions of a continuum, -kd dC/dx dC/dt \[Baraff & Witkin 1998\].
        Conditions = "conditions",
        /// The springs of the mesh, plainly.
        Springs = "plain dampers",
    }
}

row! {
    /// A sheet with a kind of damping.
    pub struct TurningRow {
        /// conditions, or plain dampers
        pub damped: Damped,
        /// points a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// of warp, weft and edges \[N/m\]
        pub stiffness: f64,
        /// finished by both runs, or the worse: gains energy or not finite; no values then
        pub status: Status,
        /// share of angular momentum lost in a turn of one second
        pub lost: Option<f64>,
        /// share of the energy of a stretch that is left after a second
        pub left: Option<f64>,
    }
}

/// A sheet.
#[derive(Clone, Debug)]
pub struct Case {
    patch: Patch,
    density: f64,
    stiffness: f64,
    shear: f64,
}

/// Random sheets that turn.
pub struct Turning(pub TurningRanges);

/// Turns a second.
const TURNS: f64 = 1.0;
/// Stretch along the warp of a sheet that does not turn \[-\].
const STRETCH: f64 = 0.02;
/// Step over the root of the lightest mass by the stiffness \[-\].
const STEP: f64 = 0.1;

/// A sheet of either kind, its energy \[J\], and the step of its runs \[s\].
struct Sheet<'a> {
    system: &'a dyn System,
    energy: &'a dyn Fn(&State) -> f64,
    rest: &'a [Vec3],
    dt: f64,
}

impl Sheet<'_> {
    /// Follows a state for a second.
    fn follow(&self, state: &mut State) -> Status {
        let mut scheme = ForwardBackwardEuler::new(self.system.particle_count());
        let fall = self.system.masses().iter().sum::<f64>() * GRAVITY; // of 1 m, though there is no gravity
        let mut course = RunWatch::of_energy((self.energy)(state), fall, (1.0 / self.dt).ceil() as u64);
        while course.goes_on() {
            scheme.step(self.system, self.dt, state);
            course.watch_system(self.system, state, || (self.energy)(state));
        }
        course.status()
    }

    /// Share of the angular momentum that it loses in a second, turning in its plane about its centre of mass \[-\].
    fn lost(&self) -> (f64, Status) {
        let masses = self.system.masses();
        let whole = masses.iter().sum::<f64>();
        let centre = self.rest.iter().zip(masses).fold(Vec3::zeros(), |sum, (x, m)| sum + *m * x) / whole;
        let omega = TURNS * std::f64::consts::TAU * Vec3::z();
        let v = self.rest.iter().map(|x| omega.cross(&(x - centre))).collect();
        let mut state = State { x: self.rest.to_vec(), v };
        let momentum = |state: &State| {
            let of = |((x, v), m): ((&Vec3, &Vec3), &f64)| m * (x - centre).cross(v).z;
            state.x.iter().zip(&state.v).zip(masses).map(of).sum::<f64>()
        };
        let start = momentum(&state);
        let status = self.follow(&mut state);
        (1.0 - momentum(&state) / start, status)
    }

    /// Share of the energy of a stretch that is left after a second \[-\].
    fn left(&self) -> (f64, Status) {
        let mut state = State::at_rest(self.rest.iter().map(|x| Vec3::new((1.0 + STRETCH) * x.x, x.y, x.z)).collect());
        let start = (self.energy)(&state);
        let status = self.follow(&mut state);
        ((self.energy)(&state) / start, status)
    }
}

impl Turning {
    fn row(&self, case: &Case, damped: Damped) -> Result<TurningRow, ModelError> {
        let mesh = case.patch.mesh()?;
        let [lost, left] = match damped {
            Damped::Conditions => {
                let cloth = self.continuum(case, mesh)?;
                self.runs(case, &cloth, &|state| cloth.energies(state).total(), &cloth.at_rest().x)
            }
            Damped::Springs => {
                let net = self.springs(case, &mesh)?;
                self.runs(case, &net, &|state| net.energy(state), mesh.positions())
            }
        };
        let worst = lost.1.max(left.1);
        let value = |(value, _): (f64, Status)| (worst == Status::Finished).then_some(value);
        Ok(TurningRow {
            damped,
            side: case.patch.side(),
            density: case.density,
            stiffness: case.stiffness,
            status: worst,
            lost: value(lost),
            left: value(left),
        })
    }

    fn runs(&self, case: &Case, system: &dyn System, energy: &dyn Fn(&State) -> f64, rest: &[Vec3]) -> [(f64, Status); 2] {
        let lightest = system.masses().iter().copied().fold(f64::INFINITY, f64::min);
        let sheet = Sheet { system, energy, rest, dt: STEP * (lightest / case.stiffness).sqrt() };
        [sheet.lost(), sheet.left()]
    }

    /// Stiffness with the damping that gives a spring of 8 k between masses of a cell the damping ratio, for each stiffness alike.
    fn elastic(&self, case: &Case, stiffness: f64) -> Elastic {
        let h = 1.0 / (case.patch.side() - 1) as f64;
        let omega = (8.0 * case.stiffness / (case.density * h * h)).sqrt();
        Elastic { stiffness, damping: 2.0 * self.0.ratio.get() / omega * stiffness } // tau = 2 zeta / omega
    }

    fn continuum(&self, case: &Case, mesh: TriangleMesh) -> Result<TriangleCloth, ModelError> {
        let fabric = Fabric {
            density: case.density,
            warp: self.elastic(case, case.stiffness),
            weft: self.elastic(case, case.stiffness),
            shear: self.elastic(case, case.shear),
            bend: Bend { stiffness: 0.0, damping: 0.0 },
            gravity: Vec3::zeros(),
            ..Fabric::default()
        };
        TriangleCloth::new(mesh, fabric, &[])
    }

    fn springs(&self, case: &Case, mesh: &TriangleMesh) -> Result<Net, ModelError> {
        let material = SpringMaterial {
            density: case.density,
            stretch: self.elastic(case, case.stiffness),
            bend: Elastic { stiffness: 0.0, damping: 0.0 },
            compression: true,
            ..SpringMaterial::default()
        };
        let mut net = mesh.springs(&material, &[])?;
        net.gravity = Vec3::zeros();
        Ok(net)
    }
}

impl Group for Turning {
    const NAME: &'static str = "turning";
    const ABOUT: &'static str = "sheets that turn, or are stretched, with damped conditions and with plain dampers";
    type Case = Case;
    type Row = TurningRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let side = pick(stream, self.0.side.values()).get() as usize;
        let density = log_uniform(stream, self.0.density.get());
        let stiffness = log_uniform(stream, self.0.stiffness.get());
        let shear = log_uniform(stream, self.0.shear.get()) * stiffness;
        Case { patch: Patch::draw(side, stream), density, stiffness, shear }
    }

    fn measure(&self, case: &Case) -> Vec<TurningRow> {
        Damped::ALL.into_iter().filter_map(|damped| self.row(case, damped).ok()).collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Turning(ranges.turning.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_let_a_sheet_turn_and_plain_dampers_do_not() {
        let text = "sets = 1\nside = [4]\ndensity = [0.1, 0.2]\nstiffness = [50.0, 60.0]\nshear = [0.3, 0.5]\nratio = 0.3\n";
        let turning = Turning(kit::ranges::stated(text));
        let case = turning.case(0, &mut lab::measure::streams::stream("textbook", "turning", 1, 0));
        let rows = turning.measure(&case);
        assert!(rows.len() == 2 && rows.iter().all(|row| row.status == Status::Finished), "{rows:?}");
        assert!(rows[0].lost.unwrap().abs() < 1e-9 && rows[1].lost.unwrap() > 0.1, "{rows:?}");
        assert!(rows.iter().all(|row| row.left.unwrap() < 0.1), "both damp what stretches: {rows:?}");
    }
}
