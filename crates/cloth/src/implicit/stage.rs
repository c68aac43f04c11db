use linsolve::{BlockRows, Constraint};

use super::cuts::Cutting;
use super::line_search::{HALVINGS, Merit, Value};
use super::linear::{Form, Right, Solution, SolvedSystem, form};
use super::momentum::FreePieces;
use super::{Newton, Settings, Splitting, Work};
use crate::contact::{Contacts, Motion};
use crate::{Linearisation, Mat3, Memory, State, System, Terms, Vec3};

/// What stands before forces and velocities in the equation of a stage \[s\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// h, of the forces in the velocities.
    pub h: f64,
    /// g, of the velocities in the positions.
    pub g: f64,
}

impl Weights {
    /// h in both places.
    pub fn equal(h: f64) -> Weights {
        Weights { h, g: h }
    }
}

/// The equation that every implicit scheme solves in a step: v = V + h M⁻¹ (e + f(X + g v, v)), x = X + g v, with given X, V,
/// h, g and explicit forces e, for the forces f of the implicit couplings. Contacts that alter positions by y add it to X, which is
/// K y in the linear system \[Baraff & Witkin 1998\]. Owns all memory that this takes.
pub(crate) struct Stage {
    settings: Settings,
    /// Which couplings are implicit in this step.
    pub implicit: Vec<bool>,
    /// What they were chosen for, where that does not depend on the state.
    chosen: Option<(Splitting, f64)>,
    cutting: Option<Cutting>,
    /// Explicit forces e \[N\], to be filled before a solve.
    pub explicit: Vec<Vec3>,
    /// What was done so far.
    pub work: Work,
    b: Vec<Vec3>,
    dv: Vec<Vec3>,
    z: Vec<Vec3>,
    left: Vec<Vec3>,
    constraints: Vec<Constraint>,
    linear: Box<dyn Form>,
    next: State,
    /// k L² of the system, see [`System::strain_energy`].
    strain_energy: Option<f64>,
    /// Strain that the last linear system did not foresee, where that is looked at.
    unforeseen: Option<f64>,
    /// What the last linear system took.
    last: Option<Last>,
    /// Contacts with solids, if there are any.
    pub contacts: Option<Contacts>,
    /// X + y and V where contacts alter positions.
    altered: Option<State>,
    /// What nothing holds, where solves are to leave its momentum exact.
    pieces: Option<FreePieces>,
}

/// What a linear system took.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// Of the step \[s\].
    dt: f64,
    work: Work,
    /// What the estimate of eᵀ A e was to come down to, and came down to \[kg m²/s²\].
    asked: Option<f64>,
    left: Option<f64>,
    starts_anew: bool,
}

impl Stage {
    /// For a system of the size and the couplings of `system`.
    pub fn new(system: &dyn System, settings: Settings) -> Stage {
        let count = system.particle_count();
        let zeros = vec![Vec3::zeros(); count];
        Stage {
            settings,
            implicit: vec![true; system.coupling_count()],
            chosen: None,
            cutting: settings.cuts.map(|cuts| Cutting::new(system, cuts)),
            explicit: zeros.clone(),
            work: Work::default(),
            linear: form(system, &settings),
            b: zeros.clone(),
            dv: zeros.clone(),
            z: zeros.clone(),
            left: zeros.clone(),
            constraints: vec![Constraint::Free; count],
            next: State::at_rest(zeros),
            strain_energy: system.strain_energy(),
            unforeseen: None,
            last: None,
            contacts: None,
            altered: None,
            pieces: settings.solver.keeps_momentum().then(|| FreePieces::of(system)).flatten(),
        }
    }

    /// Chooses the implicit couplings of a step and evaluates the forces of the others at a state.
    pub fn split(&mut self, system: &dyn System, splitting: &Splitting, dt: f64, state: &State) {
        if self.chosen != Some((*splitting, dt)) {
            system.choose_implicit(splitting, dt, state, &mut self.implicit);
            let stays = self.cutting.is_none() && !system.choices_follow(splitting);
            self.chosen = stays.then_some((*splitting, dt));
        }
        if let Some(cutting) = &mut self.cutting {
            self.work.cut += cutting.cut(system, state, &mut self.implicit) as u64;
        }
        self.explicit.fill(Vec3::zeros());
        self.linear.add_explicit_forces(system, &self.implicit, state, &mut self.explicit);
        self.work.count_forces(&self.implicit);
    }

    /// Replaces `state`, at which the equation is linearised first, by the solution for X = `base.x` and V = `base.v`, or for the
    /// state itself where there is no `base`.
    pub fn solve(&mut self, system: &dyn System, dt: f64, weights: Weights, base: Option<&State>, state: &mut State) {
        let Weights { h, g } = weights;
        let base = base.unwrap_or(state);
        for (constraint, pinned) in self.constraints.iter_mut().zip(system.pinned()) {
            *constraint = if *pinned { Constraint::Fixed } else { Constraint::Free };
        }
        system.guides().iter().for_each(|(particle, guide)| self.constraints[*particle] = *guide);
        self.z.fill(Vec3::zeros());
        let motion = Motion { h: g, masses: system.masses(), x: &state.x, v: &state.v };
        if let Some(contacts) = &mut self.contacts {
            contacts.constrain(&motion, &mut self.constraints, &mut self.z, &mut self.explicit);
        }
        let mut altered = None;
        if let Some(contacts) = self.contacts.as_ref().filter(|contacts| contacts.alters()) {
            let moved: &mut State = altered.insert(self.altered.take().unwrap_or_else(|| base.clone()));
            moved.copy_from(base);
            contacts.alter(&mut moved.x); // X = x_n + y
        }
        let base = altered.as_ref().unwrap_or(base);
        self.next.copy_from(state);
        self.iterate(system, dt, weights, base);
        if let Some(mut contacts) = self.contacts.take() {
            self.forces_of_constraints(h);
            if contacts.revises() && contacts.revise(&motion, &self.left, &self.next.v, &mut self.explicit) {
                self.work.revised += 1;
                self.z.fill(Vec3::zeros());
                contacts.prescribe(&mut self.constraints, &mut self.z);
                self.next.copy_from(state);
                self.iterate(system, dt, weights, base);
                self.forces_of_constraints(h);
            }
            contacts.settle(&self.left);
            contacts.watch(&state.x, &self.next.x);
            self.contacts = Some(contacts);
        }
        self.altered = altered;
        std::mem::swap(state, &mut self.next);
        let before = &self.next;
        for (i, _) in system.pinned().iter().enumerate().filter(|(_, pinned)| **pinned) {
            state.v[i] = before.v[i];
            if before.v[i] == Vec3::zeros() {
                state.x[i] = before.x[i];
            }
        }
    }

    /// Goes from where the velocities stand to the solution, in one linear step or until Newton's converge.
    fn iterate(&mut self, system: &dyn System, dt: f64, weights: Weights, base: &State) {
        let (limit, tolerance) = match self.settings.newton {
            Newton::Once => (1, f64::INFINITY),
            Newton::Foreseen { limit, .. } => (limit, 0.0),
            Newton::Converged { tolerance, limit } | Newton::Descending { tolerance, limit } => (limit, tolerance),
        };
        let mut value = self.begin_descent(system, weights, base);
        let mut converged = false;
        for iteration in 0..limit {
            if iteration > 0 {
                for (z, dv) in self.z.iter_mut().zip(&mut self.dv) {
                    *z -= *dv; // what is left of a prescribed change
                    *dv = Vec3::zeros();
                }
            }
            let indefinite = self.work.indefinite;
            let mut is_solved = self.solve_linearised(system, dt, weights, base, self.settings.terms);
            if !is_solved && value.is_some() && self.settings.terms != Terms::Filtered {
                self.work.indefinite = indefinite;
                self.work.filtered += 1;
                self.dv.fill(Vec3::zeros());
                is_solved = self.solve_linearised(system, dt, weights, base, Terms::Filtered);
            }
            let change = match self.settings.newton {
                Newton::Once => 0.0,
                Newton::Foreseen { .. } | Newton::Converged { .. } | Newton::Descending { .. } => largest_change(&self.dv),
            };
            if let Newton::Foreseen { strain, .. } = self.settings.newton {
                self.left.copy_from_slice(&self.next.x); // where it is linearised
                self.follow(1.0, weights.g, base);
                let unforeseen = system.unforeseen_strain(weights.h * weights.g, &self.left, &self.next.x, TOLD * strain);
                self.unforeseen = Some(unforeseen);
                if change.is_finite() && unforeseen > strain {
                    continue;
                }
                break;
            }
            self.follow(1.0, weights.g, base);
            if let Some(begin) = value
                && change.is_finite()
            {
                value = self.shorten(system, weights, base, begin);
            }
            converged = is_solved && change <= tolerance; // a system without solution changes nothing either
            if change <= tolerance || !change.is_finite() {
                break;
            }
        }
        if !converged && self.settings.newton.converges() {
            self.work.newton_limited += 1;
        }
    }

    /// Leaves the forces of the constraints \[N\]: W dv = b + h f_c, so that they are minus the unprojected residual of the last system
    /// over h.
    fn forces_of_constraints(&mut self, h: f64) {
        self.linear.apply(&self.dv, &mut self.left);
        self.work.count_product(&self.constraints);
        self.left.iter_mut().zip(&self.b).for_each(|(left, b)| *left = (b - *left) / -h);
    }

    /// Linearises where the velocities stand and solves for their change, in a step of `dt`; whether there is one.
    fn solve_linearised(&mut self, system: &dyn System, dt: f64, weights: Weights, base: &State, terms: Terms) -> bool {
        self.linearise(system, weights, base, terms);
        let right = Right { b: &self.b, constraints: &self.constraints, z: &self.z };
        let before = self.work;
        self.work.solves += 1;
        let gradients = self.settings.solver.gradients(dt, self.strain_energy);
        if let Some(pieces) = &mut self.pieces {
            pieces.correct(system.masses(), weights.h, &self.b, &self.constraints, &mut self.dv); // a start of its own
        }
        let Solution { is_solved, error, starts_anew } = self.linear.solve(&right, &gradients, &mut self.dv, &mut self.work);
        if let Some(pieces) = &mut self.pieces {
            let products = pieces.turn((system.masses(), weights.h), (&self.next.x, &self.b), &mut *self.linear, &mut self.dv);
            (0..products).for_each(|_| self.work.count_product(&self.constraints));
            pieces.correct(system.masses(), weights.h, &self.b, &self.constraints, &mut self.dv);
        }
        self.last = Some(Last { dt, work: self.work - before, asked: gradients.error, left: error, starts_anew });
        is_solved
    }

    /// Goes a share of the change: v + share dv, x = X + g v.
    fn follow(&mut self, share: f64, g: f64, base: &State) {
        let State { x, v } = &mut self.next;
        for (((x, v), dv), start) in x.iter_mut().zip(v).zip(&self.dv).zip(&base.x) {
            *v += share * dv;
            *x = start + g * *v; // x = X + g v
        }
    }

    /// Where Newton descends, its start: positions where they stand, with the velocities (x - X) / g that lead there, and the energy
    /// there; none where ways are gone whole.
    fn begin_descent(&mut self, system: &dyn System, weights: Weights, base: &State) -> Option<Value> {
        let descends = matches!(self.settings.newton, Newton::Descending { .. });
        if !descends || weights.g == 0.0 || self.contacts.is_some() || self.implicit.contains(&false) {
            return None;
        }
        system.potential(&self.next.x, &self.next.v)?;
        let State { x, v } = &mut self.next;
        for (i, pinned) in system.pinned().iter().enumerate() {
            match pinned {
                true => x[i] = base.x[i] + weights.g * v[i],
                false => v[i] = (x[i] - base.x[i]) / weights.g,
            }
        }
        self.dv.fill(Vec3::zeros());
        Merit { system, weights, base, explicit: &self.explicit }.at(&self.next)
    }

    /// Halves the change just gone until the energy has fallen from what it was at its `begin`; the energy there.
    fn shorten(&mut self, system: &dyn System, weights: Weights, base: &State, begin: Value) -> Option<Value> {
        let mut slope = 0.0; // of the energy over the whole way, -bᵀ dv
        for (b, dv) in self.b.iter().zip(&self.dv) {
            slope -= b.dot(dv);
        }
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            self.work.count_all_forces(self.implicit.len());
            let end = Merit { system, weights, base, explicit: &self.explicit }.at(&self.next)?;
            if end.is_below(begin, share * slope.min(0.0)) {
                return Some(end);
            }
            share *= 0.5;
            self.work.halvings += 1;
            self.follow(-share, weights.g, base); // back to the middle of the way
        }
        Some(begin)
    }

    /// Takes back what is remembered of a step that was rejected: contacts, and the change that the next solve would start from.
    pub fn reject(&mut self) {
        self.dv.fill(Vec3::zeros());
        if let Some(contacts) = &mut self.contacts {
            contacts.take_back();
        }
    }

    /// Writes down, or reads back, contacts, and the change that the next solve starts from.
    pub fn remember(&mut self, memory: &mut Memory) {
        memory.vectors(&mut self.dv);
        self.contacts.iter_mut().for_each(|contacts| contacts.remember(memory));
    }

    /// W dv = M (V - v) + h (e + f + K w), W = M - h D - h g K, at (x, v), with w = X + g v - x the way from where the forces are
    /// linearised to where they are wanted. For backward Euler from (x_n, v_n) this is (4.11) of \[Boxerman 2003\].
    fn linearise(&mut self, system: &dyn System, Weights { h, g }: Weights, base: &State, terms: Terms) {
        let State { x, v } = &self.next;
        for (((left, start), x), v) in self.left.iter_mut().zip(&base.x).zip(x).zip(v) {
            *left = start + g * v - x;
        }
        for ((((b, m), start), v), explicit) in self.b.iter_mut().zip(system.masses()).zip(&base.v).zip(v).zip(&self.explicit) {
            *b = *m * (start - v) + h * explicit;
        }
        let point = Linearisation { x, v, w: &self.left, h, g, terms };
        self.linear.linearise(system, &point, &self.implicit, &mut self.b);
        self.work.count_linearised(&self.implicit);
    }

    /// The last linear system; none before the first one.
    pub fn last_system(&self) -> Option<SolvedSystem<'_>> {
        let Last { dt, work, asked, left, starts_anew } = self.last?;
        let right = Right { b: &self.b, constraints: &self.constraints, z: &self.z };
        Some(SolvedSystem {
            system: self.linear.system(&right),
            solution: &self.dv,
            dt,
            work,
            strain_left: left.zip(self.strain_energy).map(|(left, energy)| (left / energy).sqrt()),
            unforeseen: self.unforeseen,
            starts_anew,
            error: asked,
        })
    }

    /// Groups of the particles in the last linear system: 0 for those that are fully constrained, components from 1; none
    /// where systems are solved as a whole.
    pub fn groups(&self) -> Option<&[u32]> {
        self.linear.groups()
    }
}

/// Share of the strain that is solved for again, from which on it is told \[-\].
const TOLD: f64 = 0.3;

/// The largest component of all changes \[m/s\]; infinite where one is not a number.
fn largest_change(dv: &[Vec3]) -> f64 {
    let largest = |change: f64, dv: &Vec3| if dv.iter().any(|dv| dv.is_nan()) { f64::INFINITY } else { change.max(dv.amax()) };
    dv.iter().fold(0.0, largest)
}

/// Adds the block B of a coupling between the particles i and j to a matrix: B at (i, i) and (j, j), -B at (i, j) and (j, i).
pub(crate) fn add_coupling(a: &mut BlockRows, coupling: usize, (i, j): (usize, usize), block: &Mat3) {
    a.add_diagonal(i, block);
    a.add_diagonal(j, block);
    a.add_pair(coupling, &-block);
}

/// Adds linear air resistance \[N s/m\] of every particle, linearised: -ka v, with D = -ka I.
pub(crate) fn add_air(a: &mut BlockRows, b: &mut [Vec3], air: f64, &Linearisation { v, h, .. }: &Linearisation) {
    if air > 0.0 {
        for (i, v) in v.iter().enumerate() {
            b[i] -= h * air * v;
            a.add_diagonal(i, &(h * air * Mat3::identity()));
        }
    }
}
