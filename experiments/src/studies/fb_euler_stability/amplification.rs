//! Amplification of one mass on one spring: measured by stepping, in corrected theory, and as printed.

use cloth::integrators::{ForwardBackwardEuler, ForwardEuler};
use cloth::oscillator::{Amplification, Oscillator, theory};
use lab::measure::streams::log_uniform;
use lab::prelude::*;
use rand::RngExt;

use crate::ranges::{Count, Ends};

/// Springs that are drawn.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
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

row! {
    /// A spring under one scheme.
    #[derive(Debug, PartialEq)]
    pub struct Row {
        /// forward Euler, FB Euler or backward Euler
        pub scheme: String,
        /// m \[kg\]
        pub mass: f64,
        /// a = dt² ks / m
        pub stiffness: f64,
        /// b = dt kd / m
        pub damping: f64,
        /// whether the eigenvalues are a complex pair
        pub oscillates: bool,
        /// largest |lambda| of the matrix found by stepping
        pub measured: f64,
        /// the same from the corrected formulas
        pub theory: f64,
        /// the expression printed as |lambda|, with the m = 1 that it assumes
        pub printed: f64,
    }
}

const DT: f64 = 0.01;

impl Group for Springs {
    const NAME: &'static str = "springs";
    const ABOUT: &'static str = "amplification of one mass on one spring under three schemes";
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

    fn measure(&self, &Case { mass, a, b }: &Case) -> Vec<Row> {
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
        rows
    }
}
