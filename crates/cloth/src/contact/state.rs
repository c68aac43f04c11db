use linsolve::Constraint;

use super::clearances::Clearances;
use super::{Friction, Solid};
use crate::{Memory, Vec3};

/// How a particle touches a solid.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum ContactState {
    /// It does not.
    #[default]
    Free,
    /// Held: ndof 0.
    Sticking,
    /// Held along the normal: ndof 2.
    Sliding,
    /// Let go, since the solid would have to pull it.
    Released,
}

impl ContactState {
    const ALL: [ContactState; 4] = [ContactState::Free, ContactState::Sticking, ContactState::Sliding, ContactState::Released];
}

/// The contact of a particle in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// How it touches.
    pub state: ContactState,
    /// Steps that it has been sticking for.
    steps_sticking: u32,
    /// True where its state was corrected in this step.
    revised: bool,
    /// Whether it broke loose and has not been fast since: it slides, however slowly.
    loose: bool,
    /// Outward unit normal of the solid.
    pub normal: Vec3,
    /// Force of the constraint on the particle \[N\], friction of sliding included.
    pub force: Vec3,
    /// Friction of sliding \[N\].
    friction: Vec3,
    /// Law of the solid that it touches.
    law: Friction,
    /// Speed along the normal that leads it to the surface \[m/s\], and the force along it that changed this speed \[N\]: nothing
    /// of either presses on the solid.
    recovery: f64,
    recovering: f64,
    /// y along the normal, by which the step moves it beside its velocity \[m\].
    alteration: f64,
    /// Its velocity when the step began \[m/s\].
    velocity: Vec3,
    /// Force that presses it on the solid \[N\], below zero where the constraint pulls, and the part of it that stopped its fall when
    /// it came there.
    pressing: f64,
    landing: f64,
}

impl Touch {
    fn is_held(&self) -> bool {
        matches!(self.state, ContactState::Sticking | ContactState::Sliding)
    }

    /// Writes itself down, or reads itself back, but for the law, which the next step looks up.
    fn remember(&mut self, memory: &mut Memory) {
        let (mut state, mut steps) = (self.state as u64, u64::from(self.steps_sticking));
        memory.count(&mut state);
        memory.count(&mut steps);
        self.state = ContactState::ALL.into_iter().find(|known| *known as u64 == state).unwrap_or_default();
        self.steps_sticking = steps as u32;
        [&mut self.revised, &mut self.loose].into_iter().for_each(|flag| memory.flag(flag));
        for vector in [&mut self.normal, &mut self.force, &mut self.friction, &mut self.velocity] {
            memory.vectors(std::slice::from_mut(vector));
        }
        for number in [&mut self.recovery, &mut self.recovering, &mut self.pressing, &mut self.landing] {
            memory.number(number);
        }
    }

    /// The force \[N\] that drew the particle along the solid in that step, friction apart: where it stuck the one that this took,
    /// else what its velocity, now `v`, has gained; `inertia` is m / dt \[kg/s\].
    fn drawing(&self, inertia: f64, v: Vec3) -> Vec3 {
        if self.friction == Vec3::zeros() && self.loose { -self.force } else { inertia * (v - self.velocity) - self.friction }
    }
}

/// The contacts of all particles with the solids, from step to step.
#[derive(Clone, Debug)]
pub struct Contacts {
    solids: Vec<Solid>,
    frictions: Vec<Friction>,
    touches: Vec<Touch>,
    before: Vec<Touch>,
    /// Of the particles when the last step began.
    clearances: Clearances,
    passed: u64,
    passed_before: u64,
    /// Height that is rounding where the last step began \[m\].
    rounding: f64,
    revises: bool,
    alters: bool,
}

/// Where particles are when a step begins.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// Length of the step \[s\].
    pub h: f64,
    /// Particle masses \[kg\].
    pub masses: &'a [f64],
    /// Positions \[m\].
    pub x: &'a [Vec3],
    /// Velocities \[m/s\].
    pub v: &'a [Vec3],
}

/// Share of its depth that a particle is moved to the surface in a step \[Boxerman 2003, 3.4.2\]: not all of it, so that it stays
/// in contact.
const PUSH: f64 = 0.9;

/// Height above the surface below which a particle in contact is held, over the way that it slides in a step: what follows a
/// curved surface leaves it by half the square of its way over the radius.
const REACH: f64 = 0.5;

/// Least cosine between the normals of two steps of one contact: beyond it there is an edge, from which cloth falls.
const SAME_SIDE: f64 = 0.8;

/// Height that is rounding, over the largest coordinate \[-\].
const ROUNDING: f64 = 1e-12;

impl Contacts {
    /// No contact yet, for `particle_count` particles, with one law of friction for all solids.
    pub fn new(particle_count: usize, solids: Vec<Solid>, friction: Friction) -> Contacts {
        Contacts {
            frictions: vec![friction; solids.len()],
            solids,
            touches: vec![Touch::default(); particle_count],
            before: vec![Touch::default(); particle_count],
            clearances: Clearances::new(particle_count),
            passed: 0,
            passed_before: 0,
            rounding: 0.0,
            revises: false,
            alters: false,
        }
    }

    /// Leads particles out of solids by alterations y of positions \[Baraff & Witkin 1998; Stuyck 2018, 5.8\]: x_n+1 = x_n + y + h v,
    /// y = 0.9 of the depth along the normal, inside the linear system. They gain no velocity. Without, a prescribed velocity of y / h
    /// does so, as \[Boxerman 2003, 3.4.2\] has it.
    #[must_use]
    pub fn altering(self) -> Contacts {
        Contacts { alters: true, ..self }
    }

    pub(crate) fn alters(&self) -> bool {
        self.alters
    }

    /// Adds y of the step that [`Contacts::constrain`] began to positions `x` \[m\], shape \[particle_count\].
    pub(crate) fn alter(&self, x: &mut [Vec3]) {
        x.iter_mut().zip(&self.touches).for_each(|(x, touch)| *x += touch.alteration * touch.normal);
    }

    /// Solves a step once more where its forces contradict who was taken to stick, to slide or to touch: further solutions change
    /// little. Without, forces decide about the next step \[Boxerman 2003, 3.4.2\].
    #[must_use]
    pub fn revised(self) -> Contacts {
        Contacts { revises: true, ..self }
    }

    pub(crate) fn revises(&self) -> bool {
        self.revises
    }

    /// No contact yet, with solids that each have their law of friction.
    pub fn between(particle_count: usize, solids: &[(Solid, Friction)]) -> Contacts {
        let frictions = solids.iter().map(|(_, friction)| *friction).collect();
        let solids = solids.iter().map(|(solid, _)| *solid).collect();
        Contacts { frictions, ..Contacts::new(particle_count, solids, Friction::default()) }
    }

    /// What cloth may touch.
    pub fn solids(&self) -> &[Solid] {
        &self.solids
    }

    /// The contact of each particle in the last step, shape \[particle_count\].
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// Particle steps in which cloth passed a solid: it was outside before and after, and in between deeper inside than the
    /// hundredth part of its way. What is less deep has grazed a curved surface.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// Constrains the particles that touch a solid, and adds the friction of those that slide to `f` \[N\].
    ///
    /// `z` gets the prescribed changes of velocity \[m/s\]: along the normal so that a step moves the particle by 0.9 of its depth, or
    /// where positions are altered so that it is at rest along it. All shapes are \[particle_count\].
    pub fn constrain(&mut self, motion: &Motion, constraints: &mut [Constraint], z: &mut [Vec3], f: &mut [Vec3]) {
        let &Motion { h: dt, masses, x, v } = motion;
        if self.solids.is_empty() {
            return;
        }
        std::mem::swap(&mut self.before, &mut self.touches);
        self.passed_before = self.passed;
        self.clearances.fill(&self.solids, x);
        let rounding = ROUNDING * x.iter().map(Vec3::amax).fold(0.0, f64::max);
        self.rounding = rounding;
        for i in 0..x.len() {
            let (distance, normal) = self.clearances.of(i);
            let before = &self.before[i];
            let touch = &mut self.touches[i];
            *touch = Touch { normal, alteration: 0.0, ..*before };
            if constraints[i] != Constraint::Free {
                continue; // what is held, or guided, meets nothing
            }
            let speed = v[i].dot(&normal);
            let tangential = v[i] - speed * normal;
            let held = before.is_held();
            let follows = held && normal.dot(&before.normal) >= SAME_SIDE;
            let reach = if follows { (REACH * dt * tangential.norm()).max(rounding) } else { 0.0 };
            let inside = distance <= reach;
            // what was let go stays free until it comes back towards the solid
            let let_go = touch.state == ContactState::Released && speed >= 0.0;
            if !inside || let_go {
                let state = if inside { ContactState::Released } else { ContactState::Free };
                *touch = Touch { state, normal, ..Touch::default() };
                continue;
            }
            touch.law = law_at(&self.solids, &self.frictions, x[i], distance);
            let way = PUSH * -distance;
            (touch.recovery, touch.alteration) = if self.alters { (0.0, way) } else { (way / dt, 0.0) };
            touch.recovering = masses[i] * (touch.recovery - before.recovery) / dt;
            touch.landing = if held { 0.0 } else { masses[i] * (-speed).max(0.0) / dt };
            touch.velocity = v[i];
            touch.revised = false;
            touch.state = match touch.law {
                Friction::Sticking => ContactState::Sticking,
                Friction::Coulomb(law) => {
                    let slow = tangential.norm() < law.threshold;
                    touch.loose &= slow;
                    // what can be corrected may stick, however fast it comes
                    let sticks = (slow || (self.revises && !held)) && !touch.loose && law.still > 0.0;
                    if sticks || touch.state == ContactState::Sticking { ContactState::Sticking } else { ContactState::Sliding }
                }
            };
            touch.friction = Vec3::zeros();
            if touch.state == ContactState::Sticking {
                touch.steps_sticking += 1;
            } else {
                touch.steps_sticking = 0;
                // mu_k f_N, with the normal force of the step before, against the motion to which the forces of that step would lead;
                // it stops this but never turns it
                let drawing = if held { before.drawing(masses[i] / dt, v[i]) } else { Vec3::zeros() };
                let going = masses[i] / dt * tangential + (drawing - drawing.dot(&normal) * normal);
                // where steps are solved again friction has taken part in a landing when it was one
                let landed = if self.revises { before.landing } else { 0.0 };
                let (size, braking) = (going.norm(), touch.law.sliding() * (before.pressing - landed).max(0.0));
                touch.loose &= !(size > 0.0 && braking >= size);
                touch.friction = -braking.min(size) * going.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
                f[i] += touch.friction;
            }
        }
        self.prescribe(constraints, z);
    }

    /// Writes the constraints of all particles in contact and their prescribed changes of velocity \[m/s\], shape \[particle_count\].
    pub(crate) fn prescribe(&self, constraints: &mut [Constraint], z: &mut [Vec3]) {
        for (i, touch) in self.touches.iter().enumerate() {
            let speed = touch.velocity.dot(&touch.normal);
            match touch.state {
                ContactState::Sticking => {
                    constraints[i] = Constraint::Fixed;
                    z[i] = touch.recovery * touch.normal - touch.velocity;
                }
                ContactState::Sliding => {
                    constraints[i] = Constraint::plane(touch.normal).unwrap_or(Constraint::Fixed);
                    z[i] = (touch.recovery - speed) * touch.normal;
                }
                ContactState::Released if touch.revised => constraints[i] = Constraint::Free,
                ContactState::Free | ContactState::Released => {}
            }
        }
    }

    /// Corrects who sticks, slides and touches by the constraint forces \[N\] and the velocities \[m/s\] at the end of a step, and `f`
    /// \[N\] with that; whether the step is to be solved again. Each particle changes once a step. All shapes are \[particle_count\].
    pub(crate) fn revise(&mut self, motion: &Motion, forces: &[Vec3], v: &[Vec3], f: &mut [Vec3]) -> bool {
        let mut changed = false;
        for (i, touch) in self.touches.iter_mut().enumerate().filter(|(_, touch)| touch.is_held() && !touch.revised) {
            let force = forces[i] + touch.friction;
            let along_normal = force.dot(&touch.normal);
            let pressing = along_normal - touch.recovering;
            let dragging = force - along_normal * touch.normal;
            let before = touch.friction;
            let size = dragging.norm();
            // rounding of the momentum that a step moves is no force
            let rounding = ROUNDING * motion.masses[i] * touch.velocity.norm() / motion.h;
            let turned = v[i] - v[i].dot(&touch.normal) * touch.normal;
            if pressing < -rounding {
                touch.state = ContactState::Released;
                touch.friction = Vec3::zeros();
                touch.force = Vec3::zeros();
            } else if touch.state == ContactState::Sticking && size > touch.law.still() * pressing + rounding {
                touch.state = ContactState::Sliding;
                touch.loose = true;
                touch.friction = touch.law.sliding() * pressing.max(0.0) / size * dragging;
            } else if touch.state == ContactState::Sliding && touch.friction.dot(&turned) > 0.0 {
                touch.state = ContactState::Sticking;
                touch.loose = false;
                touch.friction = Vec3::zeros();
            } else {
                continue;
            }
            touch.steps_sticking = u32::from(touch.state == ContactState::Sticking);
            touch.revised = true;
            f[i] += touch.friction - before;
            changed = true;
        }
        changed
    }

    /// Takes the constraint forces \[N\] of a step, and decides who slides and who is let go in the next one.
    ///
    /// Static friction is not tested in the first step of sticking: its force is that which brakes the particle. What breaks
    /// loose slides until friction stops it or, once it has been faster than the threshold, until it is slower again. The force that
    /// changes the speed at which depth is recovered presses on nothing.
    pub fn settle(&mut self, forces: &[Vec3]) {
        for (touch, force) in self.touches.iter_mut().zip(forces).filter(|(touch, _)| touch.is_held()) {
            touch.force = force + touch.friction;
            let along_normal = touch.force.dot(&touch.normal);
            touch.pressing = along_normal - touch.recovering;
            if touch.pressing < 0.0 {
                touch.state = ContactState::Released;
                touch.steps_sticking = 0;
            } else if touch.state == ContactState::Sticking {
                let dragging = (touch.force - along_normal * touch.normal).norm();
                if touch.steps_sticking > 1 && dragging > touch.law.still() * touch.pressing {
                    touch.state = ContactState::Sliding;
                    touch.steps_sticking = 0;
                    touch.loose = true;
                }
            }
        }
    }

    /// Writes down, or reads back, the contacts of the last step.
    pub fn remember(&mut self, memory: &mut Memory) {
        self.touches.iter_mut().for_each(|touch| touch.remember(memory));
        memory.count(&mut self.passed);
    }

    /// Takes back what was remembered of the last step.
    pub fn take_back(&mut self) {
        self.touches.copy_from_slice(&self.before);
        self.passed = self.passed_before;
    }

    /// Counts the particles that went through a solid on their way from where [`Contacts::constrain`] found them.
    pub fn watch(&mut self, before: &[Vec3], after: &[Vec3]) {
        const SAMPLES: u32 = 8;
        const GRAZE: f64 = 0.01;
        const LONG: f64 = 1e4; // over rounding of distances, so that this is small beside it
        if self.solids.is_empty() {
            return;
        }
        let rounding = self.rounding;
        for (i, (a, b)) in before.iter().zip(after).enumerate() {
            let (clearance, normal) = self.clearances.of(i);
            let distance = |x: Vec3| deepest(&self.solids, x).0;
            let square = (b - a).norm_squared();
            if clearance <= 0.0 || clearance * clearance > 2.0 * square {
                continue; // inside before, or so far away that rounding does not matter
            }
            let way = square.sqrt();
            // a solid is convex: nowhere is it nearer than the plane that touches it at the point nearest to the start
            let least = clearance + normal.dot(&(b - a)).min(0.0);
            if self.solids.len() == 1 && way > LONG * rounding && least > -0.5 * GRAZE * way {
                continue;
            }
            if clearance > way || way <= rounding || distance(*b) <= 0.0 {
                continue; // too far away to get there, at rest, or inside after
            }
            let between = |k: u32| distance(a + f64::from(k) / f64::from(SAMPLES) * (b - a));
            if (1..SAMPLES).any(|k| between(k) <= -GRAZE * way) {
                self.passed += 1;
            }
        }
    }
}

/// The least distance to any solid, and the normal there.
pub(super) fn deepest(solids: &[Solid], x: Vec3) -> (f64, Vec3) {
    let distances = solids.iter().map(|solid| solid.distance(x));
    distances.fold((f64::INFINITY, Vec3::z()), |least, next| if next.0 < least.0 { next } else { least })
}

/// The law of the solid that is at that distance from x; the first one of several.
fn law_at(solids: &[Solid], frictions: &[Friction], x: Vec3, distance: f64) -> Friction {
    match frictions.split_first() {
        Some((first, others)) if others.iter().any(|other| other != first) => {
            let nearest = solids.iter().position(|solid| solid.distance(x).0 <= distance);
            frictions[nearest.unwrap_or(0)]
        }
        Some((first, _)) => *first,
        None => Friction::default(),
    }
}
