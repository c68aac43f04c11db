use std::fmt;
use std::path::PathBuf;

use cloth::contact::Caught;
use cloth::implicit::{Solver, Splitting, Work};
use cloth::integrators::{Colliding, CollisionWork, ForwardBackwardEuler};
use cloth::stability::Linearised;
use cloth::{Cloth, Elastic, Energies, Material, System};
use scene::{Scene, Scheme, TearMode};

use super::contacts::Touching;
use super::growth::Grown;
use super::strain::{Failed, Kept};

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
    /// Steps taken.
    pub steps: u64,
    /// Time that it took, reading and writing included \[s\].
    pub seconds: f64,
    /// Energy out of nothing, if there is any.
    pub grown: Option<Grown>,
    /// Why that would not have been told, if so.
    pub unwatched: Option<&'static str>,
    /// Time that was asked for \[s\].
    pub asked: f64,
    /// Whether the next step would have left the finite numbers.
    pub blew_up: bool,
    pub start: Measured,
    /// At the end, or in the last finite state.
    pub end: Measured,
    /// Largest |x| / L in the rows of energies.csv: over stretch and shear springs, or over edges, or warp and weft, of triangles.
    pub largest_stretch: f64,
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
    /// Whether steps were adapted.
    pub adapted: bool,
    /// Evaluations of all forces, apart from those that the work counts.
    pub evaluations: u64,
    /// Work of the scheme, that of a step that blew up included.
    pub work: Work,
    /// How the strain was kept, if there is a constraint method.
    pub kept: Option<Kept>,
    /// Contacts after the last step, if there are solids and no constraint method.
    pub touching: Option<Touching>,
    /// What collisions took, if the run is led around them.
    pub collided: Option<Collided>,
    /// A step above the thesis' bound of FB Euler, for the springs that are integrated by it.
    pub excess: Option<Excess>,
    /// The mesh at the start, where it is one of triangles.
    pub triangles: Option<Triangles>,
    /// What was torn, if the cloth tears.
    pub torn: Option<Torn>,
}

/// What was torn by the end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Torn {
    pub mode: TearMode,
    /// Particles that were split, or springs that left.
    pub count: u64,
    /// Pieces that nothing joins.
    pub pieces: usize,
}

impl fmt::Display for Torn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Torn { mode, count, pieces } = self;
        let (what, several) = match mode {
            TearMode::Open => ("times a particle was split", "pieces"),
            TearMode::Simple => ("springs left", "parts"),
        };
        let several = if *pieces == 1 { several.trim_end_matches('s') } else { several };
        write!(f, "torn: {count} {what}, {pieces} {several} at the end")
    }
}

/// What collisions took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collided {
    /// Whether the cloth meets itself.
    pub itself: bool,
    pub work: CollisionWork,
    /// Why those of the last step were not resolved, if so.
    pub caught: Option<Caught>,
}

impl Collided {
    pub(super) fn of(scene: &Scene, colliding: &Colliding) -> Collided {
        let (itself, work) = (scene.self_collision.is_some(), colliding.collision_work());
        Collided { itself, work, caught: colliding.last().err() }
    }
}

impl fmt::Display for Collided {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let CollisionWork { changed, contacts, zoned, .. } = self.work;
        let kind = if self.itself { "collisions" } else { "collisions with solids" };
        write!(f, "{kind}: {changed} steps led around {contacts} contacts")?;
        if zoned > 0 {
            write!(f, ", {zoned} of them with particles that moved as one body")?;
        }
        Ok(())
    }
}

/// A mesh of triangles in numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Triangles {
    pub particles: usize,
    pub triangles: usize,
    /// Pieces that nothing joins.
    pub pieces: usize,
    /// Triangles without texture coordinates.
    pub untextured: usize,
}

/// A numerical stiffness kappa = dt/m (ks dt + 2 kd) above 1/2 \[Boxerman 2003, eq. 4.8\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// kappa \[-\] of the stiffer family and the lightest particle.
    pub kappa: f64,
    /// The step \[s\] at which kappa is 1/2.
    pub bound: f64,
}

/// The excess of the springs that a scene integrates by FB Euler: all of them, or those of the explicit families of IMEX.
pub(super) fn excess(scene: &Scene, cloth: &Cloth) -> Option<Excess> {
    let explicit = match scene.scheme {
        Scheme::Plain(entry, _) if *entry == ForwardBackwardEuler::ENTRY => [true, true],
        Scheme::BackwardEuler(Splitting::Families { stretch, shear, .. }, _) => [!stretch, !shear],
        _ => return None,
    };
    let of = |explicit, elastic| if explicit { elastic } else { Elastic { stiffness: 0.0, damping: 0.0 } };
    let free = cloth.masses().iter().zip(cloth.pinned()).filter(|(_, pinned)| !**pinned).map(|(mass, _)| *mass);
    let mass = free.fold(f64::INFINITY, f64::min);
    let Material { stretch, shear, damping, .. } = *cloth.material();
    let sheet = Linearised { mass, stretch: of(explicit[0], stretch), shear: of(explicit[1], shear), damping };
    let kappa = sheet.numerical_stiffness(scene.step);
    (kappa > 0.5).then(|| Excess { kappa, bound: sheet.thesis_step() })
}

/// A number with so many places behind the point, or as a power of ten where that would show none of its digits, or hundreds.
pub(crate) fn brief(value: f64, places: usize) -> String {
    match value.abs() {
        size if size < 1e6 && (size == 0.0 || size >= 1e-3) => format!("{value:.places$}"),
        _ => format!("{value:.places$e}"),
    }
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

impl fmt::Display for Triangles {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Triangles { particles, triangles, pieces, untextured } = self;
        write!(f, "mesh of {particles} particles and {triangles} triangles")?;
        if *pieces > 1 {
            write!(f, " in {pieces} pieces that nothing joins")?;
        }
        if *untextured > 0 {
            write!(
                f,
                "; {untextured} of them have no texture coordinates and are taken as they are in space, with the warp along x as seen \
                 in their plane"
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Summary { folder, step, steps, asked, start, end, largest_stretch, frames, .. } = self;
        let (time, ended) = (end.time, brief(end.time, 6));
        let [step, span] = [*step, *asked].map(given);
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
                given(time)
            )?;
        } else {
            writeln!(f, "{steps} steps of {step} s, {span} s simulated")?;
        }
        writeln!(f, "it took {:.2} s", self.seconds)?;
        if let Some(mesh) = self.triangles {
            writeln!(f, "{mesh}")?;
        }
        if let Some(torn) = self.torn {
            writeln!(f, "{torn}")?;
        }
        writeln!(f, "energy at the start {start}")?;
        writeln!(f, "energy at the end   {end}")?;
        // in the word that lines of constraint methods have
        writeln!(f, "largest strain {:.3e} of any spring or edge", largest_stretch - 1.0)?;
        if let Some(why) = self.unwatched {
            writeln!(f, "energy out of nothing was not watched for: {why}")?;
        }
        match self.solver {
            Some(Solver::Direct) => writeln!(f, "{} linear systems, solved directly", self.work.solves)?,
            Some(Solver::ConjugateGradients(_)) => self.gradients(f)?,
            None if self.work.factorisations > 0 => {
                let Work { solves, factorisations, .. } = self.work;
                let matrices = if factorisations == 1 { "one matrix".to_owned() } else { format!("{factorisations} matrices") };
                writeln!(f, "{solves} local and global steps, {matrices} factored")?;
            }
            None => {}
        }
        if let Some(Kept { inextensible, work, before, after, .. }) = &self.kept {
            let (method, bound) = (inextensible.method.name(), inextensible.limits.strain());
            let missed = work.limited;
            writeln!(
                f,
                "{method}: {} iterations, largest strain {before:.3e}, after collisions {after:.3e}; {missed} of {} steps missed the \
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
        let touched = if self.touching.is_some() { "contacts.csv, " } else { "" };
        let strained = if self.kept.is_some() { "strain.csv, " } else { "" };
        let filmed = if *frames > 0 { format!(", {frames} frames") } else { String::new() };
        let copied: String = self.copies.iter().map(|name| format!(", {name}")).collect();
        let meshes: String = self.meshes.iter().map(|name| format!(", {name}")).collect();
        let folder = folder.display();
        write!(
            f,
            "wrote energies.csv, positions.csv, velocities.csv, {touched}{strained}scene.toml{copied}{filmed}{meshes} to {folder}"
        )?;
        if self.pictured {
            write!(f, "\nto see it, open {folder}/view.html, or pictures.svg and energies.svg beside it")?;
        }
        self.warnings().iter().try_for_each(|warning| write!(f, "\nwarning: {warning}"))
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
        writeln!(f)
    }

    /// How a constraint method ended the run, if one did.
    fn failure(&self) -> Option<(Failed, &Kept)> {
        let kept = self.kept.as_ref()?;
        kept.failure.map(|failed| (failed, kept))
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
        let mut warnings: Vec<String> =
            counted.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")).collect();
        if let Some(Grown { step, energy, ratio }) = self.grown {
            let remedy = match self.solver {
                Some(Solver::ConjugateGradients(_)) => "lower `tolerance` of `solver.conjugate-gradients`, or shorten `step`",
                _ => "shorten `step`",
            };
            warnings.push(format!(
                "from step {step} on the energy grows though nothing does work, by {energy:.3e} J in all, {} of what the cloth had to \
                 spend: the run is wrong; {remedy}",
                brief(ratio, 3)
            ));
        }
        if let Some(locked) = self.kept.as_ref().and_then(|kept| kept.locked) {
            warnings.push(locked.to_string());
        }
        if let Some(Excess { kappa, bound }) = self.excess {
            warnings.push(format!(
                "the numerical stiffness kappa = {} is above 1/2, where explicit springs may be unstable; it is below with a step \
                 under {bound:.3e} s",
                brief(kappa, 3)
            ));
        }
        warnings
    }
}
