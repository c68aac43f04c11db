//! Faces that may meet in a step, by a tree of boxes and by testing all pairs, timed alone and in turn.

use collision::{Bounds, Tree};
use kit::prelude::*;

use super::drapes::{LENGTH, THICKNESS, faces};

ranges!(BoxRanges {
    //! Folded sheets.
    /// Particles a side.
    sides: List<Side>,
    /// Times that a tree is asked in a measurement, and all pairs.
    looks: Count,
    /// Measurements of each.
    repeats: Count,
});

words! {
    /// How pairs are found.
    pub enum Way {
        Tree = "tree",
        AllPairs = "all pairs",
    }
}

row! {
    /// A sheet in four layers by one way.
    pub struct BoxRow {
        /// tree, all pairs
        pub way: Way,
        /// particles a side
        pub side: usize,
        /// triangles
        pub faces: usize,
        /// times that pairs were looked for
        pub looks: u32,
        /// pairs of faces whose boxes meet
        pub pairs: u64,
        /// sum of their numbers, modulo 2^32: the same for the same pairs
        pub sum: u64,
    }
}

/// Layers of a sheet, and how far apart they are \[m\]: in a step each comes nearer by half of that.
const LAYERS: usize = 4;
const APART: f64 = 1.2 * THICKNESS;

/// Sheets, each by both ways.
pub struct Boxes(pub BoxRanges);

/// A sheet that is folded to and fro in layers, `share` of [`APART`] from each other \[m\].
fn layered(side: usize, share: f64) -> Vec<Vec3> {
    let width = LENGTH / LAYERS as f64;
    let at = |k: usize| {
        let [x, y] = [k % side, k / side].map(|q| q as f64 * LENGTH / (side - 1) as f64);
        let layer = (x / width).floor().min(LAYERS as f64 - 1.0);
        let along = x - layer * width;
        let there = if layer % 2.0 == 0.0 { along } else { width - along };
        Vec3::new(there, y, share * APART * (layer + along / width))
    };
    (0..side * side).map(at).collect()
}

/// Boxes of the faces of a sheet over a step, half of the thickness larger on every side.
fn boxes(side: usize) -> Vec<Bounds> {
    let [start, end] = [layered(side, 1.0), layered(side, 0.5)];
    let of = |corners: [u32; 3]| {
        let places = corners.iter().flat_map(|corner| [&start[*corner as usize], &end[*corner as usize]]);
        Bounds::of(places, 0.5 * THICKNESS)
    };
    faces(side).into_iter().map(of).collect()
}

impl Boxes {
    fn row(&self, side: usize, way: Way) -> BoxRow {
        let boxes = boxes(side);
        let looks = if way == Way::Tree { self.0.looks.get() } else { 1 };
        let (mut pairs, mut sum) = (0, 0_u32);
        let mut show = |a: u32, b: u32| {
            pairs += 1;
            sum = sum.wrapping_add(a.wrapping_mul(0x9e37_79b9) ^ b);
        };
        match way {
            Way::Tree => {
                let mut tree = Tree::new(&boxes);
                for look in 0..looks {
                    tree.refit(&boxes);
                    match look {
                        0 => tree.pairs(&mut show),
                        _ => tree.pairs(|a, b| {
                            std::hint::black_box((a, b));
                        }),
                    }
                }
            }
            Way::AllPairs => {
                for (a, one) in boxes.iter().enumerate() {
                    for (b, other) in boxes.iter().enumerate().skip(a + 1) {
                        if one.meets(other) {
                            show(a as u32, b as u32);
                        }
                    }
                }
            }
        }
        BoxRow { way, side, faces: boxes.len(), looks, pairs, sum: sum.into() }
    }
}

impl Group for Boxes {
    const NAME: &'static str = "boxes";
    const ABOUT: &'static str = "faces of a sheet in four layers whose boxes meet, by both ways: times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = (usize, Way);
    type Row = BoxRow;

    fn sets(&self) -> u64 {
        (Way::ALL.len() * self.0.sides.values().len()) as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / Way::ALL.len() as u64
    }

    fn case(&self, set: u64, _: &mut ChaCha8Rng) -> Self::Case {
        let sides = self.0.sides.values();
        (sides[self.scene(set) as usize % sides.len()].get() as usize, Way::ALL[set as usize % Way::ALL.len()])
    }

    fn kin(&self, (side, _): &Self::Case) -> u64 {
        *side as u64
    }

    fn measure(&self, &(side, way): &Self::Case) -> Vec<BoxRow> {
        vec![self.row(side, way)]
    }
}

/// Faces, and the seconds that one look takes, of each time that was measured.
type Points = Vec<[f64; 2]>;

fn points(results: &Results) -> Result<[Points; 2], ResultsError> {
    let (rows, seconds) = (results.rows::<Boxes>()?, seconds::<Boxes>(results)?);
    let of = |way: Way| {
        let rows = rows.iter().filter(|row| row.row.way == way);
        let times = rows.filter_map(|row| Some((&row.row, seconds.get(&row.set)?)));
        times.flat_map(|(row, all)| all.iter().map(|s| [row.faces as f64, s / f64::from(row.looks)])).collect()
    };
    Ok([of(Way::Tree), of(Way::AllPairs)])
}

/// How time grows with the faces by both ways, and how much faster the tree is, in words.
pub fn growth(results: &Results) -> Result<String, ResultsError> {
    let none = || too_few("no two sheets of a thousand faces were timed");
    let sheets = points(results)?.map(|points| -> Vec<[f64; 2]> {
        let each = grouped(points.iter().filter(|[faces, _]| *faces >= 1000.0).map(|[faces, seconds]| (*faces, *seconds)));
        each.into_iter().filter_map(|(faces, seconds)| Some([faces, median(&seconds)?])).collect()
    });
    let exponent = |name: &str, sheets: &[[f64; 2]]| {
        let law = power_law(name, sheets).ok_or_else(none)?;
        Ok::<_, ResultsError>(Estimate { value: law.exponent, interval: law.interval, cases: sheets.len() })
    };
    let [by_tree, by_all] = &sheets;
    let ratios: Vec<f64> = by_tree.iter().zip(by_all).map(|([_, tree], [_, all])| all / tree).collect();
    let [least, most] = extremes(&ratios).ok_or_else(none)?;
    Ok(format!(
        "time grows as the faces to the power of {} by a tree, {} by all pairs; the tree is {least:.0} to {most:.0} times as fast from a \
         thousand faces on",
        exponent("tree", by_tree)?,
        exponent("all pairs", by_all)?
    ))
}

/// Time against faces.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let layers = points(results)?.into_iter().zip(Way::ALL).enumerate();
    let layers = layers.map(|(k, (points, way))| Layer::points(way.name(), Palette::series(k), points)).collect();
    let panel = Panel::new(Axis::log("triangles"), Axis::log("time of a look [s]"), layers).legend_outside();
    let caption =
        "Faces of a sheet in four layers whose boxes over a step meet: a tree that is refitted, and every pair. One thread.";
    Ok(Figure { of_times: true, ..Figure::new("boxes", "What a tree of boxes saves", caption, vec![panel]) })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Boxes(ranges.boxes.clone())).plot("boxes", chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_pairs_of_layers() {
        let numbers = |side: usize| {
            let sides = toml::Value::Array(vec![toml::Value::Integer(side as i64)]);
            let section = toml::Table::from_iter([
                ("sides".to_owned(), sides),
                ("looks".to_owned(), 2.into()),
                ("repeats".to_owned(), 1.into()),
            ]);
            let ranges = <BoxRanges as kit::ranges::Ranged>::read(&toml::Value::Table(section)).unwrap();
            Way::ALL.map(|way| Boxes(ranges.clone()).row(side, way))
        };
        let [tree, all] = numbers(17);
        assert_eq!((tree.pairs, tree.sum, tree.faces), (all.pairs, all.sum, 512));
        assert!(tree.pairs > 512, "every face lies above another");
    }

    #[test]
    fn layers_lie_above_each_other() {
        let x = layered(9, 1.0);
        assert!((x[3] - Vec3::new(0.125, 0.0, 1.5 * APART)).norm() < 1e-15, "{}", x[3]);
        assert!(
            (x[1] - Vec3::new(0.125, 0.0, 0.5 * APART)).norm() < 1e-15 && (x[2] - Vec3::new(0.25, 0.0, APART)).norm() < 1e-15
        );
        assert!(x[..9].windows(2).all(|pair| (pair[1] - pair[0]).norm() < 0.126), "it does not come apart");
    }
}
