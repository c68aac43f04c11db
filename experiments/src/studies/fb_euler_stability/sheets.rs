//! The random sheets: their critical steps, and whether stability is monotone.

use cloth::lanes::{InstructionSet, Outcome, Sheet, Trial, sweep};
use cloth::quantity::{NonNegative, Positive};
use cloth::stability::numerical_stiffness;
use cloth::{DampingForm, Elastic};
use lab::measure::streams::pick;
use lab::prelude::*;

use super::fringe::{Bounds, Pace};
use super::search::{MEASURED, Search};
use crate::ranges::{Count, Ends, List, Resolution, Side};

/// Lists that sets are drawn from, and how they are searched.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SheetRanges {
    pub sets: Count,
    /// n, particles a side.
    pub side: List<Side>,
    /// h \[m\].
    pub spacing: List<Positive>,
    /// rho \[kg/m²\].
    pub density: List<Positive>,
    /// ks of stretch and of shear \[N/m\].
    pub stiffness: List<NonNegative>,
    /// kd of stretch and of shear \[N s/m\].
    pub damping: List<NonNegative>,
    /// Steps of a run.
    pub steps: Count,
    /// eta, the energy gain over the largest gravitational drop that counts as unstable \[-\].
    pub energy_margin: Positive,
    /// Ends of the search \[s\].
    pub bracket: Ends,
    /// Ratio of the ends at which the search stops \[-\].
    pub resolution: Resolution,
}

/// Scans of the step.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ScanRanges {
    pub sets: Count,
    /// Steps tried in each decade of the bracket.
    pub steps_per_decade: Count,
}

/// A random sheet.
#[derive(Clone, Debug)]
pub struct Case {
    pub side: usize,
    pub sheet: Sheet,
}

impl Case {
    /// Why there is no limit to look for, if so.
    pub fn skipped(&self) -> Option<&'static str> {
        let Sheet { stretch, shear, .. } = self.sheet;
        (stretch.stiffness == 0.0 && shear.stiffness == 0.0).then_some("no spring has any stiffness")
    }

    /// Numerical stiffness of the stiffer family at a step \[-\].
    pub fn kappa(&self, dt: f64) -> f64 {
        self.sheet.linearised().numerical_stiffness(dt)
    }
}

/// The main group: the critical step of every set.
#[derive(Clone)]
pub struct Sheets {
    /// What is drawn and searched.
    pub ranges: SheetRanges,
    /// What the kernel runs on; rows do not depend on it.
    pub set: InstructionSet,
}

row! {
    /// A set and its critical step.
    #[derive(Debug, PartialEq)]
    pub struct SheetRow {
        /// n, particles a side
        pub side: usize,
        /// h, mesh spacing \[m\]
        pub spacing: f64,
        /// rho, areal density \[kg/m²\]
        pub density: f64,
        /// ks of the springs to the nearest neighbours \[N/m\]
        pub stretch_stiffness: f64,
        /// ks of the springs to the diagonal neighbours \[N/m\]
        pub shear_stiffness: f64,
        /// kd of the springs to the nearest neighbours \[N s/m\]
        pub stretch_damping: f64,
        /// kd of the springs to the diagonal neighbours \[N s/m\]
        pub shear_damping: f64,
        /// m = rho h², mass of a particle \[kg\]
        pub mass: f64,
        /// measured, skipped, stable throughout or unstable throughout
        pub status: String,
        /// why there is no critical step
        pub reason: Option<String>,
        /// largest stable step, to the resolution of the search \[s\]
        pub critical_step: Option<f64>,
        /// dt/m (ks dt + 2 kd) of the stiffer family at the critical step
        pub critical_kappa: Option<f64>,
        /// smallest unstable step within a tenth, or more, in steps of 0.5 % \[s\]
        pub smallest_unstable: Option<f64>,
        /// largest stable one \[s\]
        pub largest_stable: Option<f64>,
        /// whether beyond these a tenth of steps is all stable below and all unstable above
        pub bounded: Option<bool>,
        /// largest |x|/L of any spring in the last stable run of the bisection
        pub stretch: Option<f64>,
        /// step at which the stiffer family's kappa is 1/2 \[s\]
        pub thesis_step: Option<f64>,
        /// step at which the sum of both families' kappa is 1: linear limit at rest \[s\]
        pub rest_step: Option<f64>,
        /// linear limit with all springs at the measured stretch \[s\]
        pub stretched_step: Option<f64>,
        /// runs of the bisection
        pub trials: u32,
    }
}

/// Numerical stiffness of the stiffer of two families, each with its ks and kd, at a step \[-\].
pub fn stiffer_kappa(families: [(f64, f64); 2], mass: f64, dt: f64) -> f64 {
    let kappas = families.map(|(stiffness, damping)| numerical_stiffness(dt, mass, Elastic { stiffness, damping }));
    kappas[0].max(kappas[1])
}

impl SheetRow {
    /// Numerical stiffness of the stiffer family at a step \[-\].
    pub fn kappa(&self, dt: f64) -> f64 {
        let families = [(self.stretch_stiffness, self.stretch_damping), (self.shear_stiffness, self.shear_damping)];
        stiffer_kappa(families, self.mass, dt)
    }

    /// Kappa at the smallest step of the fringe that is unstable.
    pub fn least_unstable_kappa(&self) -> Option<f64> {
        self.smallest_unstable.map(|dt| self.kappa(dt))
    }

    /// Kappa at the largest step of the fringe that is stable.
    pub fn most_stable_kappa(&self) -> Option<f64> {
        self.largest_stable.map(|dt| self.kappa(dt))
    }

    /// Whether a step is unstable below one that is stable.
    pub fn is_ragged(&self) -> Option<bool> {
        Some(self.smallest_unstable? < self.largest_stable?)
    }
}

impl Sheets {
    /// A run of a set, its step open.
    pub fn trial(&self, case: &Case) -> Trial {
        Trial { sheet: case.sheet, dt: 0.0, steps: self.ranges.steps.get(), energy_margin: self.ranges.energy_margin.get() }
    }

    fn row(&self, case: &Case, search: Option<&Search>) -> SheetRow {
        let sheet = &case.sheet;
        let (status, reason, critical_step) = search.map_or(("skipped", case.skipped(), None), Search::status);
        let linearised = sheet.linearised();
        let stretch = search.and_then(|search| search.stretch);
        let bounds: Option<Bounds> = search.and_then(Search::bounds);
        let has_limit = search.is_some();
        SheetRow {
            side: case.side,
            spacing: sheet.spacing,
            density: sheet.density,
            stretch_stiffness: sheet.stretch.stiffness,
            shear_stiffness: sheet.shear.stiffness,
            stretch_damping: sheet.stretch.damping,
            shear_damping: sheet.shear.damping,
            mass: sheet.mass(),
            status: status.into(),
            reason: reason.map(Into::into),
            critical_step,
            critical_kappa: critical_step.map(|dt| linearised.numerical_stiffness(dt)),
            smallest_unstable: bounds.and_then(|bounds| bounds.smallest_unstable),
            largest_stable: bounds.and_then(|bounds| bounds.largest_stable),
            bounded: bounds.map(|bounds| bounds.is_bounded),
            stretch,
            thesis_step: has_limit.then(|| linearised.thesis_step()),
            rest_step: has_limit.then(|| linearised.rest_step()),
            stretched_step: stretch.map(|stretch| linearised.stretched_step(stretch.max(1.0))),
            trials: search.map_or(0, |search| search.trials),
        }
    }
}

impl Group for Sheets {
    const NAME: &'static str = "sheets";
    const ABOUT: &'static str = "critical step of random sheets, by bisection, and how ragged it is";
    const BLOCK: usize = 40;
    type Case = Case;
    type Row = SheetRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let ranges = &self.ranges;
        let side = pick(stream, ranges.side.values()).get() as usize;
        let spacing = pick(stream, ranges.spacing.values()).get();
        let density = pick(stream, ranges.density.values()).get();
        let [stretch_stiffness, shear_stiffness] = [(); 2].map(|()| pick(stream, ranges.stiffness.values()).get());
        let [stretch_damping, shear_damping] = [(); 2].map(|()| pick(stream, ranges.damping.values()).get());
        let sheet = Sheet {
            spacing,
            density,
            stretch: Elastic { stiffness: stretch_stiffness, damping: stretch_damping },
            shear: Elastic { stiffness: shear_stiffness, damping: shear_damping },
            damping: DampingForm::Projected,
            extension_tolerance: 1e-12,
            mass_by_area: false,
        };
        Case { side, sheet }
    }

    fn kin(&self, case: &Case) -> u64 {
        case.side as u64
    }

    fn measure(&self, case: &Case) -> Vec<SheetRow> {
        self.measure_alone(case)
    }

    fn measure_block(&self, cases: &[Case], done: &mut dyn FnMut(usize, Vec<SheetRow>)) {
        let (skipped, searched): (Vec<_>, Vec<_>) = cases.iter().enumerate().partition(|(_, case)| case.skipped().is_some());
        for (k, case) in skipped {
            done(k, vec![self.row(case, None)]);
        }
        let trials = searched.iter().map(|(k, case)| (*k, self.trial(case)));
        self.search(cases[0].side, trials, Pace::Fine, |search| {
            done(search.index, vec![self.row(&cases[search.index], Some(&search))])
        });
    }
}

/// Every step of a fixed ladder over the whole bracket, on the same sheets.
pub struct Scans {
    pub ranges: ScanRanges,
    /// Of which sheets.
    pub sheets: Sheets,
}

row! {
    /// What a scan of a set showed.
    #[derive(Debug, PartialEq)]
    pub struct ScanRow {
        /// measured or skipped
        pub status: String,
        /// why there was no scan
        pub reason: Option<String>,
        /// steps tried, equally spaced in their logarithm
        pub steps: usize,
        /// how many were stable
        pub stable: usize,
        /// largest of them \[s\]
        pub largest_stable: Option<f64>,
        /// smallest of the others \[s\]
        pub smallest_unstable: Option<f64>,
        /// every stable step is smaller than every unstable one
        pub monotone: Option<bool>,
    }
}

impl Scans {
    /// 10^(k / steps_per_decade) over the bracket \[s\].
    fn ladder(&self) -> Vec<f64> {
        let per_decade = f64::from(self.ranges.steps_per_decade.get());
        let [low, high] = self.sheets.ranges.bracket.get().map(|end| libm::log10(end) * per_decade);
        (low.ceil() as i64..=high.floor() as i64).map(|k| libm::pow(10.0, k as f64 / per_decade)).collect()
    }
}

impl Group for Scans {
    const NAME: &'static str = "scans";
    const ABOUT: &'static str = "a coarse look for islands of stability over the whole bracket";
    const SCENES: &'static str = Sheets::NAME;
    const BLOCK: usize = 10;
    type Case = Case;
    type Row = ScanRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        self.sheets.case(set, stream)
    }

    fn kin(&self, case: &Case) -> u64 {
        self.sheets.kin(case)
    }

    fn measure(&self, case: &Case) -> Vec<ScanRow> {
        self.measure_alone(case)
    }

    fn measure_block(&self, cases: &[Case], done: &mut dyn FnMut(usize, Vec<ScanRow>)) {
        let ladder = self.ladder();
        let mut stable = vec![vec![false; ladder.len()]; cases.len()];
        let scanned = cases.iter().enumerate().filter(|(_, case)| case.skipped().is_none());
        let mut queue = scanned.flat_map(|(k, case)| {
            let trial = self.sheets.trial(case);
            ladder.iter().enumerate().map(move |(rung, &dt)| ((k, rung), Trial { dt, ..trial }))
        });
        sweep(self.sheets.set, cases[0].side, |ended| {
            if let Some(((k, rung), outcome)) = ended as Option<((usize, usize), Outcome)> {
                stable[k][rung] = outcome.stable;
            }
            queue.next()
        });
        for (k, case) in cases.iter().enumerate() {
            let row = match case.skipped() {
                Some(reason) => ScanRow { status: "skipped".into(), reason: Some(reason.into()), ..ScanRow::default() },
                None => {
                    let largest = stable[k].iter().rposition(|stable| *stable);
                    let smallest = stable[k].iter().position(|stable| !*stable);
                    ScanRow {
                        status: MEASURED.into(),
                        reason: None,
                        steps: ladder.len(),
                        stable: stable[k].iter().filter(|stable| **stable).count(),
                        largest_stable: largest.map(|rung| ladder[rung]),
                        smallest_unstable: smallest.map(|rung| ladder[rung]),
                        monotone: Some(stable[k].is_sorted_by(|a, b| a >= b)),
                    }
                }
            };
            done(k, vec![row]);
        }
    }
}
