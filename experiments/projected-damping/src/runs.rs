//! Whole runs, a row each: the printed scene under other readings, and random sheets.

use kit::prelude::*;

use super::fall::{Fall, LATE, Summary, newton_name, solver_name, terms_name};

row! {
    /// A run and what it came to.
    pub struct RunRow {
        /// what is varied; tight: with the small fixed tolerance
        pub reading: String,
        /// its value; of a solver its start, warm from the last solution or cold from zero, and its preconditioner
        pub value: String,
        /// none, plain or projected
        pub damping: String,
        /// kd of stretch and shear springs \[N s/m\]
        pub coefficient: f64,
        /// n, particles a side
        pub side: usize,
        /// h, mesh spacing \[m\]
        pub spacing: f64,
        /// rho, areal density \[kg/m²\]
        pub density: f64,
        /// ks of the springs to the nearest neighbours \[N/m\]
        pub stretch_stiffness: f64,
        /// ks of the springs to the diagonal neighbours \[N/m\]
        pub shear_stiffness: f64,
        /// kb of the springs to the second neighbours \[N/m\]
        pub bend: f64,
        /// ratio to its length from which a bend spring pushes by a line, by a polynomial below it
        pub line_from: f64,
        /// dt, time step \[s\]
        pub step: f64,
        /// stopping rule of conjugate gradients
        pub solver: String,
        /// one step, or converged
        pub newton: String,
        /// derivatives kept in the matrix: as in the thesis, with (3.16), or all
        pub terms: String,
        /// what it comes to
        pub summary: Summary,
    }
}

pub fn row(reading: &str, value: &str, fall: &Fall, margin: f64) -> RunRow {
    let [stretch_stiffness, shear_stiffness] = fall.stiffness;
    RunRow {
        reading: reading.into(),
        value: value.into(),
        damping: fall.damping.name().into(),
        coefficient: fall.damping.coefficient(),
        side: fall.side,
        spacing: fall.spacing,
        density: fall.density,
        stretch_stiffness,
        shear_stiffness,
        bend: fall.bend,
        line_from: fall.line_from,
        step: fall.step,
        solver: solver_name(&fall.settings),
        newton: newton_name(fall.settings.newton).into(),
        terms: terms_name(fall.settings.terms).into(),
        summary: fall.summary(margin),
    }
}

/// Work of a run, roughly: particles times steps.
pub fn weight(fall: &Fall) -> u64 {
    (fall.side * fall.side) as u64 * fall.steps(LATE)
}
