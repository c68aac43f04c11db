//! Sheets that tables share.

use cloth::implicit::{ConjugateGradients, DiagonalKind, PreconditionerKind, Settings, Tolerance};
use cloth::{Cloth, Elastic, Grid, Material, Pin};

/// The step of the canonical job \[s\].
pub const DT: f64 = 0.01;

/// The preconditioner of the thesis.
pub const CONSTRAINED: PreconditionerKind = PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained);

/// Two adjacent corners, which hold the sheet of the canonical job.
pub fn canonical_pins(side: usize) -> [Pin; 2] {
    [Pin::At(0, 0), Pin::At(side - 1, 0)]
}

/// The sheet of the canonical job, which holds it by [`canonical_pins`]: 1 m, N x N particles of 0.2 / N² kg; stretch and shear
/// springs of 1000 N/m, bending of 0.01 N/m, no damping.
pub fn canonical_sheet(side: usize, pins: &[Pin]) -> Cloth {
    let n = side as f64;
    let spacing = 1.0 / (n - 1.0);
    let elastic = Elastic { stiffness: 1000.0, damping: 0.0 };
    let density = 0.2 / (n * n * spacing * spacing); // m = rho h²
    let material = Material { density, stretch: elastic, shear: elastic, bend: 0.01, ..Material::default() };
    let grid = Grid::new(side, side, spacing).expect("a sheet");
    Cloth::new(grid, material, pins).expect("a material")
}

/// One Newton step; conjugate gradients until the residual over the right side is `tolerance` in the norm of P⁻¹.
pub fn to_tolerance(tolerance: f64, preconditioner: PreconditionerKind) -> Settings {
    let to = ConjugateGradients::to(Tolerance::Fixed(tolerance));
    Settings::from(ConjugateGradients { preconditioner, iteration_limit: 100_000, ..to })
}
