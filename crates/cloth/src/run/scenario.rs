use std::sync::Arc;

use super::holds::{Holds, tied};
use super::scheme::StretchLimit;
use super::tears::Tears;
use super::{Adaptation, Collisions, LengthConstraint, MeshAndMaterial, Model, Run, Scheme, Stepper, Tear, TearMode};
use crate::adjoint::{Forced, Forces};
use crate::contact::{Contacts, Friction, Impacts, MovingMesh, Repulsion, RepulsionLaw, RigidMotion, SelfCollision, Solid};
use crate::{Drive, Elastic, Guides, Gusts, ModelError, Pin, State, System, Ties, Track, Vec3};

/// Cloth, what acts on it, and how it is integrated in time: all that a [`Run`] is made of. It is composed by code, a method a part,
/// or read from a scene file.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The cloth.
    pub cloth: MeshAndMaterial,
    /// Where it starts; at rest, as its mesh is, without.
    pub start: Option<State>,
    /// The time at which it starts \[s\]: motions, gusts, seams and pins that let go stand there.
    pub begins: f64,
    /// dt \[s\], > 0.
    pub step: f64,
    /// How it is integrated in time.
    pub scheme: Scheme,
    /// How its steps are adapted; for Newton iterations alone without, where the scheme takes these until they converge.
    pub adaptation: Option<StretchLimit>,
    /// The method that keeps edges at their length; they stretch without. What resists stretch in the material is then to be
    /// without stiffness and damping, see [`Scenario::keep_lengths`].
    pub length_constraint: Option<LengthConstraint>,
    /// The terms on which some of its pins hold, by their particles; the others hold to the end.
    pub pin_terms: Vec<(usize, PinTerms)>,
    /// Which of its particles are drawn together.
    pub sewing: Option<Sewing>,
    /// How some of the held particles move.
    pub motions: Vec<Motion>,
    /// The particles that move along a line or in a plane only.
    pub guides: Vec<(usize, Track)>,
    /// The wind of its drag where that changes in time.
    pub gusts: Option<Arc<Gusts>>,
    /// Further forces \[N\], shape \[interval\]\[particle\].
    pub loads: Option<(Forces, Vec<Vec3>)>,
    /// What it may touch, and how that moves.
    pub solids: Vec<(Solid, RigidMotion)>,
    /// Meshes that it meets, where it collides with itself.
    pub bodies: Vec<MovingMesh>,
    /// Friction along the surfaces of solids.
    pub friction: Friction,
    /// Friction of some of them in place of that, by their numbers.
    pub solid_friction: Vec<(usize, Friction)>,
    /// How solids are met.
    pub solid_contact: SolidContact,
    /// How it meets itself; it passes through itself without.
    pub self_collision: Option<SelfCollision>,
    /// Parts of it that solids meet by positions where it meets itself; of cloth that passes through itself, particles alone.
    pub solid_reach: SolidReach,
    /// How it repels itself; not under a scheme that does not have it.
    pub repulsion: Option<RepulsionLaw>,
    /// How it tears; it stays whole without.
    pub tearing: Option<Tear>,
}

/// How solids are met.
#[derive(Clone, Copy, Debug, serde::Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum SolidContact {
    /// By the scheme or the constraint method: velocities of particles that touch are prescribed \[Boxerman 2003, 3.4.2\]. Only
    /// solids at rest, under a scheme that has such constraints or behind a constraint method.
    Constraints,
    /// As those, with alterations of positions in place of a velocity that leads out of a solid, see [`Contacts::altering`]
    /// \[Baraff & Witkin 1998\]; not behind a constraint method.
    Alterations,
    /// After the step, by positions and impulses, see [`Impacts`] \[Stuyck 2018, 5.8\].
    Positions,
}

impl SolidContact {
    /// True where velocities of what touches are prescribed in the step.
    pub fn is_by_constraints(self) -> bool {
        self != SolidContact::Positions
    }
}

/// Parts of cloth that solids meet.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum SolidReach {
    /// Faces, edges and particles, at the distance that the cloth keeps from itself: no corner or small solid passes through them.
    #[default]
    Faces,
    /// Particles alone, which come to the surface itself: faces between them may pass through what is smaller, or sharp.
    Particles,
}

/// The way a pin holds a particle, beyond that it does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PinTerms {
    /// Stiffness of the spring that ties the particle to its place \[N/m\], > 0; it is held there without.
    pub stiffness: Option<f64>,
    /// Damping of that spring \[N s/m\], >= 0.
    pub damping: f64,
    /// The time at which the pin lets go \[s\], > 0; it holds to the end without.
    pub until: Option<f64>,
}

/// Pairs of particles that are drawn together and held there.
#[derive(Clone, Debug, PartialEq)]
pub struct Sewing {
    /// The pairs, each once.
    pub pairs: Vec<[usize; 2]>,
    /// T, when they are to be together \[s\], > 0.
    pub time: f64,
    /// The spring of each pair: ks \[N/m\], > 0, and kd \[N s/m\].
    pub elastic: Elastic,
}

/// Held particles that move along a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The particles, of those that are held, and of no other motion.
    pub pins: Vec<Pin>,
    /// Their way from where they start.
    pub motion: RigidMotion,
}

impl Scenario {
    /// Cloth that hangs from its pins, under backward Euler with the automatic solver, with steps of 2 ms.
    pub fn new(cloth: impl Into<MeshAndMaterial>) -> Scenario {
        Scenario {
            cloth: cloth.into(),
            start: None,
            begins: 0.0,
            step: 2e-3,
            scheme: Scheme::default(),
            adaptation: None,
            length_constraint: None,
            pin_terms: vec![],
            sewing: None,
            motions: vec![],
            guides: vec![],
            gusts: None,
            loads: None,
            solids: vec![],
            bodies: vec![],
            friction: Friction::default(),
            solid_friction: vec![],
            solid_contact: SolidContact::Positions,
            self_collision: None,
            solid_reach: SolidReach::Faces,
            repulsion: None,
            tearing: None,
        }
    }

    /// From another state than that of its mesh at rest.
    #[must_use]
    pub fn start(self, start: State) -> Scenario {
        Scenario { start: Some(start), ..self }
    }

    /// From a time on \[s\], at which what moves stands where it has come to by then.
    #[must_use]
    pub fn begin_at(self, time: f64) -> Scenario {
        Scenario { begins: time, ..self }
    }

    /// With steps of `dt` \[s\], > 0.
    #[must_use]
    pub fn step(self, dt: f64) -> Scenario {
        Scenario { step: dt, ..self }
    }

    /// Under another scheme: an [`Entry`](crate::integrators::IntegratorEntry), or a [`Scheme`] with its parameters.
    #[must_use]
    pub fn scheme(self, scheme: impl Into<Scheme>) -> Scenario {
        Scenario { scheme: scheme.into(), ..self }
    }

    /// With steps that are adapted to its stretch.
    #[must_use]
    pub fn adapt(self, to: StretchLimit) -> Scenario {
        Scenario { adaptation: Some(to), ..self }
    }

    /// With edges that keep their length, in place of all that resists stretch.
    #[must_use]
    pub fn keep_lengths(mut self, constraint: LengthConstraint) -> Scenario {
        self.cloth.keep_edges();
        Scenario { length_constraint: Some(constraint), ..self }
    }

    /// With held particles that are moved.
    #[must_use]
    pub fn drive(mut self, pins: Vec<Pin>, motion: impl Into<RigidMotion>) -> Scenario {
        self.motions.push(Motion { pins, motion: motion.into() });
        self
    }

    /// With a particle that is held to a line or a plane.
    #[must_use]
    pub fn guide(mut self, particle: usize, track: Track) -> Scenario {
        self.guides.push((particle, track));
        self
    }

    /// In wind that changes in time: that of a step is the one in its middle.
    #[must_use]
    pub fn gusts(self, gusts: Gusts) -> Scenario {
        Scenario { gusts: Some(Arc::new(gusts)), ..self }
    }

    /// Under further forces `u` \[N\], shape \[interval\]\[particle\].
    #[must_use]
    pub fn loads(self, forces: Forces, u: Vec<Vec3>) -> Scenario {
        Scenario { loads: Some((forces, u)), ..self }
    }

    /// With a solid that it meets.
    #[must_use]
    pub fn solid(mut self, solid: Solid, motion: RigidMotion) -> Scenario {
        self.solids.push((solid, motion));
        self
    }

    /// With a mesh that it meets, beside [`Scenario::self_collision`].
    #[must_use]
    pub fn body(mut self, body: MovingMesh) -> Scenario {
        self.bodies.push(body);
        self
    }

    /// With friction along solids, other than those of [`Scenario::solid_friction`].
    #[must_use]
    pub fn friction(self, friction: Friction) -> Scenario {
        Scenario { friction, ..self }
    }

    /// With solids that are met in another way than by positions.
    #[must_use]
    pub fn solid_contact(self, solid_contact: SolidContact) -> Scenario {
        Scenario { solid_contact, ..self }
    }

    /// With solids that meet other parts of it than its faces, beside [`Scenario::self_collision`].
    #[must_use]
    pub fn solid_reach(self, solid_reach: SolidReach) -> Scenario {
        Scenario { solid_reach, ..self }
    }

    /// Without passing through itself.
    #[must_use]
    pub fn self_collision(self, thickness: SelfCollision) -> Scenario {
        Scenario { self_collision: Some(thickness), ..self }
    }

    /// With forces by which it repels itself.
    #[must_use]
    pub fn repulsion(self, law: RepulsionLaw) -> Scenario {
        Scenario { repulsion: Some(law), ..self }
    }

    /// With cloth that tears.
    #[must_use]
    pub fn tear(self, tear: Tear) -> Scenario {
        Scenario { tearing: Some(tear), ..self }
    }

    /// How steps are adapted, none where they are not: as is said, or for Newton iterations alone where the scheme has them.
    pub fn adapting(&self) -> Option<StretchLimit> {
        self.adaptation.or_else(|| self.scheme.converges().then_some(StretchLimit::NONE))
    }

    /// Refuses parts that do not go together. Scenes refuse the same, with the line at which a part stands.
    ///
    /// # Errors
    /// [`ModelError::Together`] with the two parts.
    pub fn check(&self) -> Result<(), ModelError> {
        let moves = self.solids.iter().any(|(_, motion)| *motion != RigidMotion::STILL);
        let by_constraints = !self.solids.is_empty() && self.solid_contact.is_by_constraints();
        let alters = self.solid_contact == SolidContact::Alterations;
        let (tears, tied) = (self.tearing.is_some(), self.sewing.is_some() || !self.pin_terms.is_empty());
        let simple = self.tearing.as_ref().is_some_and(|tear| tear.mode == TearMode::Simple);
        let together = [
            (by_constraints && moves, "constraints of solids", "a solid that moves"),
            (by_constraints && tears, "constraints of solids", "cloth that tears"),
            (alters && self.length_constraint.is_some(), "alterations of positions", "a constraint method"),
            (!self.bodies.is_empty() && self.self_collision.is_none(), "a body", "cloth that passes through itself"),
            (self.length_constraint.is_some() && self.adaptation.is_some(), "a constraint method", "adapted steps"),
            (!self.guides.is_empty() && self.length_constraint.is_some(), "a guide", "a constraint method"),
            (!self.guides.is_empty() && self.self_collision.is_some(), "a guide", "collisions of the cloth with itself"),
            (
                !self.guides.is_empty() && !self.solids.is_empty() && !by_constraints,
                "a guide",
                "solids that are met by positions",
            ),
            (!self.guides.is_empty() && tears, "a guide", "cloth that tears"),
            (!self.guides.is_empty() && matches!(self.scheme, Scheme::ProjectiveDynamics(_)), "a guide", "projective dynamics"),
            (tears && self.self_collision.is_some(), "cloth that tears", "collisions of the cloth with itself"),
            (tears && self.repulsion.is_some(), "cloth that tears", "repulsion"),
            (tears && tied, "cloth that tears", "sewing, soft pins and pins that let go"),
            (tears && !simple && !self.cloth.is_triangles(), "cloth that opens", "a grid"),
            (simple && !self.cloth.is_woven(), "springs that leave", "cloth other than springs of triangles"),
        ];
        match together.into_iter().find(|(stand, ..)| *stand) {
            Some((_, first, second)) => Err(ModelError::Together { first, second }),
            None => Ok(()),
        }
    }

    /// The run, before its first step.
    ///
    /// # Errors
    /// As [`Scenario::check`] and [`MeshAndMaterial::model`], a state of another size than the mesh, a motion of a particle that is
    /// not held, a velocity off a guide, forces outside the mesh, and solids, repulsion or a constraint method that the scheme does not have.
    pub fn run(&self) -> Result<Run, ModelError> {
        self.run_of(self.cloth.model()?)
    }

    /// The run of a `model` that is the one of its cloth.
    ///
    /// # Errors
    /// As [`Scenario::run`].
    pub fn run_of(&self, model: Model) -> Result<Run, ModelError> {
        self.check()?;
        let start = self.start.clone().unwrap_or_else(|| State::at_rest(model.rest()));
        start.check_size(model.system().particle_count())?;
        let holds = Holds::new(self, &model, &start)?;
        let stepper = self.stepper(&model, &holds.ties, (self.begins, &start.x), None)?;
        let (drives, guides) = (self.drives(model.system(), &start)?, Guides::new(model.system(), &self.guides)?);
        guides.check(&start.v)?;
        let tears = self.tearing.as_ref().map(|tear| Tears::new(self, tear, &model));
        let mut run = Run::new(model, stepper, self.step, start)?
            .begin_at(self.begins)
            .with_drives(drives)
            .with_guides(guides)
            .with_gusts(self.gusts.clone())
            .with_holds(holds)
            .with_tears(tears);
        if let Some((forces, u)) = &self.loads {
            let particles = run.state().particle_count();
            if let Some(&pin) = forces.particles().iter().find(|particle| **particle >= particles) {
                return Err(ModelError::PinOfMesh { pin, particles });
            }
            if u.len() != forces.count() {
                return Err(ModelError::ForceCount { expected: forces.count(), got: u.len() });
            }
            run = run.with_forces(forces.clone(), u.clone());
        }
        Ok(run)
    }

    /// The motions of held particles of `system`, which begins as `start`; those of soft pins are moved with their ties.
    ///
    /// # Errors
    /// A particle that the mesh does not have, or that is not held.
    pub fn drives(&self, system: &dyn System, start: &State) -> Result<Vec<Drive>, ModelError> {
        let is_soft = |particle: usize| self.pin_terms.iter().any(|(soft, terms)| *soft == particle && terms.stiffness.is_some());
        let drive = |motion: &Motion| {
            let particles: Result<Vec<usize>, ModelError> = motion.pins.iter().map(|&pin| self.cloth.particle(pin)).collect();
            let held: Vec<usize> = particles?.into_iter().filter(|&particle| !is_soft(particle)).collect();
            Drive::new(system, start, &held, motion.motion.clone()).map(|drive| drive.begin_at(self.begins))
        };
        self.motions.iter().map(drive).collect()
    }

    /// What takes the steps of a `model` with `ties` that is at x \[m\] at a time \[s\], after what took those `before`: its counts go
    /// on, its memory of single particles does not.
    pub(super) fn stepper(
        &self,
        model: &Model,
        ties: &Ties,
        at: (f64, &[Vec3]),
        before: Option<&Stepper>,
    ) -> Result<Stepper, ModelError> {
        let stepper = tied(ties, model.system(), |system| match &self.loads {
            None => self.stepper_on(model, system, at),
            Some(_) => self.stepper_on(model, &Forced { system, forces: &[] }, at), // no sheet alone
        })?;
        Ok(match before {
            Some(before) => stepper.after(before),
            None => stepper,
        })
    }

    /// What takes the steps of a `model` whose `system` may have ties.
    fn stepper_on(&self, model: &Model, system: &dyn System, at: (f64, &[Vec3])) -> Result<Stepper, ModelError> {
        let repulsion = self.repulsion.map(|law| Repulsion::new(system, law));
        let by_constraints = self.solids.iter().enumerate().filter(|_| self.solid_contact.is_by_constraints());
        let solids: Vec<(Solid, Friction)> =
            by_constraints.map(|(number, (solid, _))| (*solid, self.friction_of(number))).collect();
        let mut stepper = match self.length_constraint {
            Some(_) if !self.scheme.is_filtered() => return Err(self.scheme.refuse_inextensible()),
            Some(constraint) => {
                let forces = self.scheme.integrator(system, None, repulsion)?;
                Stepper::new(forces).filtered(constraint.filter(model, &solids)?)
            }
            None => {
                let between = || Contacts::between(system.particle_count(), &solids).revised();
                let contacts = match self.solid_contact {
                    _ if solids.is_empty() => None,
                    SolidContact::Alterations => Some(between().altering()),
                    SolidContact::Constraints | SolidContact::Positions => Some(between()),
                };
                Stepper::new(self.scheme.integrator(system, contacts, repulsion)?)
            }
        };
        if let Some(StretchLimit { limit, successes }) = self.adapting() {
            stepper = stepper.adapted(Adaptation::new(limit, system.particle_count()).doubling_after(successes));
        }
        if let Some(impacts) = self.impacts(model, at)? {
            stepper = stepper.colliding(Collisions::new(impacts).begin_at(self.begins));
        }
        Ok(stepper)
    }

    /// What leads a run from a time \[s\] and x \[m\], shape \[particle_count\], around collisions; none where the cloth passes through
    /// itself and solids are met in another way.
    fn impacts(&self, model: &Model, (t, x): (f64, &[Vec3])) -> Result<Option<Impacts>, ModelError> {
        let by_positions = self.solid_contact == SolidContact::Positions && !self.solids.is_empty();
        let (masses, held) = (model.system().masses(), model.system().pinned());
        let impacts = match self.self_collision {
            Some(thickness) => {
                Impacts::between_at(t, masses, held, model.surface().corners(), x, thickness, self.bodies.clone())?
            }
            None if !by_positions => return Ok(None),
            None => Impacts::without(masses, held),
        };
        let solids = self.solids.iter().enumerate().filter(|_| by_positions);
        let impacts =
            solids.fold(impacts, |impacts, (number, solid)| impacts.with_solids(vec![solid.clone()], self.friction_of(number)));
        Ok(Some(match self.solid_reach {
            SolidReach::Faces => impacts.meeting_faces(),
            SolidReach::Particles => impacts,
        }))
    }

    /// Friction of a solid, by its number.
    fn friction_of(&self, number: usize) -> Friction {
        self.solid_friction.iter().find(|(of, _)| *of == number).map_or(self.friction, |(_, friction)| *friction)
    }
}
