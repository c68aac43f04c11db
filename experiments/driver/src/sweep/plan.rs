//! The runs of a sweep, all of them read and found right before the first one begins.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cloth::run::Unwatched;
use kit::Failure;
use lab::measure::identity::sha256;
use lab::sums::verify;
use race::input::{read_as, refuse_memory};
use race::memory;
use race::runs::Counter;
use rayon::prelude::*;

use super::Request;
use super::row::Row;
use super::vary::{combinations, name, words};
use crate::overrides::Override;
use crate::program::Build;
use crate::simulate::SCENE;
use crate::simulate::copied::{ExtraFiles, copied};
use crate::simulate::folder::{DESCRIPTION, Folder, REPLACING};
use crate::simulate::read::scene_text;

/// Steps by which a dry run tells how long a run takes.
const PROBED: u64 = 3;
/// The folder of the rows that are kept.
pub const ROWS: &str = "rows";

/// A run that is asked for.
pub struct Run {
    /// The name of its folder.
    pub name: String,
    /// Its settings, in words.
    pub words: String,
    /// The place of each key's value.
    pub combination: Vec<usize>,
    /// The text of its scene.
    pub text: String,
    /// All that its row depends on.
    pub identity: String,
    /// The files that it reads.
    pub files: Vec<PathBuf>,
    pub particles: usize,
    pub steps: u64,
    /// Memory that it takes, where that is known.
    pub memory: Option<u64>,
    /// Time that it takes by its first steps, where that was asked for \[s\].
    pub seconds: Option<f64>,
    /// Counts its work.
    pub counter: Counter,
    /// Signs that its mesh is not meant so.
    pub doubts: Vec<String>,
    /// Its row, where it is finished.
    pub row: Option<Row>,
}

/// Reads all runs; with `probed` each of them takes some steps, to tell its time.
///
/// # Errors
/// [`Failure::Usage`] with the first run that is refused, in the order of the runs.
pub fn plan(build: &Build, request: &Request, probed: bool) -> Result<Vec<Run>, Failure> {
    let text = scene_text(&request.scene)?;
    let planned: Vec<Result<Run, Failure>> = combinations(&request.vary)
        .into_par_iter()
        .enumerate()
        .map(|(k, combination)| read(build, request, text.clone(), combination, k, probed))
        .collect();
    let runs = planned.into_iter().collect::<Result<Vec<Run>, Failure>>()?;
    let mut needed: Vec<u64> = runs.iter().filter_map(|run| run.memory).collect();
    needed.sort_unstable_by(|a, b| b.cmp(a));
    let together = needed.iter().take(request.jobs()).sum();
    refuse_memory(&request.scene, Some(together), "lower --jobs, or add --no-pages")?;
    Ok(runs)
}

fn read(build: &Build, request: &Request, text: String, combination: Vec<usize>, k: usize, probed: bool) -> Result<Run, Failure> {
    let Request { scene: path, vary, .. } = request;
    let values: Vec<Override> = vary.iter().zip(&combination).map(|(vary, value)| vary.values[*value].clone()).collect();
    let overrides = request.overrides.and(&values);
    let pictured = !request.no_pages;
    let text = overrides.applied(text).map_err(|failure| as_varied(failure, &values))?;
    let input = read_as(path, text, pictured).map_err(|failure| overrides.told(path, failure))?;
    let (scene, mut simulation) = (input.scene, input.simulation);
    let counter = Counter::of(&scene, simulation.model());
    let steps = scene.steps();
    let seconds = probed.then(|| {
        let (begun, probed) = (Instant::now(), PROBED.min(steps));
        simulation.follow(probed, &mut Unwatched);
        begun.elapsed().as_secs_f64() / probed.max(1) as f64 * steps as f64
    });
    let mut run = Run {
        name: name(vary, &combination, k),
        words: words(vary, &combination),
        combination,
        identity: identity(build, path, &input.text, &input.files, pictured),
        text: input.text,
        files: input.files,
        particles: simulation.state().particle_count(),
        steps,
        memory: memory::expected(&scene, pictured),
        seconds,
        counter,
        doubts: input.doubts,
        row: None,
    };
    run.find(&request.folder(), request.force)?;
    Ok(run)
}

/// A mistake of a value that is varied names that option.
fn as_varied(failure: Failure, values: &[Override]) -> Failure {
    let Failure::Usage(line) = failure else { return failure };
    let varied = values.iter().find_map(|value| {
        let rest = line.strip_prefix(&format!("--set {}: ", value.words()))?;
        Some(format!("--vary {}: {rest}", value.words()))
    });
    Failure::Usage(varied.unwrap_or(line))
}

/// All that a row depends on: the scene, the files that it names, the program, and whether there are pages.
fn identity(build: &Build, path: &Path, text: &str, files: &[PathBuf], pictured: bool) -> String {
    let others = files.iter().filter(|file| *file != path);
    let contents: Vec<String> = others.map(|file| fs::read(file).map(sha256).unwrap_or_default()).collect();
    let code = [build.sources, build.compiler, build.flags];
    sha256(serde_json::json!([text, contents, code, pictured]).to_string())
}

impl Run {
    /// The file of its row in the folder of a sweep.
    pub fn kept(&self, out: &Path) -> PathBuf {
        out.join(ROWS).join(format!("{}.json", self.name))
    }

    /// Finds its row, if it is finished; a folder with a run of another scene is refused unless `force`.
    fn find(&mut self, out: &Path, force: bool) -> Result<(), Failure> {
        let folder = out.join(&self.name);
        let is_own = self.is_in(&folder);
        Folder::check(&folder, force || is_own, &self.files)?;
        let is_whole = || folder.join(DESCRIPTION).exists() && !folder.join(REPLACING).exists() && verify(&folder).1.is_empty();
        self.row = Row::kept(&self.kept(out), &self.identity).filter(|_| is_own && is_whole());
        Ok(())
    }

    /// True where a folder has a run of this scene, or was getting its files.
    fn is_in(&self, folder: &Path) -> bool {
        let (copy, _) = copied(&self.text, ExtraFiles::Nothing);
        folder.join(REPLACING).exists() || fs::read_to_string(folder.join(SCENE)).is_ok_and(|text| text == copy)
    }
}
