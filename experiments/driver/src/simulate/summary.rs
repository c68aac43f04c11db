use std::fmt;
use std::path::PathBuf;

use cloth::Energies;
use cloth::implicit::{Solver, Work};
use serde_json::{Value, json};

use super::contacts::Touching;
use super::folder;
use super::growth::Grown;
use super::momentum::Pushed;
use super::parts::{Collided, Sewn, Torn, Triangles};
use super::remedy::Remedy;
use super::strain::{Failed, StrainSummary};
use crate::output::relative;

/// The energies at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Time simulated \[s\].
    pub time: f64,
    /// Energies \[J\].
    pub energies: Energies,
}

/// How a simulation went; its text is several lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Where the results are.
    pub folder: PathBuf,
    /// Copies of the files that the scene names, there.
    pub copies: Vec<String>,
    /// dt \[s\].
    pub step: f64,
    /// The time of the state that the scene starts from \[s\].
    pub begins: f64,
    /// Steps that a former simulation took, from which this one goes on.
    pub begun: u64,
    /// Steps taken in all.
    pub steps: u64,
    /// Whether another simulation can go on from here.
    pub checkpoint: bool,
    /// Time that it took, reading and writing included \[s\].
    pub seconds: f64,
    /// Energy out of nothing, if there is any.
    pub grown: Option<Grown>,
    /// Energy that the cloth was given by what moves \[J\]; none where nothing does.
    pub given: Option<f64>,
    /// Why energy out of nothing would not have been told, if so.
    pub unwatched: Option<&'static str>,
    /// Momentum out of nothing, if there is any.
    pub pushed: Option<Pushed>,
    /// Time that was asked for \[s\].
    pub asked: f64,
    /// Whether the next step would have left the finite numbers.
    pub blew_up: bool,
    pub start: Measured,
    /// At the end, or in the last finite state.
    pub end: Measured,
    /// The last row of energies whose sum is finite, and its step.
    pub finite: Option<(u64, Measured)>,
    /// The largest strain, in the rows of energies.csv.
    pub strained: Strained,
    /// Frames written.
    pub frames: u64,
    /// Meshes beside them.
    pub meshes: Vec<String>,
    /// Whether pictures were written, and a page that plays the run.
    pub pictured: bool,
    /// How linear systems were solved, if there were any.
    pub solver: Option<Solver>,
    /// The strain that a solve left wrong at most, if that was asked for \[-\].
    pub strain_left: Option<f64>,
    /// The largest strain that the last linear system of a step did not foresee \[-\], where that is looked at.
    pub unforeseen: Option<f64>,
    /// Whether steps were adapted.
    pub adapted: bool,
    /// Evaluations of all forces, apart from those that the work counts.
    pub evaluations: u64,
    /// Work of the scheme, that of a step that blew up included.
    pub work: Work,
    /// How the strain was kept, if there is a constraint method.
    pub kept: Option<StrainSummary>,
    /// Contacts after the last step, if there are solids and no constraint method.
    pub touching: Option<Touching>,
    /// What collisions took, if the run is led around them.
    pub collided: Option<Collided>,
    /// The way out of a run that failed, as far as one was looked for.
    pub remedy: Option<Remedy>,
    /// The mesh at the start, where it is one of triangles.
    pub triangles: Option<Triangles>,
    /// The seams at the end, if anything is sewn.
    pub sewn: Option<Sewn>,
    /// What was torn, if the cloth tears.
    pub torn: Option<Torn>,
}

/// The largest strain (l - L) / L \[-\] of stretch and shear springs, or of edges, or warp and weft, of triangles: |x| / L less one.
/// The page of a run shows that of the frame that it shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strained {
    /// In all rows of energies.csv where it is finite.
    pub largest: f64,
    /// When that was \[s\].
    pub at: f64,
    /// In the last such row.
    pub end: f64,
}

impl Strained {
    /// Takes a row into account.
    pub(super) fn take(&mut self, time: f64, strain: f64) {
        if strain.is_finite() {
            self.end = strain;
            if strain > self.largest {
                (self.largest, self.at) = (strain, time);
            }
        }
    }
}

impl fmt::Display for Strained {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [largest, end] = [self.largest, self.end].map(percent);
        write!(f, "largest strain {largest} in the whole run, at {} s; {end} at the end", given(unrounded(self.at)))
    }
}

/// A share in per cent with three digits, as pages show it.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", three_digits(100.0 * share))
}

/// A number with three digits.
pub(super) fn three_digits(value: f64) -> String {
    given(format!("{value:.2e}").parse().unwrap_or(f64::NAN))
}

/// The end of a run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// At its end.
    Done,
    /// In a step that left the finite numbers.
    BlewUp,
    /// At its end, with energy or momentum out of nothing.
    Wrong,
    /// A step that its constraint method did not find.
    Unconstrained,
    /// Collisions that were not resolved.
    Unresolved,
}

impl Outcome {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::BlewUp => "blew up",
            Outcome::Wrong => "energy or momentum out of nothing",
            Outcome::Unconstrained => "constraint method failed",
            Outcome::Unresolved => "collisions unresolved",
        }
    }
}

/// A number with so many places behind the point, or as a power of ten where that would show none of its digits, or hundreds.
pub(crate) fn brief(value: f64, places: usize) -> String {
    match value.abs() {
        size if size < 1e6 && (size == 0.0 || size >= 1e-3) => format!("{value:.places$}"),
        _ => format!("{value:.places$e}"),
    }
}

/// A time \[s\] without the rounding of steps that are multiplied.
pub(crate) fn unrounded(time: f64) -> f64 {
    format!("{time:.11e}").parse().unwrap_or(time)
}

/// A number as it was given, in a few characters.
pub(crate) fn given(value: f64) -> String {
    if value == 0.0 || (1e-4..1e6).contains(&value) { value.to_string() } else { format!("{value:e}") }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Energies { kinetic, gravitational, stretch, shear, bend } = self.energies;
        let total = self.energies.total();
        write!(
            f,
            "{total:.6e} J: kinetic {kinetic:.3e}, gravitational {gravitational:.3e}, stretch {stretch:.3e}, shear {shear:.3e}, \
             bend {bend:.3e}"
        )
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Summary { folder, step, begun, steps, asked, start, end, frames, .. } = self;
        let time = end.time - self.begins;
        let ended = brief(time, 6);
        let [step, span] = [*step, *asked].map(given);
        if *begun > 0 {
            writeln!(f, "goes on from step {begun}, at {} s", given(unrounded(start.time)))?;
        }
        if let Some((failed, kept)) = self.failure() {
            let method = kept.inextensible.method.name();
            writeln!(
                f,
                "stopped in step {}: {method} ended as {failed}: {steps} steps of {step} s, {ended} s of {span} s simulated",
                steps + 1
            )?;
        } else if let Some(caught) = self.collided.and_then(|collided| collided.caught) {
            writeln!(f, "stopped in step {}: {caught}: {steps} steps of {step} s, {ended} s of {span} s simulated", steps + 1)?;
        } else if self.blew_up {
            writeln!(f, "blew up in step {}: {steps} steps of {step} s, {ended} s of {span} s simulated", steps + 1)?;
        } else if (time - asked).abs() > 1e-9 * asked {
            writeln!(
                f,
                "{steps} steps of {step} s, {} s simulated: the {span} s asked for are no whole number of steps",
                given(unrounded(time))
            )?;
        } else {
            writeln!(f, "{steps} steps of {step} s, {span} s simulated")?;
        }
        if let Some(mesh) = self.triangles {
            writeln!(f, "{mesh}")?;
        }
        if let Some(sewn) = self.sewn {
            writeln!(f, "{sewn}")?;
        }
        if let Some(torn) = self.torn {
            writeln!(f, "{torn}")?;
        }
        writeln!(f, "energy at the start {start}")?;
        match self.finite {
            Some((step, last)) if !end.energies.total().is_finite() => {
                writeln!(f, "energy at step {step}, the last one of which all energies are finite, {last}")?;
            }
            _ => writeln!(f, "energy at the end   {end}")?,
        }
        if let Some(given) = self.given {
            writeln!(f, "given by what moves {given:.3e} J")?;
        }
        writeln!(f, "{}", self.strained)?;
        if let Some(why) = self.unwatched {
            writeln!(f, "energy out of nothing would not be told: {why}")?;
        }
        match self.solver {
            Some(Solver::Direct) => writeln!(f, "{} linear systems, solved directly{}", self.work.solves, self.missed())?,
            Some(Solver::ConjugateGradients(_)) => self.gradients(f)?,
            None if self.work.factorisations > 0 => {
                let Work { solves, factorisations, .. } = self.work;
                let matrices = if factorisations == 1 { "one matrix".to_owned() } else { format!("{factorisations} matrices") };
                writeln!(f, "{solves} local and global steps, {matrices} factored")?;
            }
            None => {}
        }
        if let Some(StrainSummary { inextensible, work, before, after, .. }) = &self.kept {
            let (method, bound) = (inextensible.method.name(), inextensible.limits.strain());
            let [before, after] = [*before, *after].map(percent);
            let missed = work.limited;
            writeln!(
                f,
                "{method}: {} iterations, largest strain of its edges {before}, after collisions {after}; {missed} of {} steps missed the \
                 bound of {bound}",
                work.iterations, work.steps
            )?;
        }
        if self.adapted {
            writeln!(f, "{} steps rejected and shortened", self.work.rejected)?;
        }
        if let Some(Touching { sticking, sliding, released, .. }) = self.touching {
            writeln!(f, "contacts at the end: {sticking} particles stick, {sliding} slide, {released} are released")?;
        }
        if let Some(collided) = self.collided {
            writeln!(f, "{collided}")?;
        }
        let filmed = if *frames > 0 { format!(", {frames} frames") } else { String::new() };
        let meshes: String = self.meshes.iter().map(|name| format!(", {name}")).collect();
        let folder = relative(folder);
        let folder = folder.display();
        writeln!(f, "wrote {}{filmed}{meshes} to {folder}", self.files().join(", "))?;
        self.warnings().iter().try_for_each(|warning| writeln!(f, "warning: {warning}"))?;
        let ended = if self.outcome() == Outcome::Done { "done" } else { "failed" };
        let simulated = given(unrounded(end.time - start.time));
        write!(f, "{ended}: {} steps ({simulated} s of cloth) in {:.2} s.", steps - begun, self.seconds)?;
        if let Some(page) = self.page() {
            write!(f, " Open {} to watch.", relative(&page).display())?;
        }
        Ok(())
    }
}

impl Summary {
    /// The line of what conjugate gradients did.
    fn gradients(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Work { solves, iterations, corrections, fell_back, cycles, stalled, aggregated, .. } = self.work;
        write!(f, "{solves} linear systems, {iterations} iterations of conjugate gradients")?;
        match aggregated {
            0 => {}
            _ if aggregated == solves => write!(f, " by aggregation")?,
            _ => write!(f, ", {aggregated} systems by aggregation")?,
        }
        if corrections > 0 {
            write!(f, " in single precision, {corrections} corrections in double")?;
        }
        if fell_back > 0 {
            write!(f, "; {fell_back} systems went on in double precision")?;
        }
        if cycles > 0 {
            write!(f, ", {cycles} cycles of multigrid")?;
        }
        if stalled > 0 {
            write!(f, ", which stalled in {stalled} systems")?;
        }
        if let Some(left) = self.strain_left {
            write!(f, "; each left the strain of no spring or triangle wrong by more than {left:.1e}, by estimate")?;
        }
        writeln!(f, "{}", self.missed())
    }

    /// The strain that linear systems did not foresee, where that shows.
    fn missed(&self) -> String {
        let shown = self.unforeseen.filter(|strain| *strain > 0.0);
        shown.map_or_else(String::new, |strain| {
            format!("; steps left up to {} of strain that they did not foresee", percent(strain))
        })
    }

    /// How a constraint method ended the run, if one did.
    fn failure(&self) -> Option<(Failed, &StrainSummary)> {
        let kept = self.kept.as_ref()?;
        kept.failure.map(|failed| (failed, kept))
    }

    /// The way out, behind what went wrong.
    fn advice(&self) -> String {
        self.remedy.as_ref().map_or_else(String::new, |remedy| format!("; {remedy}"))
    }

    /// Why the run is not what was asked for, in a line; none where it is.
    pub fn lost(&self) -> Option<String> {
        let (next, advice) = (self.steps + 1, self.advice());
        if let Some((failed, kept)) = self.failure() {
            let method = kept.inextensible.method.name();
            return Some(format!("the run stopped in step {next}: {method} ended as {failed}"));
        }
        if let Some(caught) = self.collided.and_then(|collided| collided.caught) {
            return Some(format!("the run stopped in step {next}: {caught}"));
        }
        if self.blew_up {
            return Some(format!("the run blew up in step {next}{advice}"));
        }
        let step = self.wrong_from()?;
        let what = if self.grown.is_some_and(|grown| grown.step == step) { "energy" } else { "momentum" };
        Some(format!("the run is wrong from step {step} on, where {what} comes out of nothing{advice}"))
    }

    /// The first step with energy or momentum out of nothing.
    pub(super) fn wrong_from(&self) -> Option<u64> {
        let grown = self.grown.map(|grown| grown.step);
        grown.into_iter().chain(self.pushed.map(|pushed| pushed.step)).min()
    }

    /// The end of the run.
    pub fn outcome(&self) -> Outcome {
        if self.failure().is_some() {
            Outcome::Unconstrained
        } else if self.collided.is_some_and(|collided| collided.caught.is_some()) {
            Outcome::Unresolved
        } else if self.blew_up {
            Outcome::BlewUp
        } else if self.wrong_from().is_some() {
            Outcome::Wrong
        } else {
            Outcome::Done
        }
    }

    /// The energies at the end, or in the last row where their sum is finite.
    fn last_finite(&self) -> Measured {
        let end = self.end;
        self.finite.filter(|_| !end.energies.total().is_finite()).map_or(end, |(_, last)| last)
    }

    /// The tables and the scene in the folder.
    fn files(&self) -> Vec<&str> {
        let mut files = vec![folder::ENERGIES, folder::POSITIONS, folder::VELOCITIES];
        files.extend(self.touching.map(|_| folder::CONTACTS));
        files.extend(self.kept.as_ref().map(|_| folder::STRAIN));
        files.push(folder::SCENE);
        files.extend(self.copies.iter().map(String::as_str));
        files
    }

    /// All of it in numbers, as one JSON object.
    pub fn json(&self) -> Value {
        let energies = |of: &Measured| {
            let Energies { kinetic, gravitational, stretch, shear, bend } = of.energies;
            let total = of.energies.total();
            json!({
                "time": of.time, "kinetic": kinetic, "gravitational": gravitational, "stretch": stretch, "shear": shear, "bend": bend,
                "total": total,
            })
        };
        let mut files = self.files();
        files.extend(self.meshes.iter().map(String::as_str));
        if self.checkpoint {
            files.extend([folder::CHECKPOINT, folder::MEMORY]);
        }
        if self.pictured {
            files.extend([folder::PAGE, folder::PICTURES, folder::ENERGY_CHART]);
        }
        let touching = self.touching.map(|Touching { sticking, sliding, released, passed, .. }| {
            json!({ "sticking": sticking, "sliding": sliding, "released": released, "passed": passed })
        });
        json!({
            "outcome": self.outcome().words(),
            "remedy": self.remedy.as_ref().map(ToString::to_string),
            "warnings": self.warnings(),
            "step": self.step,
            "begun": self.begun,
            "steps": self.steps,
            "simulated": self.end.time - self.begins,
            "asked": self.asked,
            "seconds": self.seconds,
            "energies": { "start": energies(&self.start), "end": energies(&self.last_finite()) },
            "given": self.given,
            "unwatched": self.unwatched,
            "largest_strain": { "whole_run": self.strained.largest, "at": self.strained.at, "end": self.strained.end },
            "solves": self.work.solves,
            "iterations": self.work.iterations,
            "rejected": self.work.rejected,
            "contacts": touching,
            "sewing": self.sewn.map(|Sewn { pairs, apart }| json!({ "pairs": pairs, "apart": apart })),
            "collisions": self.collided.map(|collided| collided.work.contacts),
            "frames": self.frames,
            "folder": self.folder,
            "files": files,
        })
    }

    /// The page that plays the run, where there is one.
    pub fn page(&self) -> Option<PathBuf> {
        self.pictured.then(|| self.folder.join(folder::PAGE))
    }

    /// What a user should know of before trusting the run; none where all went well.
    fn warnings(&self) -> Vec<String> {
        let Work { limited, indefinite, not_finite, accepted_beyond, factorisations, newton_limited, .. } = self.work;
        let unconverged = if factorisations > 0 { newton_limited } else { 0 }; // others say so where they adapt their steps
        let (missed, turned) = self.kept.as_ref().map_or((0, 0), |kept| (kept.work.limited, kept.work.turned_over));
        let passed = self.touching.map_or(0, |touching| touching.passed);
        let counted = [
            (
                limited,
                "linear systems ended at the limit of iterations: raise `solver.conjugate-gradients.iteration_limit` or shorten `step`",
            ),
            (indefinite, "linear systems were not positive definite: take `terms = \"filtered\"` or shorten `step`"),
            (not_finite, "linear systems met a number that is not finite: shorten `step`"),
            (
                unconverged,
                "steps ended before their velocities changed by less than `tolerance`: raise `iterations`, or take `acceleration = \"l-bfgs\"`",
            ),
            (
                accepted_beyond,
                "steps were accepted beyond the stretch limit or the tolerance of their error, or before Newton's iteration \
                 converged, being the shortest there are: raise that limit, or that `tolerance`, or `limit` or `tolerance` of \
                 `newton`, or shorten `step`",
            ),
            (
                missed,
                "steps ended at the limit of iterations with edges strained beyond the bound: raise `iterations`, shorten `step`, or bring pins closer that hold a row taut",
            ),
            (turned, "times an edge turned by more than a right angle within a step: shorten `step`"),
            (passed, "times a particle passed a solid within a step: shorten `step`"),
        ];
        let mut warnings: Vec<String> = match (self.outcome(), &self.remedy) {
            (Outcome::BlewUp, Some(_)) => vec![format!("the run blew up{}", self.advice())],
            _ => vec![],
        };
        warnings.extend(counted.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")));
        let advice = if self.blew_up { String::new() } else { self.advice() };
        if let Some(Grown { step, energy, ratio, given }) = self.grown {
            let though = if given { "beyond what it is given" } else { "though nothing does work" };
            warnings.push(format!(
                "from step {step} on the energy grows {though}, by {energy:.3e} J in all, {} of what the cloth had to spend: the run is \
                 wrong{advice}",
                brief(ratio, 3),
            ));
        }
        if let Some(Pushed { step, momentum }) = self.pushed {
            warnings.push(format!(
                "from step {step} on the momentum changes though nothing but weight acts, by {momentum:.3e} kg m/s in all: the run is \
                 wrong{advice}"
            ));
        }
        if let Some(locked) = self.kept.as_ref().and_then(|kept| kept.locked) {
            warnings.push(locked.to_string());
        }
        warnings
    }
}
