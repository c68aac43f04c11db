//! The boards of methods and cases, filled from the tables of the study or by cases that are measured for them.

use std::sync::{Mutex, PoisonError};

use kit::prelude::*;
use serde_json::{Value, json};

use super::bending_length::BendingLengths;
use super::board::{self, Entry};
use super::cantilever::Cantilevers;
use super::end_shear::Shears;
use super::fabric_strips::FabricStrips;
use super::ladder::entries;
use super::moving::{self, Kind, Rung};
use super::pinched::Pinches;
use super::roll_up::RollUps;
use super::selection::{Held, Selection, Subject};
use super::standing_strip::Standing;
use super::{Ranges, catenary, patch};

/// What methods came to.
#[derive(Default)]
pub struct Boards {
    /// Of cases at rest.
    at_rest: Vec<Entry>,
    /// Of cases in motion by integrators and constraint methods, under their titles.
    moving: Vec<(&'static str, Vec<Rung>)>,
    /// Of what vibrates on meshes that are refined.
    meshes: Vec<(&'static str, Vec<Rung>)>,
}

/// The groups whose cases stand on the boards, in this order, a line each: the topic, the group, and where its rows go. Reads all
/// of them from results, and lists them to be measured.
macro_rules! boards {
    ($($topic:ident: $group:ident => $add:expr,)+) => {
        impl Boards {
            /// From the tables of the study.
            ///
            /// # Errors
            /// A table that is not there, or cannot be read.
            pub fn read(results: &Results) -> Result<Boards, ResultsError> {
                let mut boards = Boards::default();
                $({
                    let add: fn(&mut Boards, Vec<<super::$topic::$group as Group>::Row>) = $add;
                    add(&mut boards, results.without_sets::<super::$topic::$group>()?);
                })+
                Ok(boards)
            }
        }

        /// Every group, to be measured.
        pub fn groups(ranges: &Ranges) -> Vec<Box<dyn Cases>> {
            vec![$(Box::new(Measured::new(super::$topic::$group(ranges.$topic.clone()), $add))),+]
        }
    };
}

boards! {
    cantilever: Cantilevers => |boards, rows| boards.at_rest.extend(entries::<Cantilevers>(&rows)),
    bending_length: BendingLengths => |boards, rows| boards.at_rest.extend(entries::<BendingLengths>(&rows)),
    fabric_strips: FabricStrips => |boards, rows| boards.at_rest.extend(entries::<FabricStrips>(&rows)),
    roll_up: RollUps => |boards, rows| boards.at_rest.extend(entries::<RollUps>(&rows)),
    end_shear: Shears => |boards, rows| boards.at_rest.extend(entries::<Shears>(&rows)),
    standing_strip: Standing => |boards, rows| boards.at_rest.extend(entries::<Standing>(&rows)),
    pinched: Pinches => |boards, rows| boards.at_rest.extend(entries::<Pinches>(&rows)),
    catenary: Chains => |boards, rows| boards.at_rest.extend(catenary::entries(&rows)),
    patch: Patches => |boards, rows| boards.at_rest.extend(patch::entries(&rows)),
    pendulum: Pendulums => |boards, rungs| boards.moving.push(("pendulum", rungs)),
    hanging_chain: Chains => |boards, rungs| boards.moving.push(("hanging chain", rungs)),
    folded_chain: Folded => |boards, rungs| boards.moving.push(("folded chain", rungs)),
    car_axis: Axes => |boards, rungs| boards.moving.push(("car axis", rungs)),
    beam: Beams => |boards, rungs| boards.moving.push(("beam", rungs)),
    waves: Waves => |boards, rungs| boards.meshes.push(("waves", rungs)),
    strip_modes: StripModes => |boards, rungs| boards.meshes.push(("clamped strip", rungs)),
}

/// What entries of cases at rest mean.
pub const AT_REST: &str = "Errors are the largest over all loads of a case, on the finest mesh; orders are powers of the size of \
                           elements between the last two; a method passes where its finest error is within the bound.";

/// What cells of cases in motion mean.
pub const MOVING: &str = "Whether errors fall with the order of the method, at the worst amplitude or mode of a case, that order \
                          and the finest error; for the folded chain whether its time is within 1 %.";

impl Boards {
    /// Methods and cases at rest.
    pub fn at_rest(&self) -> TextTable {
        board::board(&self.at_rest)
    }

    /// Methods of a kind by cases in motion, each at its worst amplitude or mode.
    pub fn moving(&self, kind: Kind) -> TextTable {
        moving::board(kind, if kind == Kind::Mesh { &self.meshes } else { &self.moving })
    }

    /// Cases in motion, each from its coarsest rung to its finest.
    fn ladders(&self) -> impl Iterator<Item = moving::Ladder<'_>> {
        self.moving.iter().chain(&self.meshes).flat_map(|(_, rungs)| moving::Ladder::all(rungs))
    }

    /// How many cases pass, and all of them.
    pub fn passed(&self) -> [usize; 2] {
        let passes = self.at_rest.iter().map(Entry::passes).chain(self.ladders().map(|ladder| ladder.passes()));
        passes.fold([0, 0], |[passed, all], passes| [passed + usize::from(passes), all + 1])
    }

    /// All of them as one document.
    pub fn as_json(&self) -> Value {
        let at_rest = self.at_rest.iter().map(|entry| {
            let Entry { case, method, error, order, bound } = entry;
            json!({ "case": case, "method": method, "passes": entry.passes(), "error": error, "order": order, "bound": bound })
        });
        let moving = self.ladders().map(|ladder| {
            let Rung { case, method, bound, .. } = ladder.first();
            let (passes, error, order) = (ladder.passes(), ladder.finest(), ladder.order());
            json!({ "case": case, "method": method, "passes": passes, "error": error, "order": order, "bound": bound })
        });
        let [passed, all] = self.passed();
        json!({ "passed": passed, "cases": all, "at_rest": at_rest.collect::<Vec<_>>(), "moving": moving.collect::<Vec<_>>() })
    }

    /// What does not pass, and why.
    pub fn lacks(&self) -> TextTable {
        let at_rest = self.at_rest.iter().filter(|entry| !entry.passes());
        let at_rest = at_rest.map(|entry| vec![entry.case.to_owned(), entry.method.clone(), entry.lack()]);
        let moving = self.ladders().filter(|ladder| !ladder.passes()).map(|ladder| {
            let Rung { case, method, .. } = ladder.first();
            let why = [ladder.lack()].into_iter().chain(ladder.trouble().map(str::to_owned)).collect::<Vec<_>>().join("; ");
            vec![case.clone(), method.clone(), why]
        });
        TextTable::new(&["does not pass", "method", "why"], at_rest.chain(moving))
    }
}

/// Cases of a group that are measured for the boards.
pub trait Cases: Sync {
    /// The name of the group.
    fn name(&self) -> &'static str;

    /// What its cases hold against the exact solution.
    fn subjects(&self) -> Vec<Subject>;

    /// Leaves out cases that are not asked for.
    fn keep(&mut self, selection: &Selection);

    /// How many there are.
    fn count(&self) -> usize;

    /// Measures one of them.
    ///
    /// # Panics
    /// A number beyond the last; whatever panics in a method.
    fn measure(&self, case: usize);

    /// Adds what was measured to the boards; nothing where nothing was.
    fn add_to(&self, boards: &mut Boards);
}

/// Cases of a group, the rows of those that were measured, by the number of the case, and where they go.
struct Measured<G: Group> {
    group: G,
    cases: Vec<G::Case>,
    rows: Mutex<Vec<(usize, Vec<G::Row>)>>,
    add: fn(&mut Boards, Vec<G::Row>),
}

impl<G: Group> Measured<G> {
    fn new(group: G, add: fn(&mut Boards, Vec<G::Row>)) -> Measured<G> {
        Measured { cases: group.listed(), group, rows: Mutex::new(vec![]), add }
    }
}

impl<G: Group<Case: Held, Row: Clone>> Cases for Measured<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn subjects(&self) -> Vec<Subject> {
        self.cases.iter().map(Held::subject).collect()
    }

    fn keep(&mut self, selection: &Selection) {
        self.cases.retain(|case| selection.takes(G::NAME, &case.subject()));
    }

    fn count(&self) -> usize {
        self.cases.len()
    }

    fn measure(&self, case: usize) {
        let rows = self.group.measure(&self.cases[case]);
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).push((case, rows));
    }

    fn add_to(&self, boards: &mut Boards) {
        let mut measured = self.rows.lock().unwrap_or_else(PoisonError::into_inner).clone();
        measured.sort_by_key(|(case, _)| *case);
        if !measured.is_empty() {
            (self.add)(boards, measured.into_iter().flat_map(|(_, rows)| rows).collect());
        }
    }
}
