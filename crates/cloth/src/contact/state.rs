use linsolve::Constraint;

use super::clearances::Clearances;
use super::{Friction, Solid};
use crate::Vec3;

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

/// The contact of a particle in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// How it touches.
    pub state: ContactState,
    /// Steps that it has been sticking for.
    steps_sticking: u32,
    /// Whether it broke loose and has not been fast since: it slides, however slowly.
    loose: bool,
    /// Outward unit normal of the solid.
    pub normal: Vec3,
    /// Force of the constraint on the particle \[N\], friction of sliding included.
    pub force: Vec3,
    /// Friction of sliding \[N\].
    friction: Vec3,
}

/// The contacts of all particles with the solids, from step to step.
#[derive(Clone, Debug)]
pub struct Contacts {
    solids: Vec<Solid>,
    friction: Friction,
    touches: Vec<Touch>,
    before: Vec<Touch>,
    /// Of the particles when the last step began.
    clearances: Clearances,
    passed: u64,
    passed_before: u64,
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

/// Distance above the surface at which a particle in contact is still held \[m\], so that rounding does not let it go.
const SKIN: f64 = 1e-9;

impl Contacts {
    /// No contact yet, for `particle_count` particles.
    pub fn new(particle_count: usize, solids: Vec<Solid>, friction: Friction) -> Contacts {
        Contacts {
            solids,
            friction,
            touches: vec![Touch::default(); particle_count],
            before: vec![Touch::default(); particle_count],
            clearances: Clearances::new(particle_count),
            passed: 0,
            passed_before: 0,
        }
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
    /// `z` gets the prescribed changes of velocity \[m/s\]: along the normal so that a step moves the particle by 0.9 of its depth.
    /// All shapes are \[particle_count\].
    pub fn constrain(&mut self, motion: &Motion, constraints: &mut [Constraint], z: &mut [Vec3], f: &mut [Vec3]) {
        let &Motion { h: dt, masses, x, v } = motion;
        if self.solids.is_empty() {
            return;
        }
        std::mem::swap(&mut self.before, &mut self.touches);
        self.passed_before = self.passed;
        self.clearances.fill(&self.solids, x);
        for i in 0..x.len() {
            let (distance, normal) = self.clearances.of(i);
            let touch = &mut self.touches[i];
            *touch = self.before[i];
            if constraints[i] != Constraint::Free {
                continue; // what is held, or guided, meets nothing
            }
            let speed = v[i].dot(&normal);
            let tangential = v[i] - speed * normal;
            let held = matches!(touch.state, ContactState::Sticking | ContactState::Sliding);
            let inside = distance <= 0.0 || (held && distance <= SKIN);
            // what was let go stays free until it comes back towards the solid
            let let_go = touch.state == ContactState::Released && speed >= 0.0;
            touch.normal = normal;
            if !inside || let_go {
                touch.state = if inside { ContactState::Released } else { ContactState::Free };
                touch.steps_sticking = 0;
                touch.loose = false;
                touch.force = Vec3::zeros();
                continue;
            }
            let push = (PUSH * -distance.min(0.0) / dt - speed) * normal;
            touch.state = match self.friction {
                Friction::Sticking => ContactState::Sticking,
                Friction::Coulomb(law) => {
                    let slow = tangential.norm() < law.threshold;
                    touch.loose &= slow;
                    if (slow && !touch.loose && law.still > 0.0) || touch.state == ContactState::Sticking {
                        ContactState::Sticking
                    } else {
                        ContactState::Sliding
                    }
                }
            };
            touch.friction = Vec3::zeros();
            if touch.state == ContactState::Sticking {
                touch.steps_sticking += 1;
                constraints[i] = Constraint::Fixed;
                z[i] = push - tangential;
            } else {
                touch.steps_sticking = 0;
                constraints[i] = Constraint::plane(normal).unwrap_or(Constraint::Fixed);
                z[i] = push;
                if let Friction::Coulomb(law) = self.friction {
                    // mu_k f_N against the motion, with the normal force of the step before; it brakes but never turns
                    let pressing = touch.force.dot(&normal).max(0.0);
                    let most = masses[i] * tangential.norm() / dt;
                    let direction = tangential.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
                    let stops = most > 0.0 && law.sliding * pressing >= most;
                    touch.loose &= !stops;
                    touch.friction = -(law.sliding * pressing).min(most) * direction;
                    f[i] += touch.friction;
                }
            }
        }
    }

    /// Takes the constraint forces \[N\] of a step, and decides who slides and who is let go in the next one.
    ///
    /// Static friction is not tested in the first step of sticking: its force is that which brakes the particle. What breaks
    /// loose slides until friction stops it or, once it has been faster than the threshold, until it is slower again.
    pub fn settle(&mut self, forces: &[Vec3]) {
        for (touch, force) in self.touches.iter_mut().zip(forces) {
            if !matches!(touch.state, ContactState::Sticking | ContactState::Sliding) {
                continue;
            }
            touch.force = force + touch.friction;
            let pressing = touch.force.dot(&touch.normal);
            if pressing < 0.0 {
                touch.state = ContactState::Released;
                touch.steps_sticking = 0;
            } else if let (Friction::Coulomb(law), ContactState::Sticking) = (self.friction, touch.state) {
                let dragging = (touch.force - pressing * touch.normal).norm();
                if touch.steps_sticking > 1 && dragging > law.still * pressing {
                    touch.state = ContactState::Sliding;
                    touch.steps_sticking = 0;
                    touch.loose = true;
                }
            }
        }
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
        const LONG: f64 = 1e-9; // [m], so that rounding of distances is small beside it
        if self.solids.is_empty() {
            return;
        }
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
            if self.solids.len() == 1 && way > LONG && least > -0.5 * GRAZE * way {
                continue;
            }
            if clearance > way || distance(*b) <= 0.0 {
                continue; // too far away to get there, or inside after
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
