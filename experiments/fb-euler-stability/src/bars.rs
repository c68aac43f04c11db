//! The bar against its differential equation, rho u_tt = EA u_xx + beta u_xxt \[Boxerman 2003, eq. 3.1\].

use cloth::{Chain, End};
use kit::prelude::*;
use std::f64::consts::PI;

ranges!(Ranges {
    //! A bar, how finely it is cut, and which of its modes are followed.
    /// Length \[m\].
    length: Positive,
    /// rho \[kg/m\].
    density: Positive,
    /// EA \[N\].
    stiffness: Positive,
    /// beta \[N s\].
    damping: NonNegative,
    /// Segments that it is cut into.
    segments: List<Count>,
    /// The modes 1 to this one, for the ends fixed-fixed, fixed-free and free-free.
    modes: Count,
});

/// Modes of vibration of bars.
pub struct Bars(pub Ranges);

/// A mode of a bar.
#[derive(Clone, Debug)]
pub struct Case {
    segments: usize,
    ends: [End; 2],
    mode: u32,
}

row! {
    /// A mode: measured, and in the continuum.
    pub struct BarRow {
        /// how the ends are held
        pub ends: String,
        /// springs that the bar is cut into
        pub segments: usize,
        /// number of the mode, 1 the slowest
        pub mode: u32,
        /// measured, or overdamped: it does not vibrate
        pub status: Status,
        /// angular frequency of the damped vibration, measured \[1/s\]
        pub frequency: Option<f64>,
        /// the same of the differential equation \[1/s\]
        pub continuum_frequency: Option<f64>,
        /// rate of decay of the amplitude, measured \[1/s\]
        pub decay: Option<f64>,
        /// the same of the differential equation \[1/s\]
        pub continuum_decay: f64,
    }
}

const ENDS: [[End; 2]; 3] = [[End::Fixed; 2], [End::Fixed, End::Free], [End::Free; 2]];

impl Case {
    /// Wave number \[1/m\] of the mode on a bar of `length`.
    fn wave_number(&self, length: f64) -> f64 {
        let half_waves = match self.ends {
            [End::Fixed, End::Free] | [End::Free, End::Fixed] => f64::from(self.mode) - 0.5,
            _ => f64::from(self.mode),
        };
        half_waves * PI / length
    }

    /// Shape of the mode at `s` \[m\].
    fn shape(&self, q: f64, s: f64) -> f64 {
        if self.ends[0] == End::Fixed { libm::sin(q * s) } else { libm::cos(q * s) }
    }
}

/// Samples of a mode's amplitude in a period.
const SAMPLES: usize = 8;

/// Angular frequency and decay \[1/s\] of a sampled damped oscillation: the recurrence
/// a_{k+1} = 2 e^{-s T} cos(w T) a_k - e^{-2 s T} a_{k-1} holds exactly, and is fitted by least squares.
fn oscillation(amplitudes: &[f64], interval: f64) -> (f64, f64) {
    let (mut aa, mut ab, mut bb, mut ac, mut bc) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for triple in amplitudes.windows(3) {
        let (b, a, c) = (triple[0], triple[1], triple[2]);
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ac += a * c;
        bc += b * c;
    }
    let determinant = aa * bb - ab * ab;
    let (first, second) = ((ac * bb - bc * ab) / determinant, (bc * aa - ac * ab) / determinant);
    let decay = -0.5 * libm::log(-second) / interval;
    let frequency = libm::acos(0.5 * first / (-second).sqrt()) / interval;
    (frequency, decay)
}

impl Group for Bars {
    const NAME: &'static str = "bars";
    const ABOUT: &'static str = "frequency and decay of a bar's modes against the continuum";
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = BarRow;

    fn sets(&self) -> u64 {
        (ENDS.len() * self.0.segments.values().len()) as u64 * u64::from(self.0.modes.get())
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Case {
        let modes = u64::from(self.0.modes.get());
        let (mode, rest) = ((set % modes) as u32 + 1, (set / modes) as usize);
        let segments = self.0.segments.values()[rest % self.0.segments.values().len()].get() as usize;
        Case { segments, ends: ENDS[rest / self.0.segments.values().len() % ENDS.len()], mode }
    }

    fn kin(&self, case: &Case) -> u64 {
        case.segments as u64
    }

    fn measure(&self, case: &Case) -> Vec<BarRow> {
        let Ranges { length, density, stiffness, damping, .. } = &self.0;
        let q = case.wave_number(length.get());
        let continuum_decay = 0.5 * damping.get() * q * q / density.get();
        let square = stiffness.get() * q * q / density.get() - continuum_decay * continuum_decay;
        let continuum_frequency = (square > 0.0).then(|| square.sqrt());
        let measured = continuum_frequency.and_then(|frequency| self.vibration(case, q, frequency));
        let row = BarRow {
            ends: case.ends.map(|end| if end == End::Fixed { "fixed" } else { "free" }).join("-"),
            segments: case.segments,
            mode: case.mode,
            status: if measured.is_some() { Status::Measured } else { Status::Overdamped },
            frequency: measured.map(|(frequency, _)| frequency),
            continuum_frequency,
            decay: measured.map(|(_, decay)| decay),
            continuum_decay,
        };
        vec![row]
    }
}

impl Bars {
    /// Angular frequency and decay \[1/s\] of a mode of wave number `q`, followed for two of its periods.
    fn vibration(&self, case: &Case, q: f64, continuum_frequency: f64) -> Option<(f64, f64)> {
        let [rho, ea, beta] = [self.0.density.get(), self.0.stiffness.get(), self.0.damping.get()];
        let bar = Chain::bar(case.segments + 1, self.0.length.get(), rho, ea, beta, case.ends);
        let shape: Vec<f64> = (0..=case.segments).map(|j| case.shape(q, j as f64 * bar.spacing())).collect();
        let mut state = bar.displaced(|j| 1e-3 * bar.spacing() * shape[j]);
        let mut scheme = Rk4::new(shape.len());
        // samples at eighths of a period, each reached by steps that resolve the fastest wave of the mesh
        let interval = 2.0 * PI / continuum_frequency / SAMPLES as f64;
        let steps = (interval / (0.1 * bar.spacing() * (rho / ea).sqrt())).ceil();
        let amplitude =
            |x: &[Vec3]| -> f64 { (0..shape.len()).map(|j| bar.masses()[j] * shape[j] * bar.displacement(x, j)).sum() };
        let mut amplitudes = vec![amplitude(&state.x)];
        let mut shown = FilmRecorder::new(2 * SAMPLES as u64 * steps as u64);
        for _ in 0..2 * SAMPLES {
            for _ in 0..steps as u64 {
                scheme.step(&bar, interval / steps, &mut state);
                shown.step(&bar, &state);
            }
            amplitudes.push(amplitude(&state.x));
        }
        let (frequency, decay) = oscillation(&amplitudes, interval);
        Some((finite(frequency)?, finite(decay)?))
    }
}

/// Frequency and decay of the bar's modes against the continuum.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Bars>()?;
    let mut by_mesh: BTreeMap<usize, Vec<&BarRow>> = BTreeMap::new();
    for row in &rows {
        by_mesh.entry(row.row.segments).or_default().push(&row.row);
    }
    let panel = |label: &str, pair: fn(&BarRow) -> Option<[f64; 2]>| {
        let mut layers = vec![];

        for (k, (segments, rows)) in by_mesh.iter().enumerate() {
            let points: Vec<[f64; 2]> = rows.iter().filter_map(|row| pair(row)).collect();

            let marker = [Marker::Circle, Marker::Triangle, Marker::Square, Marker::Diamond][k % 4];
            layers.push(Layer::points(format!("{segments} segments"), Palette::series(k), points).marker(marker));
        }
        let ends = extent(rows.iter().filter_map(|row| Some(pair(&row.row)?[0])));
        layers.insert(0, Layer::line("particles = continuum", Palette::GREY, ends.map(|x| [x, x]).to_vec()));
        let x = Axis::log(format!("{label} of the continuum  [1/s]"));
        Panel::new(x, Axis::log(format!("{label} of the particles  [1/s]")), layers)
    };
    let error = {
        let mut layers = vec![];
        for (k, ends) in ["fixed-fixed", "fixed-free", "free-free"].into_iter().enumerate() {
            let first = rows.iter().map(|row| &row.row).filter(|row| row.ends == ends && row.mode == 1);
            let points = first
                .filter_map(|row| Some([1.0 / row.segments as f64, (row.frequency? / row.continuum_frequency? - 1.0).abs()]));
            let marker = [Marker::Circle, Marker::OpenTriangle, Marker::OpenSquare][k];
            let points: Vec<[f64; 2]> = points.collect();
            if let Some(law) = power_law("bar chart", &points) {
                let ends = extent(points.iter().map(|point| point[0]));
                let line = ends.map(|x| [x, law.at(x)]).to_vec();
                layers.push(Layer::line(format!("power {:.2} of h", law.exponent), Palette::BLACK, line).dash(Dash::Dashed));
            }
            layers.push(Layer::points(format!("{ends}, mode 1"), Palette::series(k), points).marker(marker));
        }
        Panel::new(Axis::log("mesh spacing over length  h / L  [–]"), Axis::log("relative error of the frequency  [–]"), layers)
    };
    let caption = "Damped frequency and decay of the slowest modes of a bar cut into springs with EA = ks h and beta = kd h, against the \
                   differential equation, and how the error of the slowest mode falls with the mesh.";
    let panels = vec![
        panel("frequency", |row| Some([row.continuum_frequency?, row.frequency?])),
        panel("decay", |row| Some([row.continuum_decay, row.decay?])),
        error,
    ];
    Ok(Figure::new("bar", "The chain of particles and the bar that it stands for", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Bars(ranges.bars.clone())).plot("bar", chart).places(&[("bar", 3)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damped_oscillation_is_recognised() {
        let interval = 0.07;
        let samples: Vec<f64> =
            (0..17).map(|k| f64::from(k) * interval).map(|t| 3.0 * libm::exp(-0.8 * t) * libm::cos(9.0 * t + 0.4)).collect();
        let (frequency, decay) = oscillation(&samples, interval);
        assert!((frequency - 9.0).abs() < 1e-10 && (decay - 0.8).abs() < 1e-10, "{frequency} {decay}");
    }
}
