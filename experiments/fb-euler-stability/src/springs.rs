//! Amplification of one mass on one spring: measured by stepping, in corrected theory, and as printed.

use cloth::oscillator::{Amplification, Oscillator, theory};
use kit::prelude::*;

ranges!(Ranges {
    //! Springs that are drawn.
    sets: Count,
    /// Ends of the mass \[kg\]; this and the following are drawn equally in their logarithm.
    mass: Ends,
    /// Ends of dt² ks / m \[-\].
    stiffness: Ends,
    /// Ends of dt kd / m \[-\]; one set in four has no damping.
    damping: Ends,
});

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
    pub struct SpringRow {
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
    type Row = SpringRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let mut draw = |ends: Ends| log_uniform(stream, ends.get());
        let (mass, a, b) = (draw(self.0.mass), draw(self.0.stiffness), draw(self.0.damping));
        let damped = stream.random_range(0..4) > 0;
        Case { mass, a, b: if damped { b } else { 0.0 } }
    }

    fn measure(&self, &Case { mass, a, b }: &Case) -> Vec<SpringRow> {
        let spring = Oscillator { mass, ks: a * mass / (DT * DT), kd: b * mass / DT };
        // with m = 1, as printed: k kd and k² ks
        let (printed_a, printed_b) = (DT * DT * spring.ks, DT * spring.kd);
        let row = |scheme: &str, measured: Amplification, theory: Amplification, printed: f64| SpringRow {
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

/// Amplification of one spring: measured against the corrected and the printed formulas.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Springs>()?;
    let panels = ["forward Euler", "FB Euler", "backward Euler"].into_iter().map(|scheme| {
        let points = |value: fn(&SpringRow) -> f64| -> Vec<[f64; 2]> {
            let pairs = rows.iter().map(|row| &row.row).filter(|row| row.scheme == scheme && row.oscillates);
            pairs.map(|row| [row.measured, value(row)]).collect()
        };
        let ends = extent(points(|row| row.theory).into_iter().map(|point| point[0]));
        let layers = vec![
            Layer::points("as printed, m = 1", Palette::ORANGE, points(|row| row.printed)).marker(Marker::Cross),
            Layer::points("corrected", Palette::BLUE, points(|row| row.theory)).marker(Marker::OpenCircle),
            Layer::line("formula = measured", Palette::GREY, ends.map(|x| [x, x]).to_vec()),
        ];
        let margin = 0.05 * (ends[1] - ends[0]).max(0.1);
        let axis = |label: &str| Axis::linear(label).range(ends[0] - margin, ends[1] + margin);
        Panel::new(axis("measured amplification  |λ|  [–]"), axis("formula  [–]"), layers).titled(scheme).legend_outside()
    });
    let caption = "Each random spring that oscillates: the amplification of a step as measured, against the thesis' expression as printed \
                   and against the corrected one (masses restored, square root taken).";
    Ok(Figure::new("amplification", "Amplification of one mass on one spring", caption, panels.collect()))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Springs(ranges.springs.clone())).plot("amplification", chart).places(&[("amplification", 3)])
}
