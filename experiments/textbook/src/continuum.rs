//! Resistance to stretch and shear by how the mesh is cut: springs against a continuum. S-CONTINUUM-MESH.

use cloth::triangles::{Bend, Fabric, SpringMaterial, Triangle, TriangleCloth, TriangleMesh, Weighting};
use kit::prelude::*;

use super::patches::Patch;

ranges!(ContinuumRanges {
    //! Sheets and meshes.
    /// Number of sheets.
    sets: Count,
    /// Meshes of each.
    meshes: Count,
    /// Points a side.
    side: List<Side>,
    /// Stretch \[-\], log-uniform.
    strain: Ends,
    /// Stiffness of shear over that of warp and weft, log-uniform \[-\].
    shear: Ends,
});

row! {
    /// A mesh of a sheet that is stretched.
    pub struct ContinuumRow {
        /// points a side
        pub side: usize,
        /// between the stretch and the warp \[rad\]
        pub angle: f64,
        /// stretch along that direction
        pub strain: f64,
        /// energy by springs over stiffness and the square of the stretch \[m²\]
        pub springs: f64,
        /// likewise, once all particles but those on the border have come to rest \[m²\]
        pub relaxed: Option<f64>,
        /// energy by the continuum, its stiffness a force per width, over stiffness and the square of the stretch \[m²\]
        pub continuum: f64,
        /// sum of the squares of areas over their mean: what the energy is proportional to where conditions are multiplied by area \[m²\]
        pub printed: f64,
    }
}

/// A stretch, and meshes of a sheet.
#[derive(Clone, Debug)]
pub struct Case {
    angle: f64,
    strain: f64,
    shear: f64,
    patches: Vec<Patch>,
}

/// Random sheets.
pub struct Continuum(pub ContinuumRanges);

/// Stiffness of warp, weft and edges \[N/m\], and of springs across edges over it \[-\].
const STIFFNESS: f64 = 100.0;
const ACROSS: f64 = 0.01;

/// Areal density \[kg/m²\].
const DENSITY: f64 = 0.1;

/// Steps of backward Euler in which particles come to rest, and their length \[s\], over which inertia means nothing.
const STEPS: usize = 40;
const DT: f64 = 1e3;

/// Change of the energy in the last step, over the energy, up to which a sheet has come to rest \[-\].
const AT_REST: f64 = 1e-9;

impl Case {
    /// Places of points that are stretched \[m\].
    fn stretched(&self, x: &[Vec3]) -> Vec<Vec3> {
        let along = Vec3::new(libm::cos(self.angle), libm::sin(self.angle), 0.0);
        x.iter().map(|x| x + self.strain * along.dot(x) * along).collect() // F = I + s e eᵀ
    }

    /// Energy of the stretched continuum over stiffness and the square of the stretch \[m²\], as printed \[m⁴\].
    fn of_continuum(&self, mesh: &TriangleMesh, weighting: Weighting) -> Result<f64, ModelError> {
        let elastic = |stiffness: f64| Elastic { stiffness, damping: 0.0 };
        let fabric = Fabric {
            density: DENSITY,
            warp: elastic(STIFFNESS),
            weft: elastic(STIFFNESS),
            shear: elastic(self.shear * STIFFNESS),
            weighting,
            bend: Bend { stiffness: 0.0, damping: 0.0 },
            gravity: Vec3::zeros(),
            ..Fabric::default()
        };
        let state = State::at_rest(self.stretched(mesh.positions()));
        let energy = TriangleCloth::new(mesh.clone(), fabric, &[])?.energies(&state).internal();
        Ok(energy / (STIFFNESS * self.strain * self.strain))
    }

    fn row(&self, side: usize, mesh: &TriangleMesh) -> Result<ContinuumRow, ModelError> {
        let elastic = |stiffness: f64| Elastic { stiffness, damping: 0.0 };
        let state = State::at_rest(self.stretched(mesh.positions()));
        let unit = STIFFNESS * self.strain * self.strain;
        let material = SpringMaterial {
            density: DENSITY,
            stretch: elastic(STIFFNESS),
            bend: elastic(ACROSS * STIFFNESS),
            compression: true,
            ..SpringMaterial::default()
        };
        let mut net = mesh.springs(&material, &mesh.borders())?;
        net.gravity = Vec3::zeros();
        let areas: Vec<f64> = mesh.triangles().iter().map(Triangle::area).collect();
        let squares = areas.iter().map(|area| area * area).sum::<f64>();
        Ok(ContinuumRow {
            side,
            angle: self.angle,
            strain: self.strain,
            springs: net.energy(&state) / unit,
            relaxed: relaxed(&net, state).map(|energy| energy / unit),
            continuum: self.of_continuum(mesh, Weighting::Area)?,
            printed: squares * areas.len() as f64 / areas.iter().sum::<f64>(),
        })
    }
}

/// Energy once all that is free has come to rest \[J\], where it has.
fn relaxed(net: &Net, mut state: State) -> Option<f64> {
    let settings = Settings { solver: Solver::Direct, ..Settings::default() };
    let mut scheme = BackwardEuler::new(net, settings);
    let elastic = |state: &State| net.energies(state).internal();
    let (mut before, mut energy) = (f64::INFINITY, elastic(&state));
    for _ in 0..STEPS {
        scheme.step(net, DT, &mut state);
        before = std::mem::replace(&mut energy, elastic(&state));
    }
    ((energy - before).abs() <= AT_REST * energy).then_some(energy)
}

impl Group for Continuum {
    const NAME: &'static str = "continuum";
    const ABOUT: &'static str = "energies of flat sheets, each cut into triangles in several ways, that are stretched alike";
    type Case = Case;
    type Row = ContinuumRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let side = pick(stream, self.0.side.values()).get() as usize;
        let angle = std::f64::consts::PI * stream.random::<f64>();
        let strain = log_uniform(stream, self.0.strain.get());
        let shear = log_uniform(stream, self.0.shear.get());
        Case { angle, strain, shear, patches: (0..self.0.meshes.get()).map(|_| Patch::draw(side, stream)).collect() }
    }

    fn measure(&self, case: &Case) -> Vec<ContinuumRow> {
        let row = |patch: &Patch| case.row(patch.side(), &patch.mesh().ok()?).ok();
        case.patches.iter().filter_map(row).collect()
    }
}

/// Standard deviation over the mean \[-\]; none of fewer than two values.
fn variation(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let square = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    Some((square / (values.len() - 1) as f64).sqrt() / mean)
}

/// Variation of a quantity over the meshes of each sheet that have all of it.
pub fn variations(rows: &[Row<ContinuumRow>], of: impl Fn(&ContinuumRow) -> Option<f64>) -> Vec<f64> {
    let sheets = rows.chunk_by(|a, b| a.set == b.set);
    sheets.filter_map(|sheet| variation(&sheet.iter().map(|row| of(&row.row)).collect::<Option<Vec<f64>>>()?)).collect()
}

/// Share of the sheets against what their energies vary by.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Continuum>()?;
    let curve = |name: &str, color: Color, of: fn(&ContinuumRow) -> Option<f64>| {
        Layer::line(name, color, cumulative(variations(&rows, of).into_iter().map(|variation| variation.max(FLOOR))))
    };
    let layers = vec![
        curve("springs", Palette::BLUE, |row| Some(row.springs)),
        curve("springs, particles inside at rest", Palette::GREEN, |row| row.relaxed),
        curve("continuum", Palette::VERMILLION, |row| Some(row.continuum)),
        curve("conditions multiplied by area", Palette::ORANGE, |row| Some(row.printed)),
    ];
    let (x, y) = (Axis::log("variation of the energy over meshes"), Axis::linear("share of sheets").range(0.0, 1.02));
    let caption = "Standard deviation over the mean of the energies of a sheet that is cut into triangles in several ways and stretched \
                   alike: share of the sheets up to each. What is below 1e-17 is drawn there.";
    let panel = Panel::new(x, y, layers).legend_outside();
    Ok(Figure::new("continuum", "What the mesh does to the resistance of cloth", caption, vec![panel]))
}

/// Least variation that is drawn \[-\].
const FLOOR: f64 = 1e-17;

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Continuum(ranges.continuum.clone())).plot("continuum", chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles of a square, stretched by a tenth along the warp: by its two edges along the warp and the diagonal.
    #[test]
    fn a_square_by_hand() {
        let mesh = TriangleMesh::regular(2, 2, 1.0, 1.0).unwrap();
        let case = Case { angle: 0.0, strain: 0.1, shear: 0.3, patches: vec![] };
        let row = case.row(2, &mesh).unwrap();
        let diagonal = (1.0_f64 + 1.1 * 1.1).sqrt() - 2.0_f64.sqrt();
        // the other diagonal is a spring across the first one
        let springs = 0.5 * (2.0 * 0.01 + (1.0 + ACROSS) * diagonal * diagonal) / 0.01;
        assert!((row.springs / springs - 1.0).abs() < 1e-12, "{row:?} {springs}");
        assert!((row.continuum - 0.5).abs() < 1e-12 && (row.printed - 1.0).abs() < 1e-12, "{row:?}");
        assert!((row.relaxed.unwrap() / springs - 1.0).abs() < 1e-12, "nothing is free");
    }

    /// The column `printed` is the energy of the core's law as printed, over what all meshes of a sheet share.
    #[test]
    fn the_printed_law_is_the_one_of_the_core() {
        let mut stream = lab::measure::streams::stream("textbook", "continuum", 1, 0);
        let case = Case { angle: 0.4, strain: 0.05, shear: 0.3, patches: vec![] };
        for _ in 0..3 {
            let mesh = Patch::draw(5, &mut stream).mesh().unwrap();
            let row = case.row(5, &mesh).unwrap();
            let printed = case.of_continuum(&mesh, Weighting::AsPrinted).unwrap();
            let expected = row.continuum * row.printed / mesh.triangles().len() as f64;
            assert!((printed / expected - 1.0).abs() < 1e-12, "{row:?} {printed}");
        }
    }

    #[test]
    fn springs_give_way_where_they_may() {
        let mut stream = lab::measure::streams::stream("textbook", "continuum", 1, 0);
        let mesh = Patch::draw(5, &mut stream).mesh().unwrap();
        let case = Case { angle: 0.4, strain: 0.05, shear: 0.3, patches: vec![] };
        let row = case.row(5, &mesh).unwrap();
        let relaxed = row.relaxed.unwrap();
        assert!(relaxed < 0.999 * row.springs && relaxed > 0.5 * row.springs, "{row:?}");
    }
}
