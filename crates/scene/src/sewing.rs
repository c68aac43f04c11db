//! Particles of a scene that are sewn together, as it is written: the sections `seam` and `sewing`.

use std::collections::HashSet;

use toml::Spanned;

use super::key::section;
use super::mistake::{Place, Problem, SceneError};
use super::pins::Naming;
use super::section::Keyed;
use super::subject::Subject;
use cloth::quantity::{NonNegative, Positive};
use cloth::run::Sewing;
use cloth::{Elastic, Vec3};

section! {
    pub(super) struct SewingSection = "a section with time, stiffness and damping" {
        time["s"]: Option<Positive>,
        stiffness["N/m"]: Option<Positive>,
        damping["N s/m"]: Option<NonNegative>,
    }
}

section! {
    pub(super) struct SeamSection = "[[seam]] sections, each with first and second" {
        first: Vec<Spanned<toml::Value>>,
        second: Vec<Spanned<toml::Value>>,
    }
}

/// T if nothing is said \[s\].
const TIME: f64 = 1.0;
/// Stiffness of a pair over that of the cloth against stretch, if nothing is said \[-\]: a seam gives a tenth of what cloth does.
const FIRMNESS: f64 = 10.0;

/// All that is to be sewn: the sections, and pairs that lines of a file join.
pub(super) struct Seams<'a> {
    pub chains: Vec<Spanned<Keyed<SeamSection>>>,
    pub lines: &'a [[usize; 2]],
}

impl Seams<'_> {
    /// The sewing that they and the section make; none where there is nothing of either.
    ///
    /// # Errors
    /// A particle that there is not, a chain without particles or joined to itself, a section that joins nothing or does not say how
    /// strong, with its line.
    pub fn sewing(
        self,
        text: &str,
        subject: &Subject,
        naming: &Naming<'_>,
        section: Option<Keyed<SewingSection>>,
    ) -> Result<Option<Sewing>, SceneError> {
        let (mut pairs, mut seen) = (vec![], HashSet::new());
        let mut join = |[i, j]: [usize; 2]| {
            if i != j && seen.insert([i.min(j), i.max(j)]) {
                pairs.push([i, j]);
            }
        };
        let has_chains = !self.chains.is_empty();
        for chain in self.chains {
            let start = chain.span().start;
            let SeamSection { first, second } = chain.into_inner().0;
            let particles = |key: &str, list| -> Result<Vec<usize>, SceneError> {
                let named = naming.pins(text, key, list)?;
                Ok(named.into_iter().filter_map(|(pin, _)| subject.particle(pin).ok()).collect())
            };
            let ends = [particles("seam.first", first)?, particles("seam.second", second)?];
            let Some(x) = naming.positions() else { continue }; // when the file is read
            if ends.iter().any(Vec::is_empty) || ends[0] == ends[1] {
                return Err(SceneError { place: Some(Place::at(text, start)), problem: Problem::EmptySewing });
            }
            paired(&ends, &x).into_iter().for_each(&mut join);
        }
        self.lines.iter().copied().for_each(&mut join);
        let waits = matches!(naming, Naming::Unread); // for the lines of its file
        let Some(SewingSection { time, stiffness, damping }) = section
            .map(|Keyed(section)| section)
            .or_else(|| (!pairs.is_empty()).then_some(SewingSection { time: None, stiffness: None, damping: None }))
        else {
            return Ok(None);
        };
        if pairs.is_empty() {
            let nothing = SceneError { place: None, problem: Problem::NothingSewn };
            return if has_chains || waits { Ok(None) } else { Err(nothing) };
        }
        let own = FIRMNESS * subject.stretch_stiffness();
        let stiffness = stiffness.map_or(own, Positive::get);
        if stiffness <= 0.0 {
            return Err(SceneError { place: None, problem: Problem::SewingStiffness });
        }
        let elastic = Elastic { stiffness, damping: damping.map_or(0.0, NonNegative::get) };
        Ok(Some(Sewing { pairs, time: time.map_or(TIME, Positive::get), elastic }))
    }
}

/// Pairs along two chains of particles at `x` \[m\]: in their order where they have equally many; otherwise each of the longer list with
/// the one of the other that lies nearest by its share of the chain's length.
fn paired([first, second]: &[Vec<usize>; 2], x: &[Vec3]) -> Vec<[usize; 2]> {
    if first.len() == second.len() {
        return first.iter().zip(second).map(|(&i, &j)| [i, j]).collect();
    }
    let [few, many] = if first.len() < second.len() { [first, second] } else { [second, first] };
    let [shares, of_many] = [few, many].map(|chain| shares(chain, x));
    let nearest = |share: f64| (0..few.len()).min_by(|&a, &b| (shares[a] - share).abs().total_cmp(&(shares[b] - share).abs()));
    let pairs = many.iter().zip(of_many).filter_map(|(&i, share)| Some([i, few[nearest(share)?]]));
    pairs.collect()
}

/// The share of a chain's length at which each of its particles lies \[-\]; of their number where it has no length.
fn shares(chain: &[usize], x: &[Vec3]) -> Vec<f64> {
    let mut lengths = vec![0.0];
    for pair in chain.windows(2) {
        lengths.push(lengths[lengths.len() - 1] + (x[pair[1]] - x[pair[0]]).norm());
    }
    let whole = lengths[lengths.len() - 1];
    let last = (chain.len() - 1).max(1) as f64;
    lengths.iter().enumerate().map(|(k, length)| if whole > 0.0 { length / whole } else { k as f64 / last }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Reading, Scene, read_obj};
    use super::*;

    const TOP: &str = "step = 1e-3\nduration = 0.5\n";
    const GRID: &str = "[mesh]\nnx = 5\nny = 3\nspacing = 0.1\n";
    const FILE: &str = "[mesh.obj]\nfile = 'a.obj'\n";
    const PANELS: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 2 3 4\nf 5 6 7 8\n";

    fn read(sections: &str, lines: &str) -> Result<Option<Sewing>, String> {
        let text = format!("{TOP}{sections}");
        let scene = if sections.contains("obj") {
            assert!(Scene::parse(&text).is_ok(), "the file is still to be read");
            Scene::parse_on(&text, &read_obj(&format!("{PANELS}{lines}"), &Reading::default()).unwrap())
        } else {
            Scene::parse(&text)
        };
        scene.map(|scene| scene.sewing).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn chains_are_paired_in_order_or_by_their_lengths() {
        assert_eq!(read(GRID, ""), Ok(None));
        let sewing = |seam: &str| read(&format!("{GRID}[[seam]]\n{seam}"), "").unwrap().unwrap();
        let equal = sewing("first = ['bottom']\nsecond = ['top']");
        assert_eq!(equal.pairs, [[0, 10], [1, 11], [2, 12], [3, 13], [4, 14]]);
        assert_eq!((equal.time, equal.elastic), (1.0, Elastic { stiffness: 10_000.0, damping: 0.0 }));
        let fewer = sewing("first = [0, 4]\nsecond = ['top']");
        assert_eq!(fewer.pairs, [[10, 0], [11, 0], [12, 0], [13, 4], [14, 4]]);
        let said =
            read(&format!("{GRID}[sewing]\ntime = 0.25\nstiffness = 50\ndamping = 2\n[[seam]]\nfirst = [0]\nsecond = [14]"), "");
        let expected = Sewing { pairs: vec![[0, 14]], time: 0.25, elastic: Elastic { stiffness: 50.0, damping: 2.0 } };
        assert_eq!(said, Ok(Some(expected)));
    }

    #[test]
    fn lines_of_a_file_are_sewn_each_pair_once() {
        assert_eq!(read(FILE, ""), Ok(None));
        let sewing = read(FILE, "l 1 5\nl 6 2 6\nl 5 1\n").unwrap().unwrap();
        assert_eq!((sewing.pairs, sewing.elastic.stiffness), (vec![[0, 4], [5, 1]], 100.0));
        let both = format!("{FILE}[sewing]\ntime = 2\n[[seam]]\nfirst = [2, 3]\nsecond = [6, 7]");
        let sewing = read(&both, "l 1 5").unwrap().unwrap();
        assert_eq!((sewing.pairs, sewing.time), (vec![[2, 6], [3, 7], [0, 4]], 2.0));
    }

    #[test]
    fn mistakes_are_named_with_line_and_key() {
        let seam = |keys: &str| format!("{GRID}[[seam]]\n{keys}");
        for (sections, expected) in [
            (
                seam("first = [0]"),
                "line 7, `[[seam]]`: the key `second` is missing in [seam]; add it: a list of whole numbers from 0",
            ),
            (seam("first = [0]\nsecond = [15]"), "line 9, `second = [15]`: the pin 15 lies outside the mesh of 5 x 3 particles"),
            (seam("first = []\nsecond = [1]"), "line 7, `[[seam]]`: a [[seam]] joins two chains of particles"),
            (seam("first = [1]\nsecond = [1]"), "line 7, `[[seam]]`: a [[seam]] joins two chains of particles"),
            (
                seam("first = [0]\nsecond = [1]\nthird = 1"),
                "line 10, `third = 1`: unknown key `third`; known here: first, second",
            ),
            (format!("{GRID}[sewing]"), "[sewing] joins nothing: add [[seam]] with first and second"),
            (
                format!("{GRID}[sewing]\ntime = 0"),
                "line 8, `time = 0`: `sewing.time` [s] must be a finite number above zero, not 0",
            ),
            (
                format!("{GRID}[sewing]\nstiffness = 0"),
                "line 8, `stiffness = 0`: `sewing.stiffness` [N/m] must be a finite number above",
            ),
            (
                format!("{GRID}[sewing]\ndamping = -1"),
                "line 8, `damping = -1`: `sewing.damping` [N s/m] must be a finite number, zero or",
            ),
            (
                format!("{GRID}[material]\nstretch = {{ stiffness = 0 }}\n[[seam]]\nfirst = [0]\nsecond = [4]"),
                "`sewing.stiffness` is missing, which is ten times that of the cloth against stretch",
            ),
            (
                format!("{GRID}[tearing]\nlimit = 2\n[[seam]]\nfirst = [0]\nsecond = [4]"),
                "line 7, `[tearing]`: `tearing` splits particles, and `seam` ties some or lets them go",
            ),
        ] {
            let message = read(&sections, "").map(drop).expect_err(expected);
            assert!(message.starts_with(expected) && !message.contains('\n'), "{message}\nis not\n{expected}");
        }
    }
}
