//! Cusick's drape test: the shadow of fabric that hangs over the rim of a smaller disk. N-DRAPE, N-DRAPE-RANGE.

use cloth::statics::{Rest, Statics};
use cloth::triangles::{Bend, FoldLaw, Shares, TriangleMesh};
use cloth::{Fabric, MEASURED, Measured, TriangleCloth};
use kit::prelude::*;

use super::shadow::Shadow;

ranges!(DrapeRanges {
    //! Fabric on a disk.
    /// Rings of the disks of fabric, and half as many cells a side of the squares.
    rings: List<Count>,
    /// D of plain specimens \[N m\], rising.
    rigidity: List<Positive>,
    /// rho of plain specimens \[kg/m²\].
    density: Positive,
    /// Starts of each, which differ by small velocities.
    draws: Count,
    /// Time in which the fabric falls and folds before its rest is sought \[s\].
    duration: Positive,
});

words! {
    /// What hangs over what.
    pub enum Piece {
        /// Cusick's, of 30 cm on 18 cm.
        Disk = "disk of 30 cm on 18 cm",
        /// That of a measured napkin.
        Square = "square of 50 cm on 30 cm",
    }
}

impl Piece {
    /// Radius of the disk below \[m\], and the area of the fabric \[m²\].
    fn sizes(self) -> (f64, f64) {
        match self {
            Piece::Disk => (0.09, std::f64::consts::PI * 0.15 * 0.15),
            Piece::Square => (0.15, 0.25),
        }
    }

    fn mesh(self, rings: u32) -> Result<TriangleMesh, ModelError> {
        match self {
            Piece::Disk => TriangleMesh::disk(rings as usize, 0.15),
            Piece::Square => TriangleMesh::centred(rings as usize + 1, rings as usize + 1, 0.5, 0.5),
        }
    }

    /// Places with the middle of the fabric on the axis.
    fn middle(self) -> Vec3 {
        match self {
            Piece::Disk => Vec3::zeros(),
            Piece::Square => Vec3::new(0.25, 0.25, 0.0),
        }
    }
}

/// What specimens are called that are no measured fabric.
const PLAIN: &str = "plain";

/// Speed of the first motion \[m/s\].
const NUDGE: f64 = 0.01;
/// \[s\]
const STEP: f64 = 0.01;
/// Stretch and shear of plain specimens \[N/m\], and resistance of the air over mass \[1/s\].
const STRETCH: f64 = 200.0;
const SHEAR: f64 = 30.0;
const AIR: f64 = 8.0;

row! {
    /// A specimen that hangs.
    pub struct DrapeRow {
        /// what hangs over what
        pub piece: Piece,
        /// a measured fabric, or a plain specimen
        pub fabric: String,
        /// rings of its mesh, or cells a side
        pub rings: u32,
        /// number of its start
        pub draw: u32,
        /// D, the mean over all directions [N m]
        pub rigidity: f64,
        /// rho [kg/m²]
        pub density: f64,
        /// bending length, the third root of D / (rho g) [m]
        pub length: f64,
        /// area of the shadow beyond the disk below, over that of the fabric beyond it
        pub coefficient: Option<f64>,
        /// folds around
        pub folds: Option<u32>,
        /// largest force on a particle that is left at rest, over the weight [-]
        pub residual: Option<f64>,
    }
}

/// Specimens.
pub struct Drapes(pub DrapeRanges);

/// A case: what is cut, the name and the material, rings and draw.
type Specimen = (Piece, String, Fabric, u32, u32);

impl Drapes {
    fn specimens(&self) -> Vec<(Piece, String, Fabric)> {
        let measured = MEASURED.iter().map(|fabric| (Piece::Disk, fabric.name.to_owned(), fabric.as_continuum()));
        let plain = |rigidity: &Positive| {
            let elastic = |stiffness| Elastic { stiffness, damping: 0.0 };
            Fabric {
                density: self.0.density.get(),
                warp: elastic(STRETCH),
                weft: elastic(STRETCH),
                shear: elastic(SHEAR),
                bend: Bend { stiffness: rigidity.get(), damping: 0.0 },
                fold_law: FoldLaw::Curvature(Shares::ALIKE),
                ..Fabric::default()
            }
        };
        let of = |piece| self.0.rigidity.values().iter().map(move |rigidity| (piece, PLAIN.to_owned(), plain(rigidity)));
        measured.chain(of(Piece::Disk)).chain(of(Piece::Square)).collect()
    }
}

impl Group for Drapes {
    const NAME: &'static str = "drape";
    const ABOUT: &'static str = "fabric that hangs over the rim of a disk: its shadow and its folds";
    type Case = Specimen;
    type Row = DrapeRow;

    fn listed(&self) -> Vec<Specimen> {
        let specimens = self.specimens();
        let of = |(piece, name, fabric): &(Piece, String, Fabric)| {
            let (piece, name, fabric) = (*piece, name.clone(), *fabric);
            let draws = 0..self.0.draws.get();
            let each = self.0.rings.values().iter().flat_map(move |rings| draws.clone().map(move |draw| (rings.get(), draw)));
            each.map(move |(rings, draw)| (piece, name.clone(), fabric, rings, draw)).collect::<Vec<_>>()
        };
        specimens.iter().flat_map(of).collect()
    }

    fn measure(&self, (piece, name, fabric, rings, draw): &Specimen) -> Vec<DrapeRow> {
        let rigidity = Measured::named(name).map_or(fabric.bend.stiffness, |measured| measured.rigidity().mean());
        let length = libm::cbrt(rigidity / (fabric.density * GRAVITY));
        let row = DrapeRow {
            piece: *piece,
            fabric: name.clone(),
            rings: *rings,
            draw: *draw,
            rigidity,
            density: fabric.density,
            length,
            ..DrapeRow::default()
        };
        let Some((shadow, rest)) = self.hang(*piece, fabric, *rings, *draw) else { return vec![row] };
        let (radius, whole) = piece.sizes();
        let below = std::f64::consts::PI * radius * radius;
        vec![DrapeRow {
            coefficient: rest.is_settled().then(|| (shadow.area() - below) / (whole - below)).and_then(finite),
            folds: rest.is_settled().then(|| shadow.folds()),
            residual: finite(rest.residual),
            ..row
        }]
    }
}

impl Drapes {
    /// The shadow at the end, and how it rests there.
    fn hang(&self, piece: Piece, fabric: &Fabric, rings: u32, draw: u32) -> Option<(Shadow, Rest)> {
        let mesh = piece.mesh(rings).ok()?;
        let x: Vec<Vec3> = mesh.positions().iter().map(|x| x - piece.middle()).collect();
        let (radius, _) = piece.sizes();
        let pins: Vec<usize> = (0..x.len()).filter(|i| x[*i].norm() <= radius * (1.0 + 1e-9)).collect();
        let mass = fabric.density * piece.sizes().1 / x.len() as f64;
        let cloth = TriangleCloth::new(mesh, Fabric { air: AIR * mass, ..*fabric }, &pins).ok()?;
        let nudge = |i: usize| NUDGE * libm::sin(12.9898 * (i + 1) as f64 + 78.233 * f64::from(draw + 1)) * Vec3::z();
        let v = (0..x.len()).map(|i| if cloth.pinned()[i] { Vec3::zeros() } else { nudge(i) }).collect();
        let mut state = State { x, v };
        let mut scheme = BackwardEuler::new(&cloth, Settings::default());
        let steps = (self.0.duration.get() / STEP).round() as u64;
        (0..steps).for_each(|_| scheme.step(&cloth, STEP, &mut state));
        if !state.is_finite() {
            return None;
        }
        let rest = Statics::new(&cloth, &state.x).ok()?.settle(&mut state.x).ok()?;
        Some((Shadow::new(cloth.mesh(), &state.x), rest))
    }
}

/// Drape coefficients of a cotton napkin, a linen one, a waffle rag and jeans [-]; their bending was not measured.
const PUBLISHED: [(&str, f64); 4] = [("cotton napkin", 0.04), ("linen", 0.092), ("waffle rag", 0.218), ("jeans", 0.961)];

/// Coefficients and folds by bending length.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Drapes>()?;
    let finest = rows.iter().map(|row| row.rings).max().unwrap_or(0);
    let points = |piece: Piece, measured: bool, of: &dyn Fn(&DrapeRow) -> Option<f64>| -> Vec<[f64; 2]> {
        let kept = rows.iter().filter(|row| row.rings == finest && row.piece == piece && (row.fabric != PLAIN) == measured);
        kept.filter_map(|row| Some([100.0 * row.length, of(row)?])).collect()
    };
    let layers = |of: &dyn Fn(&DrapeRow) -> Option<f64>| {
        [
            ("ten measured fabrics, disks", Piece::Disk, true),
            ("plain, disks", Piece::Disk, false),
            ("plain, squares", Piece::Square, false),
        ]
        .into_iter()
        .enumerate()
        .map(|(k, (label, piece, measured))| Layer::points(label, Palette::series(k), points(piece, measured, of)))
        .collect::<Vec<Layer>>()
    };
    let rules = PUBLISHED.iter().map(|(name, at)| Layer::rule(*name, Palette::GREY, Direction::Horizontal, *at));
    let length = || Axis::log("bending length (D/ρg)^(1/3) [cm]");
    let coefficients = layers(&|row| row.coefficient).into_iter().chain(rules).collect();
    let panels = vec![
        Panel::new(length(), Axis::linear("drape coefficient"), coefficients),
        Panel::new(length(), Axis::linear("folds"), layers(&|row| row.folds.map(f64::from))),
    ];
    let caption = "Shadows of disks of 30 cm on one of 18 cm, and of squares of 50 cm on a disk of 30 cm, each from several starts. Grey: \
                   published coefficients of fabrics whose bending was not measured.";
    Ok(Figure::new("drape", "Cusick's drape test", caption, panels).with_one_legend())
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Drapes(ranges.drape.clone())).plot("drape", chart)
}
