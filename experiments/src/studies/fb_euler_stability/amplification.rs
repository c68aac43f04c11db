//! Amplification of one mass on one spring: measured by stepping, in corrected theory, and as printed.

use cloth::integrators::{ForwardBackwardEuler, ForwardEuler};
use cloth::oscillator::{Amplification, Oscillator, theory};
use lab::streams::{ChaCha8Rng, log_uniform};
use lab::{Column, Group};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::ranges::{Count, Ends};

/// Springs that are drawn.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// Number of sets.
    pub sets: Count,
    /// Ends of the mass \[kg\]; this and the following are drawn equally in their logarithm.
    pub mass: Ends,
    /// Ends of dt² ks / m \[-\].
    pub stiffness: Ends,
    /// Ends of dt kd / m \[-\]; one set in four has no damping.
    pub damping: Ends,
}

/// One mass on one spring, under three schemes.
pub struct Springs(pub Ranges);

/// m, a = dt² ks / m and b = dt kd / m.
#[derive(Clone, Debug)]
pub struct Case {
    mass: f64,
    a: f64,
    b: f64,
}

/// A spring under one scheme.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Row {
    pub scheme: String,
    pub mass: f64,
    pub stiffness: f64,
    pub damping: f64,
    pub oscillates: bool,
    pub measured: f64,
    pub theory: f64,
    pub printed: f64,
}

const DT: f64 = 0.01;

impl Group for Springs {
    const NAME: &'static str = "springs";
    const ABOUT: &'static str = "amplification of one mass on one spring under three schemes";
    const COLUMNS: &'static [Column] = &[
        Column::text("scheme", "forward Euler, FB Euler or backward Euler"),
        Column::number("mass", "kg", "m"),
        Column::number("stiffness", "-", "a = dt² ks / m"),
        Column::number("damping", "-", "b = dt kd / m"),
        Column::boolean("oscillates", "whether the eigenvalues are a complex pair"),
        Column::number("measured", "-", "largest |lambda| of the matrix found by stepping"),
        Column::number("theory", "-", "the same from the corrected formulas"),
        Column::number("printed", "-", "the expression printed as |lambda|, with the m = 1 that it assumes"),
    ];
    type Case = Case;
    type Row = Row;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let mut draw = |ends: Ends| log_uniform(stream, ends.get());
        let (mass, a, b) = (draw(self.0.mass), draw(self.0.stiffness), draw(self.0.damping));
        let damped = stream.random_range(0..4) > 0;
        Case { mass, a, b: if damped { b } else { 0.0 } }
    }

    fn measure_block(&self, cases: &[Case], done: &mut dyn FnMut(usize, Vec<Row>)) {
        for (k, &Case { mass, a, b }) in cases.iter().enumerate() {
            let spring = Oscillator { mass, ks: a * mass / (DT * DT), kd: b * mass / DT };
            // with m = 1, as printed: k kd and k² ks
            let (printed_a, printed_b) = (DT * DT * spring.ks, DT * spring.kd);
            let row = |scheme: &str, measured: Amplification, theory: Amplification, printed: f64| Row {
                scheme: scheme.into(),
                mass,
                stiffness: a,
                damping: b,
                oscillates: theory.is_complex(),
                measured: measured.spectral_radius(),
                theory: theory.spectral_radius(),
                printed,
            };
            let rows = vec![
                row(
                    "forward Euler",
                    spring.amplification(&mut ForwardEuler::new(1), DT),
                    theory::forward_euler(a, b),
                    1.0 - (printed_b - printed_a), // 1 - k (kd - k ks)  [Boxerman 2003, 4.1.4, with its k before ks]
                ),
                row(
                    "FB Euler",
                    spring.amplification(&mut ForwardBackwardEuler::new(1), DT),
                    theory::forward_backward_euler(a, b),
                    1.0 - printed_b, // 1 - k kd  [Boxerman 2003, 4.1.4]
                ),
                row(
                    "backward Euler",
                    spring.backward_euler_amplification(DT),
                    theory::backward_euler(a, b),
                    1.0 / (1.0 + printed_b + printed_a), // 1 / (1 + k kd + k² ks)  [Boxerman 2003, 4.2.4]
                ),
            ];
            done(k, rows);
        }
    }
}
