//! An even stretch of a patch that is pulled at its end. N-PATCH.

use analytic::patch::{Law, Sheet};
use cloth::statics::Statics;
use cloth::triangles::{Bend, Fabric};
use cloth::{Masses, TriangleCloth};
use kit::prelude::*;
use linsolve::Constraint;

use super::board::{Entry, bound};
use super::meshes::{Cut, Lattice};

ranges!(PatchRanges {
    //! Patches.
    /// Length of a patch that is pulled over that at rest \[-\].
    stretches: List<Positive>,
    /// Elements along the patch, rising.
    elements: List<Count>,
});

/// L \[m\], width \[m\] and Y \[N/m\].
const LENGTH: f64 = 1.0;
const WIDTH: f64 = 0.4;
const YOUNG: f64 = 50.0;

row! {
    /// A patch at rest.
    pub struct PatchRow {
        /// how it is cut; squares are springs on a grid
        pub cut: Cut,
        /// elements along it
        pub elements: u32,
        /// length that is asked for over that at rest
        pub stretch: f64,
        /// largest distance of a particle from its place, over the length
        pub off: Option<f64>,
        /// length that was found over that at rest
        pub found: Option<f64>,
        /// width that was found over that at rest
        pub narrowed: Option<f64>,
        /// Newton steps
        pub iterations: u32,
        /// largest force that is left over the loads
        pub residual: Option<f64>,
    }
}

/// Patches of each cut.
pub struct Patches(pub PatchRanges);

/// A patch without weight, and its places at rest.
fn patch(cut: Cut, elements: usize) -> Result<(Box<dyn System>, Vec<Vec3>), ModelError> {
    let h = LENGTH / elements as f64;
    let rows = libm::round(WIDTH / h).max(1.0) as usize + 1;
    let elastic = Elastic { stiffness: YOUNG, damping: 0.0 };
    if cut == Cut::Squares {
        let material = Material {
            stretch: elastic,
            shear: elastic,
            bend: 0.0,
            compression: true,
            masses: Masses::ByArea,
            gravity: Vec3::zeros(),
            ..Material::default()
        };
        let cloth = Cloth::new(Grid::new(elements + 1, rows, h)?, material, &[])?;
        let x = cloth.at_rest().x;
        return Ok((Box::new(cloth), x));
    }
    let lattice = Lattice { columns: elements + 1, rows, h, across: WIDTH / (rows - 1) as f64 };
    let mesh = lattice.cut(cut).map_err(ModelError::Mesh)?;
    let x = mesh.positions().to_vec();
    let bend = Bend { stiffness: 0.0, damping: 0.0 };
    let fabric = Fabric { warp: elastic, weft: elastic, shear: elastic, bend, gravity: Vec3::zeros(), ..Fabric::default() };
    Ok((Box::new(TriangleCloth::new(mesh, fabric, &[])?), x))
}

/// Pulls a patch: its first column keeps its x, one particle of it its place, all particles their plane.
fn pulled(row: PatchRow) -> Option<PatchRow> {
    let (system, flat) = patch(row.cut, row.elements as usize).ok()?;
    let [length, width] = [|x: &Vec3| x.x, |x: &Vec3| x.y].map(|of| flat.iter().map(of).fold(0.0, f64::max));
    let mut x = flat.clone();
    let mut statics = Statics::new(&*system, &x).ok()?;
    let [plane, line] = [Constraint::plane(Vec3::z()).ok()?, Constraint::line(Vec3::z(), Vec3::x()).ok()?];
    for (constraint, at) in statics.constraints.iter_mut().zip(&flat) {
        *constraint = match (at.x == 0.0, at.y == 0.0) {
            (true, true) => Constraint::Fixed,
            (true, false) => line,
            _ => plane,
        };
    }
    // the pull is even: particles have it by the part of the side that is theirs
    let mut end: Vec<usize> = (0..flat.len()).filter(|i| flat[*i].x > length - 1e-9).collect();
    end.sort_by(|a, b| flat[*a].y.total_cmp(&flat[*b].y));
    let sheet = Sheet::new(Law::Linear, YOUNG, 0.0);
    for pair in end.windows(2) {
        let share = 0.5 * (flat[pair[1]].y - flat[pair[0]].y) * sheet.free_pull(row.stretch);
        pair.iter().for_each(|i| statics.loads[*i] += Vec3::new(share, 0.0, 0.0));
    }
    let rest = statics.settle(&mut x).ok()?;
    let place = |at: &Vec3| Vec3::new(row.stretch * at.x, sheet.narrowing(row.stretch) * at.y, 0.0);
    let off = x.iter().zip(&flat).map(|(x, at)| (x - place(at)).norm()).fold(0.0, f64::max) / LENGTH;
    let mean = |of: &dyn Fn(&Vec3) -> f64| end.iter().map(|i| of(&x[*i])).sum::<f64>() / end.len() as f64;
    let across = end.last().map(|i| (x[*i].y - x[end[0]].y) / width);
    Some(PatchRow {
        off: rest.is_settled().then_some(off).and_then(finite),
        found: finite(mean(&|x| x.x) / length),
        narrowed: across.and_then(finite),
        iterations: rest.iterations,
        residual: finite(rest.residual),
        ..row
    })
}

impl Group for Patches {
    const NAME: &'static str = "patch";
    const ABOUT: &'static str = "patches that are pulled at their end";
    type Case = (Cut, u32);
    type Row = PatchRow;

    fn listed(&self) -> Vec<(Cut, u32)> {
        Cut::ALL.into_iter().flat_map(|cut| self.0.elements.values().iter().map(move |count| (cut, count.get()))).collect()
    }

    fn measure(&self, &(cut, elements): &(Cut, u32)) -> Vec<PatchRow> {
        let of = |stretch: &Positive| {
            let row = PatchRow { cut, elements, stretch: stretch.get(), ..PatchRow::default() };
            pulled(row.clone()).unwrap_or(row)
        };
        self.0.stretches.values().iter().map(of).collect()
    }
}

/// Largest error of each cut over all stretches and meshes; none where a patch did not come to rest.
fn errors(rows: &[PatchRow]) -> Vec<(Cut, Option<f64>)> {
    let by_cut = grouped(rows.iter().map(|row| (row.cut, row.off)));
    let largest = |offs: Vec<Option<f64>>| offs.into_iter().try_fold(0.0, |most, off| Some(f64::max(most, off?)));
    by_cut.into_iter().map(|(cut, offs)| (cut, largest(offs))).collect()
}

fn method(cut: Cut) -> String {
    if cut == Cut::Squares { "stretch and shear springs, squares".into() } else { format!("continuum, {cut}") }
}

pub fn entries(rows: &[PatchRow]) -> Vec<Entry> {
    let bound = bound(Claimed::of("N-PATCH", "error"));
    let entry = |(cut, error)| Entry { case: Patches::NAME, method: method(cut), error, order: None, bound };
    errors(rows).into_iter().map(entry).collect()
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Patches>()?;
    let finest = rows.iter().map(|row| row.elements).max().unwrap_or(0);
    let layers = Cut::ALL.iter().enumerate().map(|(k, &cut)| {
        let own = rows.iter().filter(|row| row.cut == cut && row.elements == finest);
        let points = own.filter_map(|row| Some([row.stretch, row.found? - row.stretch])).collect();
        let marker = if k % 2 == 0 { Marker::OpenCircle } else { Marker::Cross };
        Layer::points(method(cut), Palette::series(k), points).marker(marker)
    });
    let exact = Layer::rule("exact", Palette::BLACK, Direction::Horizontal, 0.0);
    let (x, y) =
        (Axis::linear("length that the pull should give, over that at rest"), Axis::linear("length that it gives, less that"));
    let caption = "Patches under an even pull at their end. Springs on a grid hold along their diagonals too.";
    let panel = Panel::new(x, y, [exact].into_iter().chain(layers).collect()).legend_outside();
    Ok(Figure::new("patch", "Patches that are pulled", caption, vec![panel]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Patches(ranges.patch.clone())).plot("patch", chart)
}
