//! Spectral radii on an undamped oscillator, measured by stepping and in theory.

use cloth::oscillator::{Oscillator, theory};
use kit::method_colors::color;
use kit::prelude::*;

use super::limits::Limit;
use super::orders::Scheme;
use super::select::named;

ranges!(RadiusRanges {
    //! Where radii are measured.
    omega_dt: Ends,
    /// Points in between, even in their logarithm, both ends included.
    points: Count,
    /// rho_inf of generalized-alpha.
    limits: List<Limit>,
});

row! {
    /// A scheme at an omega dt.
    pub struct RadiusRow {
        /// the time integrator
        pub scheme: String,
        /// high-frequency dissipation limit of generalized-alpha; none for others
        pub rho_inf: Option<f64>,
        /// omega dt
        pub omega_dt: f64,
        /// spectral radius of the matrix found by stepping unit states
        pub measured: f64,
        /// spectral radius in closed form
        pub theory: f64,
    }
}

/// Every scheme over omega dt.
pub struct Radii(pub RadiusRanges);

impl Radii {
    fn row(scheme: Scheme, omega_dt: f64) -> RadiusRow {
        let (oscillator, dt) = (Oscillator { mass: 1.0, ks: 1.0, kd: 0.0 }, omega_dt); // omega = 1
        let settings = Settings { solver: Solver::Direct, ..Settings::default() };
        let square = omega_dt * omega_dt;
        let (measured, theory) = match scheme {
            Scheme::BackwardEuler => {
                let measured = oscillator.amplification(&mut BackwardEuler::new(&oscillator, settings), dt);
                (measured.spectral_radius(), theory::backward_euler(square, 0.0).spectral_radius())
            }
            Scheme::Midpoint => {
                let measured = oscillator.amplification(&mut ImplicitMidpoint::new(&oscillator, settings), dt);
                (measured.spectral_radius(), theory::implicit_midpoint(square, 0.0).spectral_radius())
            }
            Scheme::Bdf2 => {
                let mut bdf2 = Bdf2::new(&oscillator, settings);
                let measured = oscillator.two_step_amplification(|before, state| {
                    bdf2.follow(before);
                    bdf2.step(&oscillator, dt, state);
                });
                (measured.spectral_radius(), theory::sbdf2([0.0, square], [0.0; 2]).spectral_radius())
            }
            Scheme::GeneralizedAlpha(limit) => {
                let measured = oscillator.three_state_amplification(&mut GeneralizedAlpha::new(&oscillator, settings, limit), dt);
                (measured.spectral_radius(), theory::generalized_alpha(limit, square, 0.0).spectral_radius())
            }
        };
        RadiusRow { scheme: scheme.name().into(), rho_inf: scheme.limit(), omega_dt, measured, theory }
    }
}

impl Group for Radii {
    const NAME: &'static str = "radii";
    const ABOUT: &'static str = "spectral radii on an undamped oscillator, measured and in theory";
    type Case = Scheme;
    type Row = RadiusRow;

    fn listed(&self) -> Vec<Self::Case> {
        Scheme::all(&self.0.limits)
    }

    fn measure(&self, &scheme: &Scheme) -> Vec<RadiusRow> {
        let [low, high] = self.0.omega_dt.get().map(libm::log);
        let last = f64::from((self.0.points.get() - 1).max(1));
        let place = |point: u32| libm::exp(low + (high - low) * f64::from(point) / last);
        (0..self.0.points.get()).map(|point| Radii::row(scheme, place(point))).collect()
    }
}

/// Figure 1: radii over omega dt.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Radii>()?;
    let runs: Vec<&[Row<RadiusRow>]> = rows.chunk_by(|a, b| a.set == b.set).collect();
    let line = |color: Color, run: &[Row<RadiusRow>]| {
        let points = run.iter().map(|row| [row.row.omega_dt, row.row.theory]).collect();
        let RadiusRow { scheme, rho_inf, .. } = &run[0].row;
        Layer::line(named(scheme, *rho_inf), color, points)
    };
    let dots = |color: Color, run: &[Row<RadiusRow>]| {
        let points = run.iter().step_by(8).map(|row| [row.row.omega_dt, row.row.measured]).collect();
        let RadiusRow { scheme, rho_inf, .. } = &run[0].row;
        Layer::points(named(scheme, *rho_inf), color, points)
    };
    let published = |run: &&&[Row<RadiusRow>]| run[0].row.scheme == "backward-euler" || run[0].row.rho_inf == Some(0.0);
    let axes = |label: &str| (Axis::log("omega dt"), Axis::linear(label.to_string()).range(0.0, 1.05));
    let of_paper = runs.iter().filter(published).flat_map(|run| {
        let color = color(&run[0].row.scheme);
        [line(color, run), dots(color, run)]
    });
    let all = runs.iter().map(|run| {
        let RadiusRow { scheme, rho_inf, .. } = &run[0].row;
        let dash = if *rho_inf == Some(1.0) { Dash::Dashed } else { Dash::Solid }; // which lies on the midpoint rule
        line(color(&named(scheme, *rho_inf)), run).dash(dash)
    });
    let (x, y) = axes("spectral radius");
    let first = Panel::new(x, y, of_paper.collect()).titled("as figure 1: lines theory, dots measured");
    let of = |scheme: &str, limit: Option<f64>| {
        runs.iter().find(|run| run[0].row.scheme == scheme && run[0].row.rho_inf == limit).copied().unwrap_or_default()
    };
    let pairs = of("generalized-alpha", Some(0.0)).iter().zip(of("backward-euler", None));
    let ratio = pairs.map(|(alpha, euler)| [alpha.row.omega_dt, alpha.row.measured / euler.row.measured]).collect();
    let at_most = Curve::new(PARKS, "1", "ratio of radii at most");
    let label = format!("{}: at times a factor of four", at_most.label());
    let mut layers = vec![
        Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
        Layer::line("measured", color("generalized-alpha"), ratio),
    ];
    layers.extend(at_most.rules(Direction::Horizontal, |ratio| ratio).into_iter().map(|rule| rule.labelled(label.clone())));
    let (x, y) = (Axis::log("omega dt"), Axis::linear("radius of generalized-alpha over that of backward Euler"));
    let ratios = Panel::new(x, y, layers).titled("rho_inf = 0 over backward Euler");
    let (x, y) = axes("spectral radius");
    let second = Panel::new(x, y, all.collect()).titled("every scheme");
    let caption = "Largest eigenvalue of a step over omega dt; a radius of one keeps the energy of a frequency, zero removes it.";
    let panels = vec![first.legend_outside(), ratios.legend_outside(), second.legend_outside()];
    Ok(Figure::new("radii", "Spectral radius on an undamped oscillator", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Radii(ranges.radii.clone())).plot("radii", chart).places(&[("radii", -4)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_radii_agree_with_theory_over_the_whole_table() {
        let limits = [0.0, 0.25, 0.5, 0.75, 1.0].map(|limit| Scheme::GeneralizedAlpha(DissipationLimit::new(limit).unwrap()));
        for scheme in [Scheme::BackwardEuler, Scheme::Bdf2, Scheme::Midpoint].into_iter().chain(limits) {
            for point in 0..241 {
                let omega_dt = libm::pow(10.0, -2.0 + 5.0 * f64::from(point) / 240.0);
                let RadiusRow { measured, theory, .. } = Radii::row(scheme, omega_dt);
                // beyond, the roots of generalized-alpha nearly meet, and magnify the rounding of the steps
                let bound = if omega_dt < 101.0 { 1e-12 } else { 1e-9 };
                assert!((measured - theory).abs() < bound, "{} at {omega_dt}: {measured} {theory}", scheme.name());
                if scheme.limit() == Some(1.0) || scheme.name() == Scheme::Midpoint.name() {
                    assert!((measured - 1.0).abs() < 1e-12 && (theory - 1.0).abs() < 1e-12, "{omega_dt}: {measured} {theory}");
                }
            }
        }
    }
}
