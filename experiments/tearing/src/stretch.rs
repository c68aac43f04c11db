//! Sheets that stretch too far by their own weight where they do not tear. S-TEAR-STRETCH.

use kit::prelude::*;

use super::sheets::{Sheet, Sheets, Weave};
use super::torn::Way;
use super::ways::Ways;

ranges!(StretchRanges {
    //! Sheets and runs.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    sheets: Sheets,
    /// dt \[s\].
    step: List<Positive>,
});

row! {
    /// A sheet, torn in some way.
    pub struct StretchRow {
        /// does not tear, springs leave, mesh opens
        pub way: Way,
        /// particles a side
        pub side: usize,
        /// |x| / L at which it tears
        pub limit: f64,
        /// strain by the weight of the whole sheet, held along its upper side, over what its sides may be stretched
        pub overload: f64,
        /// share of the upper side that is held
        pub held: f64,
        /// dt \[s\]
        pub step: f64,
        /// finished, or gains energy, not finite
        pub status: Status,
        /// steps taken
        pub steps: u64,
        /// steps before which it tore
        pub tears: u64,
        /// |x| / L of the longest side after any step
        pub longest: Option<f64>,
        /// |x| / L of the longest side after any step of the last tenth of the run
        pub late: Option<f64>,
        /// steps after which a side is longer than its limit by more than a tenth of what this allows
        pub beyond: u64,
        /// share of the mass that still hangs together with what is held
        pub hanging: f64,
    }
}

/// How much longer than its limit a side may be, of what this allows.
const SLACK: f64 = 0.1;

/// Sheets, each torn in every way.
pub struct Stretched(pub StretchRanges);

/// Share of the mass of a net that springs join to held particles.
fn hanging(net: &Net) -> f64 {
    let (pieces, count) = Ways::new(net.particle_count(), net.springs().iter()).pieces();
    let mut holds = vec![false; count];
    net.pinned().iter().zip(&pieces).filter(|(pinned, _)| **pinned).for_each(|(_, &piece)| holds[piece] = true);
    let masses = || net.masses().iter().zip(&pieces);
    masses().filter(|(_, piece)| holds[**piece]).map(|(m, _)| m).sum::<f64>() / masses().map(|(m, _)| m).sum::<f64>()
}

impl Stretched {
    fn row(sheet: &Sheet, step: f64, way: Way) -> Option<StretchRow> {
        let mut torn = sheet.torn(Weave::All, way, Settings::default()).ok()?;
        let (mut taken, mut longest, mut late, mut beyond) = (0, 0.0_f64, 0.0_f64, 0);
        let steps = sheet.steps(step);
        let course = sheet.followed(&mut torn, step, |torn| {
            let side = torn.longest_side();
            taken += 1;
            longest = longest.max(side);
            late = if taken * 10 > steps * 9 { late.max(side) } else { late };
            beyond += u64::from(side > sheet.limit() + SLACK * sheet.allowed);
        })?;
        let is_whole = course.status() == Status::Finished;
        Some(StretchRow {
            way,
            side: sheet.side,
            limit: sheet.limit(),
            overload: sheet.overload,
            held: sheet.held,
            step,
            status: course.status(),
            steps: course.taken(),
            tears: torn.tears,
            longest: Some(longest).filter(|_| is_whole),
            late: Some(late).filter(|_| is_whole),
            beyond,
            hanging: hanging(&torn.net),
        })
    }
}

impl Group for Stretched {
    const NAME: &'static str = "stretch";
    const ABOUT: &'static str = "random sheets that hang, whole, where springs leave and where the mesh opens";
    type Case = (Sheet, f64);
    type Row = StretchRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> (Sheet, f64) {
        (Sheet::draw(&self.0.sheets, stream), pick(stream, self.0.step.values()).get())
    }

    fn kin(&self, (sheet, _): &(Sheet, f64)) -> u64 {
        sheet.side as u64
    }

    fn measure(&self, (sheet, step): &(Sheet, f64)) -> Vec<StretchRow> {
        Way::ALL.into_iter().filter_map(|way| Stretched::row(sheet, *step, way)).collect()
    }
}

impl StretchRow {
    /// How far its longest side is stretched over what its limit allows \[-\].
    fn share(&self) -> Option<f64> {
        Some((self.longest? - 1.0) / (self.limit - 1.0))
    }
}

/// A sheet that stretches too far where it does not tear, beside what comes of it where it does.
type Pair<'a> = (&'a StretchRow, &'a StretchRow);

/// Sheets whose sides become longer than their limit where they do not tear, by one way to tear.
fn pairs(rows: &[Row<StretchRow>], way: Way) -> Vec<Pair<'_>> {
    let of = |set: &'_ [Row<StretchRow>], way: Way| set.iter().position(|row| row.row.way == way);
    let sets = rows.chunk_by(|a, b| a.set == b.set);
    let both = sets.filter_map(|set| Some((&set[of(set, Way::Whole)?].row, &set[of(set, way)?].row)));
    both.filter(|(whole, _)| whole.share().is_some_and(|share| share > 1.0)).collect()
}

/// How far sides are stretched that tear, against how far they would be stretched.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Stretched>()?;
    let steps = distinct(rows.iter().map(|row| row.row.step));
    let panel = |way: Way| {
        let pairs = pairs(&rows, way);
        let layers = steps.iter().enumerate().map(|(k, &step)| {
            let of_step = pairs.iter().filter(|(whole, _)| whole.step == step);
            let points = of_step.filter_map(|(whole, torn)| Some([whole.share()?, torn.share()?])).collect();
            Layer::points(format!("steps of {:.1} ms", 1e3 * step), Palette::series(k), points)
        });
        let same = extent(pairs.iter().filter_map(|(whole, _)| whole.share()));
        let limit = Layer::line("the limit", Palette::GREY, same.map(|share| [share, 1.0]).into());
        let axes = (Axis::log("largest strain over the limit's, not torn"), Axis::log("largest strain over the limit's, torn"));
        Panel::new(axes.0, axes.1, [limit].into_iter().chain(layers).collect()).titled(way.name()).legend_outside()
    };
    let caption = "Strain of the longest side after any step over what its limit allows, of sheets that hang: whole, and torn. \
                    Each point is a sheet that stretches beyond its limit where it does not tear.";
    let panels = vec![panel(Way::Simple), panel(Way::Open)];
    Ok(Figure { columns: 2, ..Figure::new("stretch", "How far cloth stretches that tears", caption, panels).with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Stretched(ranges.stretch.clone())).plot("stretch", chart)
}

#[cfg(test)]
mod tests {
    use super::super::sheets::tests::HANGING;
    use super::*;

    #[test]
    fn a_sheet_that_tears_lets_its_cloth_go() {
        let sheet = Sheet { overload: 3.0, ..HANGING };
        let [whole, simple, open] = Way::ALL.map(|way| Stretched::row(&sheet, 2e-3, way).unwrap());
        assert!(whole.longest.unwrap() > 1.5 && whole.tears == 0 && (whole.hanging - 1.0).abs() < 1e-12, "{whole:?}");
        for torn in [simple, open] {
            assert!(torn.tears > 0 && torn.late < whole.late && torn.hanging < 0.9, "{torn:?}");
            assert_eq!(torn.share().unwrap() <= 1.0 + SLACK, torn.beyond == 0);
        }
    }
}
