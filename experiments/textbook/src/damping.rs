//! What plain damping does to rotation, to bending and to falling cloth, beside projected damping. S-DAMPING-ROTATION,
//! S-DAMPING-BENDING, S-UNDERWATER.

use kit::prelude::*;

use super::weave::{Weave, Weaves};

ranges!(DampingRanges {
    //! Sheets and their dampers.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    weaves: Weaves,
    /// Damping of a spring over 2 sqrt(ks m) \[-\].
    ratios: List<NonNegative>,
    /// Longest simulated time \[s\].
    duration: Positive,
});

row! {
    /// A sheet with a kind of dampers.
    pub struct DampingRow {
        /// plain or projected damping
        pub form: String,
        /// kd over 2 sqrt(ks m), of stretch and shear springs
        pub ratio: f64,
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// of stretch springs \[N/m\]
        pub stiffness: f64,
        /// finished by all four runs, or the worst: gains energy or not finite; no values then
        pub status: Status,
        /// share of angular momentum lost in a turn of one second, free, without gravity
        pub momentum: Option<f64>,
        /// time in which a sheet bent by 2 rad unrolls half way, free, without gravity, or the longest time \[s\]
        pub unrolled: Option<f64>,
        /// whether it has not unrolled half way by then, so that the time is a lower bound
        pub rolled: bool,
        /// time in which the centre of a sheet held at two corners falls by 0.3 of its side, or the longest time \[s\]
        pub fallen: Option<f64>,
        /// the same of a sheet that is not held \[s\]
        pub free_fall: Option<f64>,
    }
}

/// Random sheets with dampers.
pub struct Damping(pub DampingRanges);

/// Plain dampers.
const PLAIN: &str = "plain";
/// Projected ones.
const PROJECTED: &str = "projected";

/// Angle by which a sheet is bent \[rad\].
const BENT: f64 = 2.0;
/// Turns a second, and time in which momentum is lost \[s\].
const TURNS: f64 = 1.0;
/// Way that the centre of mass falls over the side \[-\].
const FALL: f64 = 0.3;
/// Step over sqrt(m / ks) \[-\].
const STEP: f64 = 0.02;

/// What a run was for, and what came of it.
type Run = (f64, Status);

/// A sheet with its dampers, not held, in the model of the thesis with springs that act both ways.
struct Dampers {
    weave: Weave,
    damping: Elastic,
    shear: Elastic,
    form: DampingForm,
}

impl Dampers {
    fn cloth(&self, pins: &[Pin], gravity: bool) -> Result<Cloth, ModelError> {
        let weave = &self.weave;
        let material = Material {
            density: weave.density,
            stretch: self.damping,
            shear: self.shear,
            bend: weave.bend / 32.1, // the slope of its law for small bends is 32.1 kb
            damping: self.form,
            compression: true,
            gravity: if gravity { Vec3::new(0.0, 0.0, -GRAVITY) } else { Vec3::zeros() },
            ..Material::default()
        };
        Cloth::new(Grid::new(weave.side, weave.side, weave.spacing())?, material, pins)
    }

    fn step(&self) -> f64 {
        STEP * (self.weave.mass() / self.weave.stretch).sqrt()
    }

    /// Follows a state until `done`, at most for `duration` \[s\]; the time, and what came of the run.
    fn follow(&self, cloth: &Cloth, state: &mut State, duration: f64, mut done: impl FnMut(&State) -> bool) -> Run {
        let (dt, mut scheme) = (self.step(), ForwardBackwardEuler::new(cloth.particle_count()));
        let fall = cloth.masses().iter().sum::<f64>() * GRAVITY; // of 1 m, whether or not there is gravity
        let mut course = RunWatch::of_energy(cloth.energies(state).total(), fall, (duration / dt).ceil() as u64);
        for step in 0_u64.. {
            if done(state) {
                course.end_early(|| cloth.energies(state).total());
                return (dt * step as f64, course.status());
            }
            if !course.goes_on() {
                break;
            }
            scheme.step(cloth, dt, state);
            course.watch(cloth, state);
        }
        (duration, course.status())
    }

    /// Share of angular momentum that a sheet that turns in its plane loses in a second \[-\].
    fn momentum(&self) -> Result<Run, ModelError> {
        let cloth = self.cloth(&[], false)?;
        let mut state = cloth.at_rest();
        let centre = Vec3::new(0.5, 0.5, 0.0);
        let omega = TURNS * std::f64::consts::TAU;
        for (x, v) in state.x.iter().zip(&mut state.v) {
            *v = omega * Vec3::z().cross(&(x - centre));
        }
        let momentum = |state: &State| {
            let of = |((x, v), m): ((&Vec3, &Vec3), &f64)| m * (x - centre).cross(v).z;
            state.x.iter().zip(&state.v).zip(cloth.masses()).map(of).sum::<f64>()
        };
        let start = momentum(&state);
        let (_, status) = self.follow(&cloth, &mut state, 1.0 / TURNS, |_| false);
        Ok((1.0 - momentum(&state) / start, status))
    }

    /// Time in which a sheet that is bent to an arc unrolls half way \[s\].
    fn unrolled(&self, duration: f64) -> Result<Run, ModelError> {
        let cloth = self.cloth(&[], false)?;
        let side = self.weave.side;
        let arc = |x: &Vec3| Vec3::new(libm::sin(BENT * x.x) / BENT, x.y, (1.0 - libm::cos(BENT * x.x)) / BENT);
        let mut state = State::at_rest(cloth.at_rest().x.iter().map(arc).collect());
        let across = |state: &State| {
            (0..side).map(|j| (state.x[j * side + side - 1] - state.x[j * side]).norm()).sum::<f64>() / side as f64
        };
        let half = 0.5 * (across(&state) + 1.0);
        Ok(self.follow(&cloth, &mut state, duration, |state| across(state) >= half))
    }

    /// Time in which the centre of mass falls \[s\].
    fn fallen(&self, pins: &[Pin], duration: f64) -> Result<Run, ModelError> {
        let cloth = self.cloth(pins, true)?;
        let count = cloth.particle_count() as f64;
        let height = |state: &State| state.x.iter().map(|x| x.z).sum::<f64>() / count;
        Ok(self.follow(&cloth, &mut cloth.at_rest(), duration, |state| height(state) <= -FALL))
    }
}

impl Damping {
    fn row(&self, weave: &Weave, form: &str, ratio: f64) -> Option<DampingRow> {
        let duration = self.0.duration.get();
        let elastic = |stiffness: f64| Elastic { stiffness, damping: ratio * 2.0 * (stiffness * weave.mass()).sqrt() };
        let kind = if form == PLAIN { DampingForm::Plain } else { DampingForm::Projected };
        let dampers = Dampers { weave: *weave, damping: elastic(weave.stretch), shear: elastic(weave.shear), form: kind };
        let corners = [Pin::At(0, 0), Pin::At(weave.side - 1, 0)];
        let runs = [
            dampers.momentum().ok()?,
            dampers.unrolled(duration).ok()?,
            dampers.fallen(&corners, duration).ok()?,
            dampers.fallen(&[], duration).ok()?,
        ];
        let worst = runs.iter().map(|(_, status)| *status).max()?;
        let [momentum, unrolled, fallen, free_fall] = runs.map(|(value, _)| (worst == Status::Finished).then_some(value));
        Some(DampingRow {
            form: form.into(),
            ratio,
            side: weave.side,
            density: weave.density,
            stiffness: weave.stretch,
            status: worst,
            momentum,
            unrolled,
            rolled: unrolled.is_some_and(|time| time >= duration),
            fallen,
            free_fall,
        })
    }
}

impl Group for Damping {
    const NAME: &'static str = "damping";
    const ABOUT: &'static str = "sheets that turn, unroll and fall, with plain and with projected dampers";
    type Case = Weave;
    type Row = DampingRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Weave {
        Weave::draw(&self.0.weaves, stream)
    }

    fn measure(&self, weave: &Weave) -> Vec<DampingRow> {
        let undamped = self.row(weave, PLAIN, 0.0);
        let damped = self.0.ratios.values().iter().filter(|ratio| ratio.get() > 0.0);
        let damped = damped.flat_map(|ratio| [PLAIN, PROJECTED].map(|form| self.row(weave, form, ratio.get())));
        std::iter::once(undamped).chain(damped).flatten().collect()
    }
}

/// Values of a form and a ratio over those of the same sheets without damping, or by themselves, where there are any.
fn of<T>(rows: &[Row<DampingRow>], form: &str, ratio: f64, value: impl Fn(&DampingRow, &DampingRow) -> Option<T>) -> Vec<T> {
    let sheets = rows.chunk_by(|a, b| a.set == b.set);
    let each = sheets.filter_map(|sheet| {
        let undamped = sheet.iter().find(|row| row.row.ratio == 0.0)?;
        let damped = sheet.iter().find(|row| row.row.form == form && row.row.ratio == ratio)?;
        value(&damped.row, &undamped.row)
    });
    each.collect()
}

/// The ratios above zero, in order.
fn ratios(rows: &[Row<DampingRow>]) -> Vec<f64> {
    distinct(rows.iter().map(|row| row.row.ratio).filter(|ratio| *ratio > 0.0))
}

const UNROLLING: &str = "unrolling";
type Value = fn(&DampingRow, &DampingRow) -> Option<f64>;
/// What plain and projected dampers do.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Damping>()?;
    let ratios = ratios(&rows);
    let kinds: [(&str, Color, Marker); 2] =
        [(PLAIN, Palette::VERMILLION, Marker::Circle), (PROJECTED, Palette::BLUE, Marker::OpenCircle)];
    let panel = |(title, label, value): (&str, &str, Value)| {
        let is_of_unrolling = title == UNROLLING;
        let mut layers = vec![];
        for (form, color, marker) in kinds {
            let values = |ratio: &f64| of(&rows, form, *ratio, value);
            let points = ratios.iter().flat_map(|ratio| values(ratio).into_iter().map(move |value| [*ratio, value])).collect();
            let medians = ratios.iter().filter_map(|ratio| Some([*ratio, median(&values(ratio))?])).collect();
            layers.push(Layer::points(form, color, points).marker(marker));
            // in every panel, since all have the legend of the last one
            let bound =
                |damped: &DampingRow, undamped: &DampingRow| value(damped, undamped).filter(|_| is_of_unrolling && damped.rolled);
            let bounds =
                ratios.iter().flat_map(|ratio| of(&rows, form, *ratio, bound).into_iter().map(move |value| [*ratio, value]));
            let label = format!("{form}, not unrolled at the end: a lower bound");
            layers.push(Layer::points(label, color, bounds.collect()).marker(Marker::Cross));
            layers.push(Layer::line(format!("{form}, median"), color, medians));
        }
        let mut panel =
            Panel::new(Axis::log("damping over critical damping of a spring"), Axis::linear(label), layers).titled(title);
        panel.legend = Corner::None;
        panel
    };
    let panels: [(&str, &str, Value); 3] = [
        ("rigid rotation", "angular momentum lost in a turn", |damped, _| damped.momentum),
        (UNROLLING, "time over that without damping", |damped, undamped| Some(damped.unrolled? / undamped.unrolled?)),
        ("falling from two corners", "time over that without damping", |damped, undamped| {
            Some(damped.fallen? / undamped.fallen?)
        }),
    ];
    let mut panels: Vec<Panel> = panels.into_iter().map(panel).collect();
    if let Some(last) = panels.last_mut() {
        last.legend = Corner::Outside;
    }
    let caption = "Sheets that turn freely for a second, that unroll freely from an arc of 2 rad, and that fall from two corners; a \
                   cross is a sheet that had not unrolled half way at the end, so that its time is a lower bound. Plain dampers \
                   resist all three, projected ones act along springs that elongate.";
    Ok(Figure { columns: 2, ..Figure::new("damping", "Plain and projected damping", caption, panels) })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Damping(ranges.damping.clone())).plot("damping", chart)
}

#[cfg(test)]
mod tests {
    use super::super::weave::tests::weave;
    use super::*;

    fn dampers(form: DampingForm, damping: f64) -> Dampers {
        let elastic = |stiffness| Elastic { stiffness, damping };
        Dampers { weave: weave(), damping: elastic(weave().stretch), shear: elastic(weave().shear), form }
    }

    #[test]
    fn projected_dampers_keep_momentum_and_plain_ones_do_not() {
        let projected = dampers(DampingForm::Projected, 0.5).momentum().unwrap().0;
        let plain = dampers(DampingForm::Plain, 0.5).momentum().unwrap().0;
        assert!(projected.abs() < 1e-9 && plain > 0.05, "{projected} {plain}");
    }

    #[test]
    fn a_free_sheet_falls_as_a_stone_whatever_its_dampers() {
        let (fallen, status) = dampers(DampingForm::Plain, 2.0).fallen(&[], 1.0).unwrap();
        let step = dampers(DampingForm::Plain, 2.0).step();
        assert!((fallen - (2.0 * FALL / GRAVITY).sqrt()).abs() < 2.0 * step && status == Status::Finished, "{fallen}");
    }
}
