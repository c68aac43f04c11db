//! Programs of others that race too. Each is called as `COMMAND scene.json FOLDER`, once for each step, and answers with states.npy and
//! result.json in that folder; exit code 3 says that it cannot express the scene.

mod npy;
mod told;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

use cloth::State;
use kit::Failure;
use kit::status::Status;
use lab::files::{FileError, LARGEST, make_folder, read_bytes, read_text_within, remove_file, write_whole};
use lab::terminal::in_a_line;
use race::contestants::Prepared;
use race::ladder::{Rung, SAMPLES};
use race::rows::RaceRow;
use race::runs::Outcome;
use scene::Scene;
use serde::{Deserialize, Serialize};

use super::field::Field;
use crate::children::Working;

/// Exit code of a program that cannot express a scene.
const CANNOT: i32 = 3;
/// Longest run of a rival.
const PATIENCE: Duration = Duration::from_secs(600);
/// Time from one look at a rival to the next.
const PAUSE: Duration = Duration::from_millis(10);
/// Largest result.json \[bytes\].
const LARGEST_RESULT: u64 = 10_000_000;

const TOLD: &str = "scene.json";
const STATES: &str = "states.npy";
const RESULT: &str = "result.json";
const SAID: &str = "stderr.txt";

/// Longest word of a rival that is passed on, and most words of a list.
const LONGEST: usize = 200;
const MOST_WORDS: usize = 20;

/// A program of somebody else.
pub struct Rival {
    /// As it was given.
    pub command: String,
    /// The program and its arguments.
    words: Vec<String>,
    /// Its folder, with one for each step.
    folder: PathBuf,
    prepared: Arc<Prepared>,
    name: String,
}

/// What it says of a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RivalReply {
    pub program: String,
    pub version: String,
    pub method: String,
    pub precision: String,
    pub threads: u64,
    pub step: f64,
    pub steps: u64,
    pub setup_cpu_seconds: f64,
    pub step_cpu_seconds: f64,
    pub wall_seconds: f64,
    #[serde(default)]
    pub mapping: Vec<String>,
    #[serde(default)]
    pub lacks: Vec<String>,
    pub finished: bool,
}

impl Rival {
    /// Of a command, in a folder of its own.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a command whose words cannot be told, that has none, or whose name a table would take for a formula.
    pub fn new(command: &str, folder: PathBuf, prepared: &Arc<Prepared>, name: &str) -> Result<Rival, Failure> {
        let refused = |why: &str| Failure::Usage(format!("--rival {why}"));
        let words = shlex::split(command).ok_or_else(|| refused("has a quotation mark without its end; close it"))?;
        if words.first().is_none_or(String::is_empty) {
            return Err(refused("names no program; give its command, as in --rival \"python rivals/x.py\""));
        }
        if command.starts_with(['=', '+', '-', '@']) || command.contains(char::is_control) {
            return Err(refused("begins with a sign, or holds a control character; give a path of the program, as in ./-x"));
        }
        Ok(Rival { command: command.into(), words, folder, prepared: Arc::clone(prepared), name: name.into() })
    }

    /// The scene that it is told of, and where that begins.
    pub fn scene(&self) -> (&Scene, &State) {
        (&self.prepared.scene, &self.prepared.start)
    }

    /// Where its files for a rung are.
    pub fn place(&self, rung: Rung) -> PathBuf {
        self.folder.join(format!("{}-steps", rung.steps()))
    }

    /// What it said of a rung, if it did.
    pub fn told(&self, rung: Rung) -> Option<RivalReply> {
        reply(&self.place(rung)).ok()
    }

    /// Its positions at the times of comparison, if it came to its end.
    pub fn states(&self, rung: Rung) -> Result<Vec<State>, String> {
        let path = self.place(rung).join(STATES);
        let bytes = read_bytes(&path, LARGEST).map_err(|error| error.to_string())?;
        let particles = self.prepared.start.particle_count();
        let samples = npy::vectors(&bytes, SAMPLES as usize, particles).map_err(|what| format!("{STATES}: {what}"))?;
        Ok(samples.into_iter().map(State::at_rest).collect())
    }

    /// Calls it, and waits for its end.
    ///
    /// # Errors
    /// Why it has no result.
    fn call(&self, rung: Rung) -> Result<RivalReply, String> {
        let prepared = &self.prepared;
        let place = self.place(rung);
        let model = prepared.scene.model().map_err(|invalid| invalid.to_string())?;
        let told = told::told(&prepared.scene, &self.name, &model, &prepared.start, rung);
        let written = || -> Result<(), FileError> {
            make_folder(&place)?;
            [STATES, RESULT, SAID].iter().try_for_each(|name| remove_file(&place.join(name)))?;
            write_whole(&place.join(TOLD), format!("{told}\n").as_bytes())
        };
        written().map_err(|error| error.to_string())?;
        let said = std::fs::File::create(place.join(SAID)).map_err(|error| error.to_string())?;
        let [program, arguments @ ..] = &self.words[..] else { return Err("names no program".into()) };
        let mut command = Command::new(program);
        command.args(arguments).arg(place.join(TOLD)).arg(&place).stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
        let working = Working::start(&mut command).map_err(|error| format!("{program} cannot be started: {error}"))?;
        let code = wait(working)?;
        match code {
            Some(0) => {}
            Some(CANNOT) => return Err(format!("cannot express the scene: {}", last_line(&place))),
            Some(code) => return Err(format!("ended with exit code {code}: {}", last_line(&place))),
            None => return Err(format!("was ended by a signal: {}", last_line(&place))),
        }
        reply(&place)
    }
}

/// The reply of a rival in its folder, its words in a line each.
///
/// # Errors
/// A file that cannot be read, or a time that no run can take.
fn reply(place: &Path) -> Result<RivalReply, String> {
    let text = read_text_within(&place.join(RESULT), LARGEST_RESULT).map_err(|error| error.to_string())?;
    let told: RivalReply =
        serde_json::from_str(&text).map_err(|error| format!("{RESULT}: {}", in_a_line(&error.to_string(), LONGEST)))?;
    let most = PATIENCE.as_secs_f64() * available_parallelism().map_or(1.0, |cores| cores.get() as f64);
    let times = [
        ("setup_cpu_seconds", told.setup_cpu_seconds, 0.0),
        ("step_cpu_seconds", told.step_cpu_seconds, f64::MIN_POSITIVE),
        ("wall_seconds", told.wall_seconds, 0.0),
    ];
    let wrong = times.into_iter().find(|(_, seconds, least)| !(*least..=most).contains(seconds));
    if let Some((name, seconds, least)) = wrong.filter(|_| told.finished) {
        let least = if least > 0.0 { "above zero" } else { "zero or more" };
        return Err(format!("{RESULT}: {name} is {seconds:e}; it must be {least}, and at most {most} s"));
    }
    let word = |text: &String| in_a_line(text, LONGEST);
    let words = |all: &[String]| all.iter().take(MOST_WORDS).map(word).collect();
    let [program, version, method, precision] = [&told.program, &told.version, &told.method, &told.precision].map(word);
    Ok(RivalReply { program, version, method, precision, mapping: words(&told.mapping), lacks: words(&told.lacks), ..told })
}

/// The exit code of a program, none of one that a signal ended.
fn wait(mut working: Working) -> Result<Option<i32>, String> {
    let begun = Instant::now();
    loop {
        match working.ended().map_err(|error| error.to_string())? {
            Some(status) => return Ok(status.code()),
            None if begun.elapsed() > PATIENCE => return Err(format!("was given up after {} s", PATIENCE.as_secs())),
            None => sleep(PAUSE),
        }
    }
}

/// The last line that a rival wrote to its standard error.
fn last_line(place: &Path) -> String {
    let text = read_bytes(&place.join(SAID), LARGEST_RESULT).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    in_a_line(line.trim(), LONGEST)
}

/// The row of a rival at a rung.
pub fn measure(field: &Field, rival: usize, rung: Rung) -> RaceRow {
    let Some(rival) = field.rivals.get(rival) else { return RaceRow::default() };
    let begun = RaceRow {
        contestant: rival.command.clone(),
        step: Some(rung.step(field.duration)),
        status: Status::Refused,
        ..RaceRow::default()
    };
    let told = match rival.call(rung) {
        Ok(told) => told,
        Err(reason) => return RaceRow { reason: Some(reason), ..begun },
    };
    let lost = |status: Status, reason: String| RaceRow { status, reason: Some(reason), steps: told.steps, ..begun.clone() };
    if !told.finished {
        return lost(Status::NotFinite, format!("says that it did not come to its end, after {} steps", told.steps));
    }
    let states = match rival.states(rung) {
        Ok(states) => states,
        Err(reason) => return lost(Status::Refused, reason),
    };
    if !states.iter().flat_map(|state| &state.x).all(|x| x.norm_squared().is_finite()) {
        return lost(Status::NotFinite, "has positions that are not finite, or whose squares are not".into());
    }
    let system = rival.prepared.scene.model();
    let strain = |state: &State| system.as_ref().map_or(0.0, |model| model.system().largest_stretch(&state.x) - 1.0);
    let strains = states.iter().map(strain).collect();
    let reason = (!told.lacks.is_empty()).then(|| format!("lacks: {}", told.lacks.join("; ")));
    field.row(begun, &Outcome { status: Status::Finished, reason, steps: told.steps, states, strains, ..Outcome::default() })
}
