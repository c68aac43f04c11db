//! What errors are measured against: the scene by the scheme that converges best, and how far that can be trusted.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use cloth::{State, Vec3};
use kit::status::Status;
use kit::stiffness::stable_step;
use lab::Progress;
use lab::files::{FileError, LARGEST, read_bytes, write_whole};
use lab::measure::identity::sha256;
use rayon::prelude::*;
use scene::Scene;
use serde::{Deserialize, Serialize};

use crate::choice::Choice;
use crate::contestants::{Prepared, Solves, Template};
use crate::ladder::{SAMPLES, nearest, step_of, within};
use crate::runs::{Measures, Outcome, distances, follow_while, largest, velocity_distance};

/// Schemes that may be the reference, behind the constraint method of the scene where it has one: one of order 4, which one of order 3
/// checks, or where that costs too much one of order 1; where these do not come to their ends at a cost that can be borne, implicit
/// ones. The best of those that do is.
const CANDIDATES: [&[&str]; 3] =
    [&["rk4", CHECKS[0]], &[CHECKS[1]], &["bdf2:terms=exact", "implicit-midpoint:terms=exact", "backward-euler"]];
/// What only checks another one, with its coarser step.
const CHECKS: [&str; 2] = ["bogacki-shampine:tolerance=1e-6", "fb-euler"];
/// The constraint method of a reference where the scene has one.
const KEPT: &str = "fast-projection:strain=1e-6:iterations=1000";
/// Residual of its linear systems.
const RESIDUAL: f64 = 1e-6;
/// By how much its step is shorter than that of the scene; where that costs too much, less.
const FINER: [f64; 2] = [8.0, 4.0];
/// What a candidate may cost over what a run may, and what the first of those that only check.
const DEARER: f64 = 2.0;
const CHEAPER: f64 = 0.5;

/// A scheme that may be the reference.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Candidate {
    pub name: String,
    /// Its finer step \[s\], its only one where it checks another one; none where it did not run.
    pub step: Option<f64>,
    /// Largest distance to the same scheme at twice the step, rms over particles and over the size.
    pub own: Option<f64>,
    /// The same of velocities \[m/s\].
    pub own_velocity: Option<f64>,
    /// Distance to the nearest other candidate at its finer step, over the size.
    pub other: Option<f64>,
    /// Why it is none, or what went wrong.
    pub reason: Option<String>,
}

/// States that errors are measured against.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The candidates, the chosen one among them.
    pub candidates: Vec<Candidate>,
    /// Its place.
    pub chosen: usize,
    /// Bounds of its error over the size up to each of the times of comparison: the larger of its distances to itself and to another
    /// scheme.
    pub estimates: Vec<f64>,
    /// At the times of comparison.
    pub states: Vec<State>,
    pub energies: Vec<f64>,
    pub strains: Vec<f64>,
}

/// A candidate that came to its end: its finer run, and its distances to the coarser one at the times of comparison \[m\], if there
/// is one.
type Ran = (Outcome, Option<Vec<f64>>);

impl Reference {
    /// The best candidate that the scene takes; the candidates alone where none came to its end.
    pub fn make(template: &Template, measures: &Measures, budget: f64, quiet: bool) -> Result<Reference, Vec<Candidate>> {
        let (mut candidates, mut fine_runs): (Vec<Candidate>, Vec<Option<Ran>>) = (vec![], vec![]);
        for kind in CANDIDATES {
            let is_found = candidates.iter().any(|candidate: &Candidate| candidate.own.is_some());
            let is_checked = fine_runs.iter().flatten().count() > 1;
            let checks = kind.iter().all(|name| CHECKS.contains(name));
            if is_found && (is_checked || !checks) || checks && !is_found {
                continue;
            }
            let count = kind.len() as u64;
            let progress = if quiet { Progress::silent() } else { Progress::new("race, reference", "candidates", count) };
            let run = |name: &&str| {
                let dearer = if *name == CHECKS[0] { CHEAPER } else { DEARER };
                let made = candidate(template, measures, name, dearer * budget);
                progress.advance();
                made
            };
            let made: Vec<(Candidate, Option<Ran>)> = kind.par_iter().map(run).collect();
            progress.finish();
            for (candidate, fine) in made {
                candidates.push(candidate);
                fine_runs.push(fine);
            }
        }
        let over = |distance: f64| distance / measures.size;
        // of each the distances to the nearest other one
        let nearest: Vec<Option<Vec<f64>>> = (0..candidates.len())
            .map(|k| {
                let (mine, _) = fine_runs[k].as_ref()?;
                let others = fine_runs.iter().enumerate().filter(|(j, _)| *j != k).filter_map(|(_, other)| other.as_ref());
                let all = others.filter_map(|(other, _)| distances(&mine.states, &other.states));
                all.min_by(|a, b| largest(a).total_cmp(&largest(b)))
            })
            .collect();
        for (candidate, others) in candidates.iter_mut().zip(&nearest) {
            candidate.other = others.as_ref().map(|others| over(largest(others)));
        }
        let own = |k: &usize| candidates[*k].own.unwrap_or(f64::INFINITY);
        let chosen = (0..candidates.len()).filter(|k| own(k).is_finite()).min_by(|a, b| own(a).total_cmp(&own(b)));
        let Some((chosen, (fine, Some(owns)))) = chosen.and_then(|chosen| Some((chosen, fine_runs.swap_remove(chosen)?))) else {
            return Err(candidates);
        };
        let mut so_far = 0.0_f64;
        let up_to = |k: usize| {
            let other = nearest[chosen].as_ref().and_then(|others| others.get(k).copied()).unwrap_or(0.0);
            so_far = so_far.max(over(owns[k])).max(over(other));
            so_far
        };
        let estimates = (0..owns.len()).map(up_to).collect();
        let Outcome { states, energies, strains, .. } = fine;
        Ok(Reference { candidates, chosen, estimates, states, energies, strains })
    }

    /// Bound of its error over the size at all times of comparison.
    pub fn estimate(&self) -> f64 {
        self.estimates.last().copied().unwrap_or(f64::INFINITY)
    }

    /// The candidate that it is.
    pub fn candidate(&self) -> &Candidate {
        &self.candidates[self.chosen]
    }
}

/// Runs a candidate with two steps.
fn candidate(template: &Template, measures: &Measures, name: &str, budget: f64) -> (Candidate, Option<Ran>) {
    let plain = name.split(':').next().unwrap_or(name);
    let mut candidate = Candidate { name: plain.into(), step: None, own: None, own_velocity: None, other: None, reason: None };
    let behind = if template.is_inextensible() { format!("{name}+{KEPT}") } else { name.to_owned() };
    let prepared = Choice::read(&behind).and_then(|choice| template.prepare(&choice, Solves::Tight(RESIDUAL)));
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(reason) => return (Candidate { reason: Some(reason), ..candidate }, None),
    };
    let duration = prepared.scene.duration;
    let mut known: HashMap<u64, Outcome> = HashMap::new(); // by their steps
    for finer in FINER {
        let coarse = match steps(&prepared, finer) {
            Ok(between) => between,
            Err(reason) => return (Candidate { reason: Some(reason), ..candidate }, None),
        };
        // once the coarser one is lost nobody asks for the finer one
        let is_lost = AtomicBool::new(false);
        let run = |between: u64| match known.get(&between) {
            Some(known) => Ok(Some(known.clone())),
            None => follow_while(&prepared, measures, between, budget, &|| !is_lost.load(Ordering::Relaxed)),
        };
        let first = || {
            let ran = run(coarse);
            let is_finished = matches!(&ran, Ok(Some(ran)) if ran.status == Status::Finished);
            is_lost.store(!is_finished, Ordering::Relaxed);
            ran
        };
        let ran = match CHECKS.contains(&name) {
            true => first().map(|coarser| [coarser, None]),
            false => {
                let (coarser, finer) = rayon::join(first, || run(2 * coarse));
                coarser.and_then(|coarser| Ok([coarser, finer?]))
            }
        };
        let [coarser, finer] = match ran {
            Ok(ran) => ran,
            Err(invalid) => return (Candidate { reason: Some(invalid.to_string()), ..candidate }, None),
        };
        let whole =
            [(coarse, &coarser), (2 * coarse, &finer)].into_iter().filter_map(|(between, ran)| Some((between, ran.clone()?)));
        known.extend(whole);
        if let Some(lost) = [&coarser, &finer].into_iter().flatten().find(|run| run.status != Status::Finished) {
            candidate.reason = Some(lost.reason.clone().unwrap_or_else(|| lost.status.to_string()));
            continue;
        }
        let both = coarser.as_ref().zip(finer.as_ref());
        let owns = both.and_then(|(coarser, finer)| distances(&coarser.states, &finer.states));
        let own = owns.as_ref().map(|owns| largest(owns) / measures.size);
        let own_velocity = both.and_then(|(coarser, finer)| velocity_distance(&coarser.states, &finer.states));
        let Some(finest) = finer.or(coarser) else { continue };
        let step = Some(step_of(duration, finest.steps / SAMPLES));
        let reason = finest.reason.clone();
        return (Candidate { step, own, own_velocity, reason, ..candidate }, Some((finest, owns)));
    }
    (candidate, None)
}

/// Coarser steps of a candidate from one time of comparison to the next; the finer ones are twice as many.
fn steps(prepared: &Prepared, finer: f64) -> Result<u64, String> {
    let Scene { duration, step, scheme, .. } = &prepared.scene;
    let wanted = nearest(*duration, 2.0 * step / finer);
    if scheme.is_implicit() {
        return Ok(wanted);
    }
    let simulation = prepared.simulation(*step).map_err(|invalid| invalid.to_string())?;
    let bound = simulation.with_system(|system| stable_step(system, &prepared.start));
    Ok(wanted.max(within(*duration, 0.9 * bound)))
}

/// What stands before the states in a file.
#[derive(Deserialize, Serialize)]
struct Header {
    identity: String,
    candidates: Vec<Candidate>,
    chosen: usize,
    estimates: Vec<f64>,
    energies: Vec<f64>,
    strains: Vec<f64>,
    particles: usize,
}

impl Reference {
    /// Keeps it in a file, for a race that goes on: a line with the checksum of all that follows, one of JSON, then x and v of each
    /// state, in double precision, little-endian.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn keep(&self, path: &Path, identity: &str) -> Result<(), FileError> {
        let numbers = |q: &Vec3| [q.x, q.y, q.z];
        let of = |state: &State| state.x.iter().chain(&state.v).flat_map(numbers).collect::<Vec<f64>>();
        let bytes: Vec<u8> = self.states.iter().flat_map(of).flat_map(f64::to_le_bytes).collect();
        let header = Header {
            identity: identity.into(),
            candidates: self.candidates.clone(),
            chosen: self.chosen,
            estimates: self.estimates.clone(),
            energies: self.energies.clone(),
            strains: self.strains.clone(),
            particles: self.states.first().map_or(0, State::particle_count),
        };
        let header = serde_json::to_string(&header).unwrap_or_default() + "\n";
        let summed = [header.as_bytes(), &bytes].concat();
        write_whole(path, &[(sha256(&summed) + "\n").as_bytes(), &summed].concat())
    }

    /// One that was kept by a race of this identity; none where there is none that is whole.
    pub fn kept(path: &Path, identity: &str) -> Option<Reference> {
        let bytes = read_bytes(path, LARGEST).ok()?;
        let [sum, summed] = first_line(&bytes)?;
        let [header, numbers] = first_line(summed).filter(|_| sha256(summed).as_bytes() == sum)?;
        let Header { identity: of, candidates, chosen, estimates, energies, strains, particles } =
            serde_json::from_slice(header).ok()?;
        let states = energies.len();
        let is_whole = chosen < candidates.len()
            && [estimates.len(), strains.len()] == [states; 2]
            && particles.checked_mul(states * size_of::<[Vec3; 2]>()) == Some(numbers.len());
        if of != identity || !is_whole || particles == 0 {
            return None;
        }
        let numbers: Vec<f64> = numbers.as_chunks::<8>().0.iter().map(|eight| f64::from_le_bytes(*eight)).collect();
        let vectors: Vec<Vec3> = numbers.as_chunks::<3>().0.iter().map(|q| Vec3::from(*q)).collect();
        let state = |both: &[Vec3]| State { x: both[..particles].to_vec(), v: both[particles..].to_vec() };
        let states = vectors.chunks_exact(2 * particles).map(state).collect();
        Some(Reference { candidates, chosen, estimates, states, energies, strains })
    }
}

/// A line without its end, and what follows it.
fn first_line(bytes: &[u8]) -> Option<[&[u8]; 2]> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some([&bytes[..end], &bytes[end + 1..]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_kept_whole_or_not_at_all() {
        let candidate =
            Candidate { name: "rk4".into(), step: Some(0.1), own: Some(0.5), own_velocity: None, other: None, reason: None };
        let state = State { x: vec![Vec3::new(0.1, 0.2, 0.3), Vec3::zeros()], v: vec![Vec3::x(), Vec3::repeat(-0.0)] };
        let reference = Reference {
            candidates: vec![candidate],
            chosen: 0,
            estimates: vec![1e-9, 0.1 + 0.2],
            states: vec![state.clone(), state],
            energies: vec![1.0, 2.0],
            strains: vec![0.25, 0.5],
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reference.states");
        reference.keep(&path, "mine").unwrap();
        assert_eq!(Reference::kept(&path, "mine"), Some(reference));
        assert_eq!(Reference::kept(&path, "another"), None);
        let whole = std::fs::read(&path).unwrap();
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(Reference::kept(&path, "mine"), None, "byte {place}");
        }
        // a header that lies, with the sum of what it says
        let text = String::from_utf8_lossy(&whole[65..]).replace("\"particles\":2", &format!("\"particles\":{}", 1_u64 << 63));
        std::fs::write(&path, sha256(text.as_bytes()) + "\n" + &text).unwrap();
        assert_eq!(Reference::kept(&path, "mine"), None);
    }
}
