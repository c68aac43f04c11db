//! Key frames, and which particles are forced to come there.

use cloth::adjoint::{Adjoint, Forces, KeyFrame, NoGradient};
use cloth::contact::RigidMotion;
use cloth::run::Model;
use kit::prelude::*;

use super::sheets::{LENGTH, Sheet, free};

words! {
    /// How key frames are made.
    pub enum Wish {
        /// A run under forces that are not told.
        Hidden = "a hidden run",
        /// The run without forces, beside itself.
        Shifted = "shifted",
        /// The run without forces, turned about its centre.
        Turned = "turned",
        /// The run without forces, larger or smaller.
        Scaled = "scaled",
    }
}

words! {
    /// The particles that are forced.
    pub enum Where {
        /// All that are free.
        All = "all particles",
        /// All that are free, for a hundredth of the price.
        Cheap = "all particles, a hundredth as dear",
        /// The edge opposite to the held one.
        Edge = "the free edge",
        /// One in four of those that are free.
        Quarter = "one particle in four",
    }
}

/// Intervals of forces, those that are hidden too.
pub const INTERVALS: usize = 6;

/// How far a pose is shifted over the side \[-\], turned \[rad\], and scaled up, or down by the inverse \[-\].
const SHIFT: [f64; 2] = [0.1, 0.4];
const TURN: [f64; 2] = [0.3, 1.5];
const SCALE: [f64; 2] = [1.15, 1.4];

/// Random numbers of the hidden forces of an interval.
const NUMBERS: usize = 9;

/// Key frames of a sheet, half way and at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Wished {
    pub wish: Wish,
    /// A direction, or an axis.
    direction: Vec3,
    /// How much, from 0 to 1.
    amount: f64,
    /// Whether to shrink.
    shrinks: bool,
    /// Of hidden forces, -1 to 1.
    numbers: Vec<f64>,
}

/// A direction, all equally likely.
fn direction(stream: &mut ChaCha8Rng) -> Vec3 {
    let z = 2.0 * stream.random::<f64>() - 1.0;
    let angle = std::f64::consts::TAU * stream.random::<f64>();
    let across = (1.0 - z * z).sqrt();
    Vec3::new(across * libm::cos(angle), across * libm::sin(angle), z)
}

impl Wished {
    /// Any key frames.
    pub fn draw(stream: &mut ChaCha8Rng) -> Wished {
        Wished {
            wish: pick(stream, &Wish::ALL),
            direction: direction(stream),
            amount: stream.random(),
            shrinks: stream.random(),
            numbers: (0..INTERVALS * NUMBERS).map(|_| 2.0 * stream.random::<f64>() - 1.0).collect(),
        }
    }

    /// The key frames of a sheet, each of the free particles in its place, with the weights that make the whole of them cost 1/2
    /// where nothing is forced, and their root mean square distance from that run \[m\].
    ///
    /// # Errors
    /// A run that does not converge.
    pub fn keyframes(&self, sheet: &Sheet, model: &Model) -> Result<(Vec<KeyFrame>, f64), NoGradient> {
        let steps = [sheet.steps / 2, sheet.steps];
        let free = free(model);
        let alone = looks(sheet, model, Forces::default(), &[], steps)?;
        let wanted = match self.wish {
            Wish::Hidden => {
                let forces = sheet.forces(free.clone(), INTERVALS).unwrap_or_default();
                let u = self.hidden(model, &free);
                looks(sheet, model, forces, &u, steps)?
            }
            _ => alone.each_ref().map(|x| self.posed(x, &free)),
        };
        let keyframes = wanted_at(steps, &wanted, &free, &alone);
        let square = keyframes.iter().zip(&alone).fold(0.0, |sum, (keyframe, x)| sum + keyframe.square(x));
        Ok((keyframes, (square / (2 * free.len()) as f64).sqrt()))
    }

    /// Forces over intervals that are linear over the cloth as it was cut, in units of the weight of the particles \[N\].
    fn hidden(&self, model: &Model, free: &[usize]) -> Vec<Vec3> {
        let (rest, masses) = (model.rest(), model.system().masses());
        let of = |numbers: &[f64], particle: usize| {
            let [a, b] = [rest[particle].x, rest[particle].y].map(|q| q / LENGTH - 0.5);
            let component = |q: usize| numbers[3 * q] + a * numbers[3 * q + 1] + b * numbers[3 * q + 2];
            masses[particle] * GRAVITY * Vec3::new(component(0), component(1), component(2))
        };
        self.numbers.chunks(NUMBERS).flat_map(|numbers| free.iter().map(move |particle| of(numbers, *particle))).collect()
    }

    /// A state's free particles shifted, turned or scaled \[m\].
    fn posed(&self, x: &[Vec3], free: &[usize]) -> Vec<Vec3> {
        let centre = free.iter().fold(Vec3::zeros(), |sum, particle| sum + x[*particle]) / free.len() as f64;
        let within = |[low, high]: [f64; 2]| low + self.amount * (high - low);
        let turn = RigidMotion { turn: within(TURN) * self.direction, ..RigidMotion::STILL }.pose(1.0);
        let pose = |x: &Vec3| match self.wish {
            Wish::Hidden => *x,
            Wish::Shifted => x + within(SHIFT) * LENGTH * self.direction,
            Wish::Turned => centre + turn.turned(x - centre),
            Wish::Scaled if self.shrinks => centre + (x - centre) / within(SCALE),
            Wish::Scaled => centre + within(SCALE) * (x - centre),
        };
        x.iter().map(pose).collect()
    }
}

/// Positions of a run under forces after some steps, two of them.
pub fn looks(sheet: &Sheet, model: &Model, forces: Forces, u: &[Vec3], steps: [usize; 2]) -> Result<[Vec<Vec3>; 2], NoGradient> {
    let system = model.differentiable();
    let (mut looks, mut taken) = ([vec![], vec![]], 0);
    Adjoint::new(system, sheet.task(model, forces, vec![], 0.0))?.run(system, u, |state| {
        for (look, _) in looks.iter_mut().zip(steps).filter(|(_, step)| *step == taken) {
            look.clone_from(&state.x);
        }
        taken += 1;
    })?;
    Ok(looks)
}

/// Key frames of particles, with the weights that make all of them together cost 1/2 in the states `alone`.
pub fn wanted_at(steps: [usize; 2], wanted: &[Vec<Vec3>; 2], particles: &[usize], alone: &[Vec<Vec3>; 2]) -> Vec<KeyFrame> {
    let keyframe = |(step, x): (usize, &Vec<Vec3>)| {
        let places = particles.iter().map(|particle| (*particle, x[*particle])).collect();
        KeyFrame { step, places, weight: 1.0 }
    };
    let mut keyframes: Vec<KeyFrame> = steps.into_iter().zip(wanted).map(keyframe).collect();
    let square = keyframes.iter().zip(alone).fold(0.0, |sum, (keyframe, x)| sum + keyframe.square(x));
    keyframes.iter_mut().for_each(|keyframe| keyframe.weight = 1.0 / square); // w/2 sum |x - x*|² = 1/2
    keyframes
}

impl Where {
    /// What forces cost over what is asked for \[-\].
    pub fn price(self) -> f64 {
        if self == Where::Cheap { 0.01 } else { 1.0 }
    }

    /// Those of a sheet.
    pub fn particles(self, sheet: &Sheet, model: &Model) -> Vec<usize> {
        let free = free(model);
        match self {
            Where::All | Where::Cheap => free,
            Where::Edge => free.into_iter().filter(|particle| particle / sheet.side == sheet.side - 1).collect(),
            Where::Quarter => free.into_iter().step_by(4).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheets::tests::SHEET;
    use super::*;

    fn wished(wish: Wish) -> Wished {
        let mut stream = lab::measure::streams::stream("control", "tests", 1, 0);
        Wished { wish, amount: 0.5, shrinks: true, ..Wished::draw(&mut stream) }
    }

    #[test]
    fn poses_by_hand() {
        let (x, free) = ([Vec3::zeros(), Vec3::x(), 3.0 * Vec3::x()], [1, 2]);
        let along = |wish, direction| Wished { direction, ..wished(wish) }.posed(&x, &free);
        let near = |a: Vec3, b: Vec3| assert!((a - b).norm() < 1e-15, "{a} {b}");
        near(along(Wish::Shifted, Vec3::y())[1], Vec3::new(1.0, 0.25 * LENGTH, 0.0));
        near(along(Wish::Scaled, Vec3::y())[2], Vec3::new(2.0 + 1.0 / 1.275, 0.0, 0.0));
        near(along(Wish::Turned, Vec3::z())[1], Vec3::new(2.0 - libm::cos(0.9), -libm::sin(0.9), 0.0));
    }

    #[test]
    fn key_frames_cost_a_half_where_nothing_is_forced() {
        let model = SHEET.model().unwrap();
        for wish in Wish::ALL {
            let (keyframes, distance) = wished(wish).keyframes(&SHEET, &model).unwrap();
            let task = SHEET.task(&model, Forces::default(), keyframes, 0.0);
            let system = model.differentiable();
            let value = Adjoint::new(system, task).unwrap().run(system, &[], |_| {}).unwrap();
            assert!((value - 0.5).abs() < 1e-12 && distance > 1e-3, "{wish}: {value}, {distance} m");
            assert!(wish != Wish::Shifted || (distance / (0.25 * LENGTH) - 1.0).abs() < 1e-9, "all of it is shifted");
        }
    }

    #[test]
    fn particles_that_are_forced() {
        let model = SHEET.model().unwrap();
        assert_eq!(Where::All.particles(&SHEET, &model), (5..25).collect::<Vec<_>>());
        assert_eq!(Where::Edge.particles(&SHEET, &model), [20, 21, 22, 23, 24]);
        assert_eq!(Where::Quarter.particles(&SHEET, &model), [5, 9, 13, 17, 21]);
    }
}
