use super::Integrator;
use crate::implicit::Work;
use crate::quantity::Positive;
use crate::{Memory, State, System, Vec3};

/// The Runge-Kutta pair of orders 3 and 2 \[Bogacki & Shampine 1989\] on (x, v)' = (v, M⁻¹ f): a step is taken in parts whose
/// error, the difference of both orders, stays within a tolerance.
///
/// The length of parts has hysteresis: it stays as long as the error lies in a band below the tolerance, and is chosen anew, for an
/// error in the middle of the band, only where it leaves the band. Parts of one step are equal as long as it stays, and end with
/// the step.
pub struct BogackiShampine {
    tolerance: f64,
    /// Length of the next part \[s\]; none before the first one.
    length: Option<f64>,
    /// (v, M⁻¹ f) at the four stages.
    k: [State; 4],
    /// The end of a part.
    next: State,
    work: Work,
}

/// Stages: Y = y_n + h sum_j a_j k_j, the last of them y_{n+1}, whose derivative is the first one of the next part.
const STAGES: [[f64; 3]; 3] = [[1.0 / 2.0, 0.0, 0.0], [0.0, 3.0 / 4.0, 0.0], [2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0]];

/// y_{n+1} less the solution of order 2, whose weights are 7/24, 1/4, 1/3 and 1/8, over h.
const ERROR: [f64; 4] = [-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -1.0 / 8.0];

/// Errors over the tolerance below which parts become longer, and which their new length aims at: an assumption.
const BAND: f64 = 0.1;
const MIDDLE: f64 = 0.5;

/// Least and greatest factor by which a length changes.
const CHANGES: [f64; 2] = [0.2, 5.0];

/// Most parts of a step; one as short as that is accepted whatever its error.
const MOST_PARTS: f64 = 16384.0;

impl BogackiShampine {
    /// Most of the error, if nothing is said \[m\]: an assumption.
    pub const TOLERANCE: Positive = Positive::known(1e-5);

    /// For a system of `particle_count` particles. In no part of a step `dt` is the error of a position above `tolerance` \[m\],
    /// nor that of a velocity above `tolerance` / `dt`.
    pub fn new(particle_count: usize, tolerance: Positive) -> BogackiShampine {
        let zeros = State::at_rest(vec![Vec3::zeros(); particle_count]);
        BogackiShampine {
            tolerance: tolerance.get(),
            length: None,
            k: std::array::from_fn(|_| zeros.clone()),
            next: zeros,
            work: Work::default(),
        }
    }

    /// Length of the next part \[s\]; none before the first step.
    pub fn length(&self) -> Option<f64> {
        self.length
    }

    /// Takes a part of `h` \[s\] from `state`, whose derivative is the first one, to `next`; its error in a step `dt` over the
    /// tolerance \[-\], not a number where one is not.
    fn attempt(&mut self, system: &dyn System, h: f64, dt: f64, state: &State) -> f64 {
        let next = &mut self.next;
        for (stage, a) in STAGES.iter().enumerate() {
            let (before, after) = self.k.split_at_mut(stage + 1);
            next.copy_from(state);
            for (a, k) in a.iter().zip(&*before) {
                add(next, h * a, k); // Y = y_n + h sum_j a_j k_j
            }
            evaluate(system, next, &mut after[0]);
        }
        self.work.evaluations += STAGES.len() as u64;
        let mut largest: f64 = 0.0;
        for i in 0..state.particle_count() {
            let (mut x, mut v) = (Vec3::zeros(), Vec3::zeros());
            for (e, k) in ERROR.iter().zip(&self.k) {
                x += h * e * k.x[i]; // h sum_j e_j k_j
                v += h * e * k.v[i];
            }
            for error in [x.norm(), dt * v.norm()] {
                largest = if error > largest || error.is_nan() { error } else { largest }; // a NaN stays: nothing is above it
            }
        }
        largest / self.tolerance
    }
}

/// Overwrites `k` with (v, M⁻¹ f) at `state`.
fn evaluate(system: &dyn System, state: &State, k: &mut State) {
    k.x.copy_from_slice(&state.v);
    system.accelerate(&state.x, &state.v, &mut k.v);
}

/// y += h k.
fn add(y: &mut State, h: f64, k: &State) {
    for (y, k) in y.x.iter_mut().zip(&k.x).chain(y.v.iter_mut().zip(&k.v)) {
        *y += h * k;
    }
}

/// What a length is multiplied by, so that an error over the tolerance comes to the middle of the band: it goes with h³.
fn change(error: f64) -> f64 {
    let [least, greatest] = CHANGES;
    if error.is_nan() { least } else { libm::cbrt(MIDDLE / error).clamp(least, greatest) }
}

impl Integrator for BogackiShampine {
    fn order(&self) -> u32 {
        3
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        self.step_telling(system, dt, state, &mut || ());
    }

    fn step_telling(&mut self, system: &dyn System, dt: f64, state: &mut State, beyond: &mut dyn FnMut()) {
        let (mut left, mut length) = (dt, self.length.map_or(dt, |length| length.clamp(dt / MOST_PARTS, dt)));
        evaluate(system, state, &mut self.k[0]);
        self.work.evaluations += 1;
        while left > 0.0 {
            let parts = (left / length).ceil().clamp(1.0, MOST_PARTS);
            let h = left / parts;
            let error = self.attempt(system, h, dt, state);
            let within = error <= 1.0;
            let shortest = length * MOST_PARTS <= dt;
            if !within && !shortest {
                self.work.rejected += 1;
                length = (h * change(error)).max(dt / MOST_PARTS);
                continue;
            }
            if !within {
                self.work.accepted_beyond += 1;
                beyond();
            }
            std::mem::swap(state, &mut self.next);
            self.k.swap(0, 3); // the first stage is the last one of the part before
            left = if parts == 1.0 || error.is_nan() { 0.0 } else { left - h };
            let shorter = length / h;
            let whole = error * shorter * shorter * shorter; // of a part of the whole length
            if whole < BAND {
                length = (length * change(whole)).min(dt);
            }
        }
        self.length = Some(length);
    }

    fn remember(&mut self, memory: &mut Memory) {
        let mut length = self.length.unwrap_or(0.0); // no length is zero
        memory.number(&mut length);
        self.length = (length > 0.0).then_some(length);
    }

    fn work(&self) -> Work {
        self.work
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oscillator::Oscillator;

    fn scheme(tolerance: f64) -> BogackiShampine {
        BogackiShampine::new(1, Positive::try_from(tolerance).unwrap())
    }

    fn unit_state() -> State {
        State { x: vec![Vec3::x()], v: vec![0.5 * Vec3::x()] }
    }

    #[test]
    fn a_part_by_hand() {
        // x'' = -4 x - 2 x' from (1, 0.5), whose derivatives are -5, 8, 4, -40: Taylor polynomials of degree 3, and the error
        // -(h³ y''' + h⁴ y'''') / 48, with h = 0.1 of 1.75e-4 in x and of nothing in v
        let oscillator = Oscillator { mass: 1.0, ks: 4.0, kd: 2.0 };
        let (mut whole, mut state) = (scheme(1.7501e-4), unit_state());
        whole.step(&oscillator, 0.1, &mut state);
        assert!((state.x[0].x - (1.025 + 0.008 / 6.0)).abs() < 1e-15 && (state.v[0].x - (0.04 + 0.004 / 6.0)).abs() < 1e-15);
        assert_eq!((whole.work().evaluations, whole.work().rejected, whole.length()), (4, 0, Some(0.1)));
        // a little less is too little: parts as long as half of the tolerance asks for, which are two equal ones
        let (mut parts, mut state) = (scheme(1.7499e-4), unit_state());
        parts.step(&oscillator, 0.1, &mut state);
        assert_eq!((parts.work().evaluations, parts.work().rejected), (1 + 3 * 3, 1));
        let length = 0.1 * libm::cbrt(0.5 * 1.7499 / 1.75);
        assert!((parts.length().unwrap() - length).abs() < 1e-8, "{:?}", parts.length());
        let (mut halves, mut expected) = (scheme(1.0), unit_state());
        (0..2).for_each(|_| halves.step(&oscillator, 0.05, &mut expected));
        assert!((state.x[0] - expected.x[0]).norm() < 1e-15 && (state.v[0] - expected.v[0]).norm() < 1e-15);
    }

    #[test]
    fn it_is_of_its_declared_order_where_the_tolerance_does_not_matter() {
        let oscillator = Oscillator::with_damping_ratio(3.0, 0.2);
        let run = |steps: u32| {
            let (mut loose, mut state) = (scheme(1e10), unit_state());
            (0..steps).for_each(|_| loose.step(&oscillator, 1.0 / f64::from(steps), &mut state));
            assert_eq!(loose.work().evaluations, 4 * u64::from(steps));
            state
        };
        let exact = run(6400);
        let error = |steps| {
            let state = run(steps);
            [(state.x[0] - exact.x[0]).norm(), (state.v[0] - exact.v[0]).norm()]
        };
        let (coarse, fine) = (error(50), error(100));
        for k in 0..2 {
            let order = libm::log2(coarse[k] / fine[k]);
            assert!((order - f64::from(scheme(1.0).order())).abs() < 0.12, "order {order} of component {k}");
        }
    }

    /// 2 s of an undamped oscillator of 5 1/s in steps of 1/4 s: the error at the end, the parts, and how often their length
    /// changed.
    fn swing(tolerance: f64) -> (f64, u64, usize) {
        let oscillator = Oscillator::with_damping_ratio(5.0, 0.0);
        let (mut following, mut state) = (scheme(tolerance), State::at_rest(vec![Vec3::x()]));
        let mut lengths = vec![];
        for _ in 0..8 {
            following.step(&oscillator, 0.25, &mut state);
            lengths.extend(following.length());
        }
        let work = following.work();
        assert_eq!(work.accepted_beyond, 0);
        let changes = lengths.windows(2).filter(|pair| pair[0] != pair[1]).count();
        ((state.x[0].x - libm::cos(10.0)).abs(), (work.evaluations - 8) / 3 - work.rejected, changes)
    }

    #[test]
    fn errors_follow_the_tolerance_and_lengths_stay() {
        let runs = [1e-3, 1e-5, 1e-7].map(swing);
        for (tolerance, (error, parts, changes)) in [1e-3, 1e-5, 1e-7].into_iter().zip(runs) {
            assert!(error < 30.0 * tolerance && parts > 8, "{tolerance}: {error} in {parts} parts");
            assert!(changes <= 2, "{tolerance}: the length changed {changes} times");
        }
        // a hundredth of the error a part asks for parts of 100^(-1/3) of the length
        let growth = [runs[1].1 as f64 / runs[0].1 as f64, runs[2].1 as f64 / runs[1].1 as f64];
        assert!(growth.iter().all(|growth| (3.0..7.0).contains(growth)), "{growth:?}");
    }

    #[test]
    fn a_step_far_beyond_the_limit_of_stability_is_taken_in_parts() {
        let stiff = Oscillator { mass: 1.0, ks: 1e6, kd: 10.0 }; // explicit schemes are stable below about 2e-3 s
        let (mut following, mut state) = (scheme(1e-4), unit_state());
        for _ in 0..10 {
            following.step(&stiff, 0.1, &mut state);
        }
        assert!(state.x[0].norm() < 1e-2 && following.work().rejected > 2, "{state:?} {:?}", following.work());
        assert_eq!(following.work().accepted_beyond, 0);
    }

    #[test]
    fn what_no_length_helps_ends_and_is_told() {
        let mut told = 0;
        let (mut lost, mut state) = (scheme(1e-6), unit_state());
        state.x[0].y = f64::NAN;
        lost.step_telling(&Oscillator::with_damping_ratio(1.0, 0.0), 0.1, &mut state, &mut || told += 1);
        assert!(!state.is_finite() && told == 1 && lost.work().evaluations < 100, "{:?}", lost.work());
        // nor one whose error cannot be as small as that
        let (mut asked, mut state) = (scheme(1e-20), unit_state());
        asked.step(&Oscillator::with_damping_ratio(1.0, 0.0), 1.0, &mut state);
        assert!(state.is_finite() && asked.work().accepted_beyond > 1000, "{:?}", asked.work());
        assert!((state.x[0].x - (libm::cos(1.0) + 0.5 * libm::sin(1.0))).abs() < 1e-11);
    }
}
