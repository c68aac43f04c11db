//! Waves of what is taut and of a bar, in grids of springs and in triangles: frequencies over the mesh, by RK4 in small steps.

use analytic::waves::{bar_frequency, rectangle_frequency, rectangle_mode, wave_frequency};
use cloth::triangles::{Bend, Fabric, TriangleCloth, TriangleMesh};
use cloth::{Chain, End, Masses};
use kit::prelude::*;

use super::moving::modes::Mode;
use super::moving::{Kind, Outcome, Resolution, Rung, climb, figure};
use std::f64::consts::PI;

ranges!(WaveRanges {
    //! Meshes.
    /// Elements along the side, each after fewer.
    elements: List<Count>,
    /// Steps of a period per element.
    steps: Count,
});

/// Side \[m\], when taut; density \[kg/m²\], when taut.
pub const SIDE: f64 = 1.0;
const DENSITY: f64 = 0.2;

/// Stiffness of warp and weft \[N/m\], and by how much cloth is stretched \[-\].
const STIFFNESS: f64 = 50.0;
const STRETCH: f64 = 0.1;

/// Amplitude \[m\]: it changes the tension by about its square over the side's, over the stretch, 1e-7.
pub const AMPLITUDE: f64 = 1e-4;

words! {
    /// What a sheet is made of.
    pub enum Make {
        /// One mass after the other on a line.
        Line = "springs on a line",
        /// Equal masses on a square grid.
        Grid = "springs on a grid",
        /// Masses on a square grid, half on its sides.
        GridByArea = "springs on a grid by area",
        /// A continuum of triangles whose diagonals alternate.
        Regular = "triangles",
        /// A continuum of triangles about the centres of cells.
        Centred = "triangles about centres",
    }
}

/// What vibrates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wave {
    /// A bar along its length, held at one end; its mode.
    Bar(usize),
    /// A taut strip between two held sides, across itself; its mode.
    Strip(usize),
    /// A taut square with a held border; its mode.
    Square([usize; 2]),
}

impl Wave {
    const ALL: [Wave; 7] = [
        Wave::Bar(1),
        Wave::Bar(2),
        Wave::Strip(1),
        Wave::Strip(2),
        Wave::Square([1, 1]),
        Wave::Square([1, 2]),
        Wave::Square([2, 2]),
    ];

    fn name(self) -> String {
        match self {
            Wave::Bar(mode) => format!("bar, mode {mode}"),
            Wave::Strip(mode) => format!("taut strip, mode {mode}"),
            Wave::Square([m, n]) => format!("membrane, mode {m}, {n}"),
        }
    }

    /// Stretch at rest.
    fn stretch(self) -> f64 {
        if matches!(self, Wave::Bar(_)) { 0.0 } else { STRETCH }
    }

    /// omega \[1/s\] of cloth whose tension is `tension` \[N/m\].
    pub fn frequency(self, tension: f64) -> f64 {
        match self {
            Wave::Bar(mode) => bar_frequency(mode, SIDE, STIFFNESS, DENSITY),
            Wave::Strip(mode) => wave_frequency(mode as f64 * PI / SIDE, tension, 0.0, DENSITY),
            Wave::Square(mode) => rectangle_frequency(mode, [SIDE; 2], tension, 0.0, DENSITY),
        }
    }

    /// Displacement at a place of the side one.
    pub fn shape(self, place: Vec3) -> Vec3 {
        match self {
            Wave::Bar(mode) => libm::sin((mode as f64 - 0.5) * PI * place.x) * Vec3::x(),
            Wave::Strip(mode) => libm::sin(mode as f64 * PI * place.x) * Vec3::z(),
            Wave::Square(mode) => rectangle_mode(mode, [place.x, place.y]) * Vec3::z(),
        }
    }

    /// Whether a place of the side one is held.
    fn holds(self, place: Vec3) -> bool {
        const NEAR: f64 = 1e-9;
        let [x, y] = [place.x, place.y].map(|at| (at < NEAR, at > 1.0 - NEAR));
        match self {
            Wave::Bar(_) => x.0,
            Wave::Strip(_) => x.0 || x.1,
            Wave::Square(_) => x.0 || x.1 || y.0 || y.1,
        }
    }

    /// Cells across where so many are along: strips are half as wide as long, for their waves do not change across.
    fn across(self, cells: u32) -> usize {
        if matches!(self, Wave::Square(_)) { cells as usize } else { cells.div_ceil(2) as usize }
    }
}

/// What vibrates, and what it is made of.
type Case = (Wave, Make);

/// A taut sheet.
pub struct Taut {
    pub system: Box<dyn System>,
    /// Places when taut, the side being one.
    pub places: Vec<Vec3>,
    /// Its tension \[N/m\].
    pub tension: f64,
}

/// A sheet of so many cells along its side. At rest it is shorter by 1 + e, and where its border is held on all sides narrower too:
/// denser when taut by as much less. Its tension is a force per width, which is wider when taut.
pub fn taut((wave, make): Case, cells: u32) -> Result<Taut, ModelError> {
    let (along, across) = (cells as usize, wave.across(cells));
    let longer = 1.0 + wave.stretch();
    let wider = if matches!(wave, Wave::Square(_)) { longer } else { 1.0 };
    let (h, density, tension) = (SIDE / f64::from(cells) / longer, DENSITY * longer * wider, STIFFNESS * wave.stretch() / wider);
    let place = |x: &Vec3| Vec3::new(longer * x.x, wider * x.y, 0.0) / SIDE;
    let held = |places: &[Vec3]| -> Vec<usize> { (0..places.len()).filter(|i| wave.holds(places[*i])).collect() };
    let [elastic, none] = [STIFFNESS, 0.0].map(|stiffness| Elastic { stiffness, damping: 0.0 });
    let (system, places): (Box<dyn System>, Vec<Vec3>) = match make {
        Make::Line => {
            let chain = Chain::bar(along + 1, SIDE, DENSITY, STIFFNESS, 0.0, [End::Fixed, End::Free]);
            let places = chain.displaced(|_| 0.0).x.iter().map(place).collect();
            (Box::new(chain), places)
        }
        Make::Grid | Make::GridByArea => {
            let grid = Grid::new(along + 1, across + 1, h)?;
            let masses = if make == Make::Grid { Masses::Equal } else { Masses::ByArea };
            let springs = Material { stretch: elastic, shear: none, bend: 0.0, compression: true, ..Material::default() };
            let material = Material { density, masses, gravity: Vec3::zeros(), ..springs };
            let places: Vec<Vec3> = grid.flat().iter().map(place).collect();
            let pins: Vec<Pin> = held(&places).into_iter().map(Pin::Index).collect();
            (Box::new(Cloth::new(grid, material, &pins)?), places)
        }
        Make::Regular | Make::Centred => {
            let lay = if make == Make::Regular { TriangleMesh::regular } else { TriangleMesh::centred };
            let mesh = lay(along + 1, across + 1, along as f64 * h, across as f64 * h)?;
            let bend = Bend { stiffness: 0.0, damping: 0.0 };
            let continuum = Fabric { warp: elastic, weft: elastic, shear: none, bend, ..Fabric::default() };
            let places: Vec<Vec3> = mesh.positions().iter().map(place).collect();
            let pins = held(&places);
            let fabric = Fabric { density, gravity: Vec3::zeros(), ..continuum };
            (Box::new(TriangleCloth::new(mesh, fabric, &pins)?), places)
        }
    };
    Ok(Taut { system, places, tension })
}

fn run((wave, make): Case, cells: u32, steps: u32) -> Result<Outcome, ModelError> {
    let Taut { system, places, tension } = taut((wave, make), cells)?;
    let rest: Vec<Vec3> = places.iter().map(|place| SIDE * place).collect();
    let shape: Vec<Vec3> = places.iter().map(|place| wave.shape(*place)).collect();
    let frequency = wave.frequency(tension);
    let mode = Mode { rest: &rest, shape: &shape, masses: system.masses(), frequency, amplitude: AMPLITUDE };
    Ok(mode.swing(&mut Rk4::new(rest.len()), &*system, steps))
}

/// Frequencies on every mesh.
pub struct Waves(pub WaveRanges);

impl Group for Waves {
    const NAME: &'static str = "waves";
    const ABOUT: &'static str =
        "vibrations of bars, taut strips and membranes over a period, in grids of springs and in triangles";
    type Case = Case;
    type Row = Rung;

    /// Springs on a line move along it alone.
    fn listed(&self) -> Vec<Case> {
        let made = |wave: &Wave| {
            let wave = *wave;
            Make::ALL
                .into_iter()
                .filter(move |make| *make != Make::Line || matches!(wave, Wave::Bar(_)))
                .map(move |make| (wave, make))
        };
        Wave::ALL.iter().flat_map(made).collect()
    }

    fn measure(&self, &(wave, make): &Case) -> Vec<Rung> {
        let begin = Rung { case: wave.name(), kind: Kind::Mesh, method: make.name().into(), expected: 2, ..Rung::default() };
        let Ok(Taut { tension, .. }) = taut((wave, make), 2) else { return vec![] };
        let period = std::f64::consts::TAU / wave.frequency(tension);
        let resolution = |elements: u32| {
            let steps = elements * self.0.steps.get();
            Resolution { steps, elements, step: period / f64::from(steps) }
        };
        let resolutions = self.0.elements.values().iter().map(|elements| resolution(elements.get()));
        climb(&begin, resolutions, |Resolution { steps, elements, .. }| run((wave, make), elements, steps))
    }
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Distance from where a vibration was a period ago, in the plane of displacement and velocity and over the \
                   amplitude, against the size of elements: 2 pi times the error of the frequency.";
    let shown = [Wave::Bar(1), Wave::Strip(1), Wave::Square([1, 1]), Wave::Square([1, 2])].map(Wave::name);
    Ok(figure(&results.without_sets::<Waves>()?, ["waves", "Waves of cloth", caption], &shown.each_ref().map(String::as_str)))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Waves(ranges.waves.clone())).plot("waves", chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_taut_and_as_dense_as_they_should_be() {
        for (wave, make) in Waves(kit::ranges::stated("elements = [4, 8]\nsteps = 10")).listed() {
            let Taut { system, places, .. } = taut((wave, make), 6).unwrap();
            let rest: Vec<Vec3> = places.iter().map(|place| SIDE * place).collect();
            let mut a = vec![Vec3::repeat(1.0); rest.len()];
            system.accelerate(&rest, &vec![Vec3::zeros(); rest.len()], &mut a);
            assert!(a.iter().all(|a| a.norm() < 1e-10), "{} {make}", wave.name());
            if make == Make::Regular || make == Make::GridByArea {
                let width = places.iter().map(|place| place.y).fold(0.0, f64::max);
                let mass: f64 = system.masses().iter().sum();
                assert!((mass / (DENSITY * SIDE * SIDE * width) - 1.0).abs() < 1e-12, "{} {make}", wave.name());
            }
        }
    }
}
