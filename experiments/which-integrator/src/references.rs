//! The scenes as they were drawn, each with the reference that errors are measured against, and how far that can be trusted.

use std::sync::{Arc, OnceLock};
use std::thread;

use kit::prelude::*;
use kit::workspace::{default_jobs, root};
use race::contestants::Template;
use race::reference::{Candidate, Reference};
use race::runs::Measures;
use rayon::ThreadPoolBuilder;

use super::runs::{RunRanges, Setup};
use super::scenes::Draw;

/// A scene as it was drawn.
pub struct DrawnScene {
    pub template: Template,
    pub measures: Measures,
    pub particles: usize,
    /// What errors are measured against; the candidates alone where none came to its end.
    pub reference: Result<Reference, Vec<Candidate>>,
}

/// The scenes, each made where it is first asked for: a function of its setup and its draw alone.
#[derive(Clone)]
pub struct Scenes {
    made: Arc<Vec<OnceLock<Result<DrawnScene, String>>>>,
    budget: f64,
}

/// A place among all draws of all scenes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Of the scene in the profile.
    pub setup: usize,
    /// Of the draw, counted on over all setups of a scene at a size.
    pub draw: u32,
    /// Among the draws of all scenes.
    pub all: usize,
}

/// The draws of all scenes: setups that are put behind the others leave these as they were drawn.
pub fn places(ranges: &RunRanges) -> Vec<Place> {
    let setups = ranges.scenes.values();
    let numbers = setups.iter().enumerate().flat_map(|(number, setup)| (0..setup.draws.get()).map(move |_| number));
    let mut places: Vec<Place> = vec![];
    for (all, setup) in numbers.enumerate() {
        let what = |setup: usize| (setups[setup].scene, setups[setup].side.get());
        let before = places.iter().filter(|place| what(place.setup) == what(setup)).count();
        places.push(Place { setup, draw: before as u32, all });
    }
    places
}

impl Scenes {
    pub fn new(ranges: &RunRanges) -> Scenes {
        let made = places(ranges).into_iter().map(|_| OnceLock::new()).collect();
        Scenes { made: Arc::new(made), budget: ranges.operations_of_reference() }
    }

    /// How many draws there are.
    pub fn count(&self) -> usize {
        self.made.len()
    }

    /// The scene at a place.
    ///
    /// # Errors
    /// Why it cannot be read, in a line.
    pub fn at(&self, place: Place, setup: &Setup, draw: &Draw) -> Result<&DrawnScene, &str> {
        let make = || {
            // on threads of its own: one that waits here for what it makes must not be given other cases meanwhile
            let made = thread::scope(|scope| scope.spawn(|| self.make(setup, draw)).join());
            made.unwrap_or_else(|_| Err("the reference cannot be made".into()))
        };
        self.made[place.all].get_or_init(make).as_ref().map_err(String::as_str)
    }

    fn make(&self, setup: &Setup, draw: &Draw) -> Result<DrawnScene, String> {
        let text = setup.scene.text(setup.side.get(), draw, setup.duration.get());
        let path = root().join("scenes").join(format!("{}.toml", setup.scene));
        let (template, whole) = Template::of(&path, text).map_err(|failure| failure.to_string())?;
        let measures = Measures::of(&whole.scene, whole.simulation.model(), whole.simulation.state());
        let pool = ThreadPoolBuilder::new().num_threads(default_jobs()).build().map_err(|error| error.to_string())?;
        let reference = pool.install(|| Reference::make(&template, &measures, self.budget, true));
        Ok(DrawnScene { template, measures, particles: whole.simulation.state().particle_count(), reference })
    }
}

row! {
    /// The error that a reference may have itself, over the size of the cloth.
    #[derive(Copy)]
    pub struct Estimates {
        /// the error that the reference may have itself up to a fourth of the time, over the size of the cloth: the larger of its
        /// distances to itself and to another candidate
        pub estimate_1: Option<f64>,
        /// the same up to a half
        pub estimate_2: Option<f64>,
        /// up to three fourths
        pub estimate_3: Option<f64>,
        /// up to the end
        pub estimate_4: Option<f64>,
    }
}

impl Estimates {
    fn of(reference: &Reference) -> Estimates {
        let at = |k: usize| reference.estimates.get(k).copied().and_then(finite);
        Estimates { estimate_1: at(0), estimate_2: at(1), estimate_3: at(2), estimate_4: at(3) }
    }

    /// All of them; none where there is no reference.
    pub fn all(&self) -> Option<[f64; 4]> {
        Some([self.estimate_1?, self.estimate_2?, self.estimate_3?, self.estimate_4?])
    }
}

row! {
    /// A scheme that could be the reference of a scene.
    pub struct ReferenceRow {
        /// what is simulated
        pub scene: String,
        /// particles along a shorter edge
        pub side: u64,
        /// number of the draw
        pub draw: u64,
        /// the scheme
        pub scheme: String,
        /// whether errors are measured against it
        pub is_reference: bool,
        /// its finer step; none where it did not come to its end \[s\]
        pub step: Option<f64>,
        /// largest distance to itself at twice the step, rms over particles and over the size of the cloth
        pub own: Option<f64>,
        /// distance to the nearest other candidate, over the size of the cloth
        pub other: Option<f64>,
        /// of the reference alone
        pub estimates: Estimates,
        /// largest |x| / L - 1 at any time of comparison; of the reference alone
        pub strain: Option<f64>,
        /// why it is none, or what went wrong
        pub reason: Option<String>,
    }
}

/// The reference of every draw of every scene.
pub struct References {
    pub ranges: RunRanges,
    pub scenes: Scenes,
    places: Vec<Place>,
}

impl References {
    pub fn new(ranges: RunRanges, scenes: Scenes) -> References {
        References { places: places(&ranges), ranges, scenes }
    }
}

impl Group for References {
    const NAME: &'static str = "references";
    const ABOUT: &'static str = "what errors are measured against, scene by scene, and how far that is from other solutions";
    const SCENES: &'static str = "runs";
    const SAMPLED: bool = false;
    type Case = (Place, Draw);
    type Row = ReferenceRow;

    fn sets(&self) -> u64 {
        self.places.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        (self.places[set as usize], Draw::of(stream))
    }

    fn measure(&self, (place, draw): &Self::Case) -> Vec<ReferenceRow> {
        let setup = &self.ranges.scenes.values()[place.setup];
        let begun = ReferenceRow {
            scene: setup.scene.label().into(),
            side: setup.side.get().into(),
            draw: place.draw.into(),
            ..ReferenceRow::default()
        };
        let drawn = match self.scenes.at(*place, setup, draw) {
            Ok(drawn) => drawn,
            Err(why) => return vec![ReferenceRow { reason: Some(why.into()), ..begun }],
        };
        let candidates = drawn.reference.as_ref().map_or_else(|candidates| candidates, |reference| &reference.candidates);
        let chosen = drawn.reference.as_ref().ok();
        let row = |(k, candidate): (usize, &Candidate)| {
            let Candidate { name, step, own, other, reason, .. } = candidate.clone();
            let chosen = chosen.filter(|reference| reference.chosen == k);
            let strain = chosen.and_then(|chosen| chosen.strains.iter().copied().reduce(f64::max)).and_then(finite);
            let estimates = chosen.map_or(Estimates::default(), Estimates::of);
            let is_reference = chosen.is_some();
            ReferenceRow { scheme: name, is_reference, step, own, other, estimates, strain, reason, ..begun.clone() }
        };
        candidates.iter().enumerate().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::ranges::Ranged;

    #[test]
    fn draws_are_counted_on_over_the_setups_of_a_scene_at_a_size() {
        let setup = |scene: &str, side: u32, draws: u32| {
            format!("{{ scene = \"{scene}\", side = {side}, draws = {draws}, duration = 0.1, steps = [0.01], budget = 1 }}")
        };
        let scenes = [setup("drape", 5, 2), setup("flag", 5, 1), setup("drape", 6, 1), setup("drape", 5, 2)].join(", ");
        let text = format!("runs = {{ scenes = [{scenes}], reference_budget = 1, repeats = 1 }}");
        let ranges = RunRanges::read(&toml::from_str::<toml::Table>(&text).unwrap()["runs"]).unwrap();
        let found: Vec<(usize, u32)> = places(&ranges).iter().map(|place| (place.setup, place.draw)).collect();
        assert_eq!(found, [(0, 0), (0, 1), (1, 0), (2, 0), (3, 2), (3, 3)]);
    }
}
