//! What preconditioners take of a sheet of triangles: a continuum that falls from two adjacent corners, the system of one step.

use cloth::implicit::PreconditionerKind;
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::triangles::TriangleMesh;
use cloth::{Bend, Elastic, Fabric, TriangleCloth};
use linsolve::AnyPreconditioner;

use crate::sheets::{DT, to_tolerance};
use crate::systems::System;

const SIDES: [usize; 3] = [40, 80, 160];

/// The step whose system is solved.
const STEP: usize = 20;

/// Of the residual over the right side.
const TOLERANCE: f64 = 1e-8;

/// As scene files name them.
const PRECONDITIONERS: [&str; 4] = ["constrained", "ssor", "incomplete-cholesky", "aggregation"];

/// Prints the table.
pub fn print() {
    println!("## A sheet of triangles by several preconditioners");
    println!();
    println!("Iterations to 1e-8, and processor time with the factorisation [us/particle].");
    println!();
    println!("| n | {} |", PRECONDITIONERS.join(" | "));
    println!("| --- | {} |", PRECONDITIONERS.map(|_| "---").join(" | "));
    for side in SIDES {
        println!("{}", line(side));
    }
}

fn line(side: usize) -> String {
    let system = system(side);
    let cells = PRECONDITIONERS.map(|name| {
        let kind = PreconditionerKind::all().find(|kind| kind.name() == name).expect("a preconditioner");
        let mut preconditioner = AnyPreconditioner::new(kind);
        let factor = |preconditioner: &mut AnyPreconditioner, matrix: &_, constraints: &[_]| {
            preconditioner.factor(matrix, constraints).map(|_| ())
        };
        let solved = system.solve(&mut preconditioner, factor, TOLERANCE);
        format!("{}, {:.1}", solved.iterations, solved.factorisation + solved.solution)
    });
    format!("| {side}² | {} |", cells.join(" | "))
}

/// A sheet of 1 m and 0.2 kg, flat and at rest, of N x N particles: 1000 N/m along both threads, 100 N/m against shear, no damping.
fn system(side: usize) -> System {
    let mesh = TriangleMesh::regular(side, side, 1.0, 1.0).expect("a mesh");
    let [stretch, shear] = [1000.0, 100.0].map(|stiffness| Elastic { stiffness, damping: 0.0 });
    let bend = Bend { stiffness: 1e-5, damping: 0.0 };
    let fabric = Fabric { density: 0.2, warp: stretch, weft: stretch, shear, bend, ..Fabric::default() };
    let cloth = TriangleCloth::new(mesh, fabric, &[0, side - 1]).expect("a material");
    let mut scheme = BackwardEuler::new(&cloth, to_tolerance(TOLERANCE, PreconditionerKind::Aggregation));
    let mut state = cloth.at_rest();
    (0..STEP).for_each(|_| scheme.step(&cloth, DT, &mut state));
    System::last_of(&scheme)
}
