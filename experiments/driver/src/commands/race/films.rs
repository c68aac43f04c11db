//! The page of a race: the run that each contestant stands for, side by side.

use cloth::State;
use cloth::run::Model;
use kit::Failure;
use kit::pictures::halves;
use lab::Progress;
use race::ladder::Rung;
use race::ranking::Standing;
use race::rows::RaceRow;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use scene::formats::Look;
use viewer::{Film, View};

use super::field::{Field, Task};
use crate::simulate::packed;

/// Most runs of a page.
const MOST: usize = 12;

/// What is shown of a contestant.
enum Shown<'a> {
    Ours(&'a Task),
    Rival(usize, Rung),
}

/// A page that plays them.
///
/// # Errors
/// Threads that cannot be started.
pub fn page(
    field: &Field,
    standings: &[Standing],
    error_of: impl Fn(&RaceRow) -> String,
    title: &str,
    jobs: usize,
) -> Result<String, Failure> {
    // in the words of the table
    let name = |standing: &Standing| {
        let error = standing.best.as_ref().map(|best| error_of(&best.row)).filter(|error| !error.is_empty());
        format!("{}{}", standing.name, error.map_or_else(String::new, |error| format!(", error {error}")))
    };
    let shown: Vec<(String, Shown)> =
        standings.iter().filter_map(|standing| Some((name(standing), found(field, standing)?))).take(MOST).collect();
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|error| Failure::Internal(format!("threads cannot be started: {error}")))?;
    let progress = Progress::new("race, films", "runs", shown.len() as u64);
    let film = |(name, shown): &(String, Shown)| {
        let film = match shown {
            Shown::Ours(task) => ours(field, task, name),
            Shown::Rival(rival, rung) => theirs(field, *rival, *rung, name),
        };
        progress.advance();
        film
    };
    let films: Vec<Option<String>> = pool.install(|| shown.par_iter().map(film).collect());
    progress.finish();
    Ok(viewer::page(title, &films.into_iter().flatten().collect::<Vec<_>>(), ""))
}

/// The run that a contestant stands for.
fn found<'a>(field: &'a Field, standing: &Standing) -> Option<Shown<'a>> {
    let row = &standing.best.as_ref()?.row;
    let is_ours = |task: &&Task| {
        let rung = task.rung.as_ref().map(|(rung, _)| *rung);
        field.contestants[task.contestant].name == standing.name
            && rung.is_some_and(|rung| Some(rung.step(field.duration)) == row.step && rung.tolerance == row.tolerance)
    };
    if let Some(task) = field.tasks.iter().find(is_ours) {
        return Some(Shown::Ours(task));
    }
    let is_theirs = |(rival, rung): &&(usize, Rung)| {
        field.rivals[*rival].command == standing.name && Some(rung.step(field.duration)) == row.step
    };
    field.rival_tasks.iter().find(is_theirs).map(|(rival, rung)| Shown::Rival(*rival, *rung))
}

fn ours(field: &Field, task: &Task, name: &str) -> Option<String> {
    let (rung, prepared) = task.rung.as_ref()?;
    let dt = rung.step(field.duration);
    Some(packed(&prepared.scene_in_steps(dt), prepared.simulation(dt).ok()?, name))
}

/// A rival at the start and at the times of comparison.
fn theirs(field: &Field, rival: usize, rung: Rung, name: &str) -> Option<String> {
    let rival = &field.rivals[rival];
    let (scene, start) = rival.scene();
    let model: Model = scene.model().ok()?;
    let look = Look::of(&model);
    let view = View { azimuth: scene.view.azimuth, elevation: scene.view.elevation };
    let edges = look.edges.iter().map(|(ends, _)| *ends).collect();
    let mut film = Film::new(name, view, halves(look.faces(), |corner| *corner), edges);
    let states = rival.states(rung).ok()?;
    let between = rung.between as f64 * rung.step(field.duration);
    for (k, State { x, .. }) in std::iter::once(start).chain(&states).enumerate() {
        let places: Vec<[f64; 3]> = x.iter().map(|x| [x.x, x.y, x.z]).collect();
        film.take(k as f64 * between, &places, &look.stretch(x));
        film.strained(model.system().largest_stretch(x) - 1.0);
    }
    Some(film.packed())
}
