use linsolve::lanes::{Eight, Kernel};

use super::sheet::{Sheets, Sums};
use super::{InstructionSet, Sheet};
use crate::GRAVITY;

/// One simulation to be judged: a sheet, a step, and when it counts as unstable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// What is simulated.
    pub sheet: Sheet,
    /// dt \[s\], > 0.
    pub dt: f64,
    /// Steps of a whole run.
    pub steps: u32,
    /// eta: unstable where the energy gain exceeds eta times the largest gravitational drop so far, from step 2 on \[-\].
    pub energy_margin: f64,
}

/// How a trial went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Whether every state was finite and the energy stayed within its margin.
    pub stable: bool,
    /// Steps taken.
    pub steps: u32,
    /// Largest |x| / L of any spring in any state \[-\].
    pub stretch: f64,
}

/// Work of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Occupancy {
    /// Steps of simulations.
    pub useful_steps: u64,
    /// Steps of lanes, idle ones included.
    pub lane_steps: u64,
}

/// Runs trials of n x n sheets until there are no more, lanes refilled the moment a run ends.
///
/// `next(finished)` is told which trial has ended and how, or nothing when a lane is first filled, and gives the next
/// one with a ticket of the caller's own. It is asked again and again while lanes are idle only as runs end.
///
/// # Panics
/// On an instruction set that this machine does not have.
pub fn sweep<T>(set: InstructionSet, n: usize, mut next: impl FnMut(Option<(T, Outcome)>) -> Option<(T, Trial)>) -> Occupancy {
    match set {
        InstructionSet::Plain => run::<1, T>(n, &mut next, step_plain),
        _ => run::<8, T>(n, &mut next, |sheets| step(set, sheets)),
    }
}

// functions of this crate, so that its level of optimisation holds for them whoever calls

fn step_plain(sheets: &mut Sheets<1>) -> Sums<1> {
    sheets.step()
}

fn step(set: InstructionSet, sheets: &mut Sheets<8>) -> Sums<8> {
    set.run(Step(sheets))
}

/// A step of eight sheets; their arrays become registers of the instruction set.
struct Step<'a>(&'a mut Sheets<8>);

impl Kernel for Step<'_> {
    type Output = Sums<8>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Sums<8> {
        self.0.step()
    }
}

/// A trial under way in a lane.
struct Running<T> {
    ticket: T,
    trial: Trial,
    steps: u32,
    start: f64,
    drop: f64,
    stretch: f64,
}

impl<T> Running<T> {
    fn new(ticket: T, trial: Trial) -> Running<T> {
        Running { ticket, trial, steps: 0, start: 0.0, drop: 0.0, stretch: 0.0 }
    }

    /// Judges the state before a step; an outcome ends the run.
    fn judge<const W: usize>(&mut self, lane: usize, sums: &Sums<W>) -> Option<Outcome> {
        let sheet = &self.trial.sheet;
        let gravitational = sheet.mass() * GRAVITY * sums.height.0[lane];
        let energy = 0.5 * sheet.mass() * sums.kinetic.0[lane] + gravitational + 0.5 * sums.twice_springs.0[lane];
        for (longest, rest) in sums.longest.iter().zip(sheet.rest_lengths()) {
            self.stretch = self.stretch.max(longest.0[lane] / rest);
        }
        self.drop = self.drop.max(-gravitational);
        if self.steps == 0 {
            self.start = energy;
        }
        let gain = energy - self.start;
        let unstable = !energy.is_finite() || (self.steps >= 2 && gain > self.trial.energy_margin * self.drop);
        if unstable || self.steps == self.trial.steps {
            return Some(Outcome { stable: !unstable, steps: self.steps, stretch: self.stretch });
        }
        self.steps += 1;
        None
    }
}

fn run<const W: usize, T>(
    n: usize,
    next: &mut impl FnMut(Option<(T, Outcome)>) -> Option<(T, Trial)>,
    step: impl Fn(&mut Sheets<W>) -> Sums<W>,
) -> Occupancy {
    let mut sheets = Sheets::<W>::new(n);
    let mut lanes: [Option<Running<T>>; W] = std::array::from_fn(|_| None);
    let mut load = |sheets: &mut Sheets<W>, lane: usize, finished: Option<(T, Outcome)>| {
        let (ticket, trial) = next(finished)?;
        sheets.load(lane, &trial.sheet, trial.dt);
        Some(Running::new(ticket, trial))
    };
    for lane in 0..W {
        lanes[lane] = load(&mut sheets, lane, None);
    }
    let mut occupancy = Occupancy::default();
    while lanes.iter().any(Option::is_some) {
        let sums = step(&mut sheets);
        occupancy.lane_steps += W as u64;
        for lane in 0..W {
            let Some(running) = &mut lanes[lane] else { continue };
            occupancy.useful_steps += 1;
            if let Some(outcome) = running.judge(lane, &sums) {
                let finished = lanes[lane].take().map(|running| (running.ticket, outcome));
                lanes[lane] = load(&mut sheets, lane, finished);
            }
        }
    }
    occupancy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrators::{ForwardBackwardEuler, Integrator};
    use crate::{Cloth, DampingForm, Elastic, Grid, Masses, Material, Pin, System};

    fn sheet(damping: DampingForm, mass_by_area: bool) -> Sheet {
        Sheet {
            spacing: 0.05,
            density: 0.3,
            stretch: Elastic { stiffness: 40.0, damping: 0.02 },
            shear: Elastic { stiffness: 15.0, damping: 0.05 },
            damping,
            extension_tolerance: 1e-12,
            mass_by_area,
        }
    }

    #[test]
    fn the_kernel_agrees_with_the_textbook_form() {
        for (damping, mass_by_area) in
            [(DampingForm::Projected, false), (DampingForm::Plain, false), (DampingForm::Projected, true)]
        {
            let (n, dt, steps) = (6, 1e-3, 150);
            let sheet = sheet(damping, mass_by_area);
            let material = Material {
                density: sheet.density,
                stretch: sheet.stretch,
                shear: sheet.shear,
                bend: 0.0,
                damping,
                masses: if mass_by_area { Masses::ByArea } else { Masses::Equal },
                ..Material::default()
            };
            let cloth =
                Cloth::new(Grid::new(n, n, sheet.spacing).unwrap(), material, &[Pin::At(0, 0), Pin::At(n - 1, 0)]).unwrap();
            let mut state = cloth.at_rest();
            let mut scheme = ForwardBackwardEuler::new(n * n);
            let mut sheets = Sheets::<1>::new(n);
            sheets.load(0, &sheet, dt);
            for _ in 0..steps {
                let sums = sheets.step();
                let energies = cloth.energies(&state);
                let m = sheet.mass();
                for (kernel, textbook) in [
                    (0.5 * m * sums.kinetic.0[0], energies.kinetic),
                    (m * GRAVITY * sums.height.0[0], energies.gravitational),
                    (0.5 * sums.twice_springs.0[0], energies.internal()),
                ] {
                    assert!((kernel - textbook).abs() < 1e-12 * energies.kinetic.max(1e-12), "{kernel} {textbook}");
                }
                let stretch = (sums.longest[0].0[0] / 0.05).max(sums.longest[1].0[0] / (2.0_f64.sqrt() * 0.05));
                assert!((stretch - cloth.largest_stretch(&state.x)).abs() < 1e-12);
                scheme.step(&cloth, dt, &mut state);
            }
            let moved = state.x.iter().map(|x| -x.z).fold(0.0, f64::max);
            assert!(moved > 0.05, "the sheet hardly moved: {moved}");
            for (kernel, textbook) in sheets.positions(0).iter().zip(&state.x) {
                for q in 0..3 {
                    assert!((kernel[q] - textbook[q]).abs() < 1e-10, "{kernel:?} {textbook:?}");
                }
            }
        }
    }

    /// Twenty trials of different length, stable and unstable, whose outcomes are kept in their order.
    fn outcomes(set: InstructionSet, n: usize) -> (Vec<Outcome>, Occupancy) {
        let mut finished = vec![None; 20];
        let mut given = 0;
        let occupancy = sweep(set, n, |ended| {
            if let Some((ticket, outcome)) = ended {
                finished[ticket] = Some(outcome);
            }
            (given < finished.len()).then(|| {
                given += 1;
                let damping = if given % 3 == 0 { DampingForm::Plain } else { DampingForm::Projected };
                let sheet = Sheet { spacing: 0.02 * given as f64, ..sheet(damping, given % 2 == 0) };
                let dt = 2e-3 * (1.0 + (given % 7) as f64 * 2.0);
                (given - 1, Trial { sheet, dt, steps: 60 + 10 * given as u32, energy_margin: 0.1 })
            })
        });
        (finished.into_iter().map(Option::unwrap).collect(), occupancy)
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        let (plain, alone) = outcomes(InstructionSet::Plain, 9);
        assert!(plain.iter().any(|o| o.stable) && plain.iter().any(|o| !o.stable), "{plain:?}");
        assert_eq!(alone.useful_steps, alone.lane_steps);
        for set in InstructionSet::supported() {
            let (lanes, occupancy) = outcomes(set, 9);
            for (a, b) in plain.iter().zip(&lanes) {
                assert_eq!((a.stable, a.steps, a.stretch.to_bits()), (b.stable, b.steps, b.stretch.to_bits()), "{set}");
            }
            assert_eq!(occupancy.useful_steps, alone.useful_steps, "{set}");
        }
    }

    #[test]
    fn a_free_fall_loses_no_energy_and_a_huge_step_is_unstable() {
        let mut trials = vec![1e-4, 10.0];
        let mut stable = vec![];
        sweep(InstructionSet::Plain, 5, |ended| {
            stable.extend(ended.map(|((), outcome)| outcome.stable));
            trials.pop().map(|dt| ((), Trial { sheet: sheet(DampingForm::Projected, false), dt, steps: 100, energy_margin: 0.1 }))
        });
        assert_eq!(stable, [false, true]);
    }
}
