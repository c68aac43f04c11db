//! Random sheets that are torn by leaving springs: what stays tied across the tear. S-TEAR-DISCONNECT.

use kit::prelude::*;

use super::sheets::{Load, Sheet, Sheets, Weave};
use super::torn::Way;
use super::ways::Ties;

ranges!(TieRanges {
    //! Sheets and runs.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    sheets: Sheets,
    /// dt \[s\].
    step: Positive,
});

/// Springs of the longest way that ties, and of a shorter one.
const MOST: usize = 3;
const FEWER: usize = 2;

row! {
    /// A sheet of some springs.
    pub struct TieRow {
        /// own weight, pulled apart
        pub load: Load,
        /// sides, diagonals, bend, and some of them; sides of triangles, with and without springs across
        pub weave: Weave,
        /// particles a side
        pub side: usize,
        /// |x| / L at which springs leave
        pub limit: f64,
        /// stiffness of diagonals over that of sides
        pub shear: f64,
        /// stiffness of bend springs over that of sides
        pub bend: f64,
        /// finished, or gains energy, not finite
        pub status: Status,
        /// steps taken
        pub steps: u64,
        /// steps before which springs left
        pub tears: u64,
        /// sides that left
        pub left: usize,
        /// of these, with ends still tied across the tear by at most three springs after the step that removed them
        pub tied_at_once: usize,
        /// by at most two springs
        pub tied_by_two: usize,
        /// by springs whose own ends sides join no more as they did
        pub tied_by_cut: usize,
        /// with ends at most three springs apart then, by whatever way
        pub near_at_once: usize,
        /// tied across the tear when the run ends
        pub tied: usize,
        /// most of the sides that had left that were tied at once, after any step
        pub most_tied: usize,
        /// pieces that sides alone join when the run ends
        pub pieces_by_sides: usize,
        /// pieces that all springs join
        pub pieces: usize,
        /// pieces of the mesh that opens under the same load
        pub pieces_open: usize,
        /// springs left between pieces that no side joins
        pub across: usize,
        /// what these pull at the most after any step, over the force at which a row of sides tears
        pub pull: f64,
    }
}

/// Sheets, each of every weave.
pub struct Tied(pub TieRanges);

/// Forces of the springs that are left between pieces which no side joins \[N\], and how many these are.
fn across(net: &Net, pieces: &[usize], x: &[Vec3]) -> (f64, usize) {
    let crossing = net.springs().iter().filter(|spring| pieces[spring.i] != pieces[spring.j]);
    crossing.fold((0.0, 0), |(pull, count), spring| {
        let longer = (x[spring.j] - x[spring.i]).norm() - spring.rest;
        (pull + spring.elastic.stiffness * longer.max(0.0), count + 1) // ks (|x| - L)
    })
}

impl Tied {
    fn row(&self, sheet: &Sheet, weave: Weave) -> Option<TieRow> {
        let step = self.0.step.get();
        let mut torn = sheet.torn(weave, Way::Simple, Settings::default()).ok()?;
        let mut row = TieRow {
            load: sheet.load,
            weave,
            side: sheet.side,
            limit: sheet.limit(),
            shear: sheet.shear,
            bend: sheet.bend,
            ..TieRow::default()
        };
        let mut left: Vec<NetSpring> = vec![];
        let mut ties = Ties::of(&torn.net);
        let (mut pieces, mut by_sides) = ties.sides.pieces();
        let course = sheet.followed(&mut torn, step, |torn| {
            if torn.tears > row.tears {
                row.tears = torn.tears;
                ties = Ties::of(&torn.net);
                (pieces, by_sides) = ties.sides.pieces();
                let count = |holds: &dyn Fn(&NetSpring) -> bool| torn.left.iter().filter(|side| holds(side)).count();
                row.tied_at_once += count(&|side| ties.tie(side.i, side.j, MOST));
                row.tied_by_two += count(&|side| ties.tie(side.i, side.j, FEWER));
                row.tied_by_cut += count(&|side| ties.tie_by_cut(side.i, side.j, MOST));
                row.near_at_once += count(&|side| ties.all.between(side.i, side.j, MOST).is_some());
                left.extend(&torn.left);
                row.tied = left.iter().filter(|side| ties.tie(side.i, side.j, MOST)).count();
                row.most_tied = row.most_tied.max(row.tied);
            }
            let (pull, count) = across(&torn.net, &pieces, &torn.state.x);
            (row.pull, row.across) = (row.pull.max(pull / sheet.strength()), count);
        })?;
        let mut open = sheet.torn(weave, Way::Open, Settings::default()).ok()?;
        sheet.followed(&mut open, step, |_| ())?;
        Some(TieRow {
            status: course.status(),
            steps: course.taken(),
            left: left.len(),
            pieces_by_sides: by_sides,
            pieces: ties.all.pieces().1,
            pieces_open: open.mesh.pieces(),
            pull: if row.pull.is_finite() { row.pull } else { 0.0 },
            ..row
        })
    }
}

impl Group for Tied {
    const NAME: &'static str = "ties";
    const ABOUT: &'static str = "random sheets of every weave whose springs leave where they are too long";
    type Case = Sheet;
    type Row = TieRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet::draw(&self.0.sheets, stream)
    }

    fn kin(&self, sheet: &Sheet) -> u64 {
        sheet.side as u64
    }

    fn measure(&self, sheet: &Sheet) -> Vec<TieRow> {
        Weave::ALL.into_iter().filter_map(|weave| self.row(sheet, weave)).collect()
    }
}

impl TieRow {
    /// Whether it counts: sides left, in a run that is finished.
    pub fn is_torn(&self) -> bool {
        self.left > 0 && self.status == Status::Finished
    }
}

/// How many of the sides that left something is true of.
type Counted = fn(&TieRow) -> usize;

/// How many sheets have at most such a share of the sides that left tied, a panel a moment.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Tied>()?;
    let panel = |title: &str, weaves: &[Weave], counted: Counted| {
        let layers = Weave::ALL.iter().enumerate().filter(|(_, weave)| weaves.contains(weave)).map(|(k, &weave)| {
            let torn = rows.iter().filter(|row| row.weave == weave && row.is_torn());
            let shares = cumulative(torn.map(|row| counted(row) as f64 / row.left as f64));
            let begin = shares.first().map(|first| [first[0], 0.0]);
            Layer::line(weave.name(), Palette::series(k), begin.into_iter().chain(shares).collect())
        });
        let (x, y) =
            (Axis::linear("share of the sides that left").range(0.0, 1.02), Axis::linear("share of sheets").range(0.0, 1.02));
        Panel::new(x, y, layers.collect()).titled(title).legend_outside()
    };
    let others = [Weave::All, Weave::Diagonals, Weave::Bends, Weave::BentTriangles];
    let panels = vec![
        panel("ends three springs apart, by any way", &Weave::ALL, |row| row.near_at_once),
        panel("tied after the step that removed them", &others, |row| row.tied_at_once),
        panel("tied when the run ends", &others, |row| row.tied),
    ];
    let caption = "Sheets of which at most such a share of the sides that left has ends that are still near each other along \
                   springs, and of these, those that other springs tie across the tear. Sides alone cannot be tied so.";
    let figure = Figure::new("ties", "What stays tied where springs leave", caption, panels);
    Ok(Figure { columns: 3, ..figure.with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Tied(ranges.ties.clone())).plot("ties", chart)
}

#[cfg(test)]
mod tests {
    use super::super::sheets::tests::HANGING;
    use super::*;

    fn ranges() -> TieRanges {
        kit::ranges::stated(
            "sets = 1\nstep = 0.004\n[sheets]\nload = [\"own weight\"]\nside = [7]\ndensity = [0.1, 0.2]\nallowed = [0.1, 0.2]\n\
             overload = [1.0, 2.0]\nshear = [0.1, 0.5]\nbend = [0.01, 0.1]\nheld = [0.5, 1.0]",
        )
    }

    #[test]
    fn sides_alone_are_never_tied_and_fall_apart_with_their_springs() {
        let sheet = Sheet { overload: 3.0, ..HANGING };
        let rows = Weave::ALL.map(|weave| Tied(ranges()).row(&sheet, weave).unwrap());
        for row in &rows {
            assert!(row.left > 0 && row.status == Status::Finished, "{row:?}");
            assert!(row.tied_by_two <= row.tied_at_once && row.tied_at_once <= row.near_at_once && row.near_at_once <= row.left);
            assert!(row.pieces <= row.pieces_by_sides);
        }
        for row in rows.iter().filter(|row| [Weave::Sides, Weave::Triangles].contains(&row.weave)) {
            assert_eq!((row.tied_at_once, row.tied, row.across, row.pieces), (0, 0, 0, row.pieces_by_sides));
        }
        assert!(rows[0].tied_at_once > 0);
    }
}
