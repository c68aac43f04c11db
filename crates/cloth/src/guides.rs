use linsolve::Constraint;

use crate::{ModelError, System, Vec3};

/// The way that is left to a particle, through where it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Track {
    /// Along a vector of any length but zero.
    Line(Vec3),
    /// Across a vector of any length but zero.
    Plane(Vec3),
}

/// Particles that are held to lines or planes, the pins with one or two degrees of freedom \[Boxerman 2003, 5.2\]: explicit schemes
/// project accelerations, a = S M⁻¹ f, and implicit ones their linear systems. The forces that hold them do no work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guides(Vec<(usize, Constraint)>);

/// Share of a velocity that may lead off a guide \[-\]: more than rounding.
const OFF: f64 = 1e-9;

impl Guides {
    /// Holds particles of a `system` to their tracks.
    ///
    /// # Errors
    /// A particle that the system does not have, that is held by a pin or guided already, or a track without a direction.
    pub fn new(system: &dyn System, tracks: &[(usize, Track)]) -> Result<Guides, ModelError> {
        let particles = system.particle_count();
        let mut held = system.pinned().to_vec();
        let guide = |&(particle, track): &(usize, Track)| {
            let is_held = held.get_mut(particle).ok_or(ModelError::PinOfMesh { pin: particle, particles })?;
            if std::mem::replace(is_held, true) {
                return Err(ModelError::HeldTwice { particle });
            }
            let (Track::Line(along) | Track::Plane(along)) = track;
            let direction = Constraint::plane(along).map_err(|_| ModelError::TrackWithoutDirection { particle })?;
            let constraint = match (track, direction) {
                (Track::Line(_), Constraint::Plane(direction)) => Constraint::Line(direction),
                (_, across) => across,
            };
            Ok((particle, constraint))
        };
        Ok(Guides(tracks.iter().map(guide).collect::<Result<_, ModelError>>()?))
    }

    /// Refuses velocities that lead off a guide.
    ///
    /// # Errors
    /// [`ModelError::OffGuide`].
    ///
    /// # Panics
    /// Where there are fewer velocities than particles.
    pub fn check(&self, v: &[Vec3]) -> Result<(), ModelError> {
        let leads_off = |&&(particle, constraint): &&(usize, Constraint)| {
            let mut along = v[particle];
            constraint.project(&mut along);
            (v[particle] - along).norm() > OFF * v[particle].norm()
        };
        match self.0.iter().find(leads_off) {
            Some(&(particle, _)) => Err(ModelError::OffGuide { particle }),
            None => Ok(()),
        }
    }

    /// Whether nothing is guided.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A `system` with these guides, in place of that which they were made for.
    pub fn of<'a>(&'a self, system: &'a dyn System) -> Guided<'a> {
        Guided { system, guides: &self.0 }
    }
}

/// A system with particles that are held to lines or planes.
pub struct Guided<'a> {
    system: &'a dyn System,
    guides: &'a [(usize, Constraint)],
}

impl System for Guided<'_> {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        self.system.accelerate(x, v, a);
        self.guides.iter().for_each(|(particle, constraint)| constraint.project(&mut a[*particle])); // S M⁻¹ f
    }

    fn guides(&self) -> &[(usize, Constraint)] {
        self.guides
    }

    crate::pass_on! {
        system: largest_stretch, strain_energy, unforeseen_strain, masses, pinned, resistance, coupling_count, pairs,
        choices_follow, choose_implicit, joined_by, add_explicit_forces, add_linearised,
        add_curvatures, potential, sheet, triangles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{ConjugateGradients, Settings, Tolerance};
    use crate::integrators::{BackwardEuler, BogackiShampine, DissipationLimit, GeneralizedAlpha, Integrator, PLAIN, Rk4};
    use crate::{Cloth, Elastic, GRAVITY, Grid, Material, Net, NetSpring, Pin, State};

    /// A particle on a slope of 3 in 4, one in a plane across y, both falling and on a spring, and one that is held.
    fn net(elastic: Elastic) -> (Net, State, Guides) {
        let spring = |(i, j)| NetSpring { i, j, rest: 1.0, elastic };
        let net = Net::new(vec![1.0, 2.0, 1.0], vec![false, false, true], [(0, 1), (1, 2)].map(spring).to_vec()).unwrap();
        let x = vec![Vec3::zeros(), Vec3::new(1.2, 0.3, 0.0), Vec3::new(1.2, 1.5, 0.1)];
        let guides =
            Guides::new(&net, &[(0, Track::Line(Vec3::new(8.0, 0.0, -6.0))), (1, Track::Plane(0.1 * Vec3::y()))]).unwrap();
        (net, State::at_rest(x), guides)
    }

    #[test]
    fn a_fall_on_a_slope_and_in_a_plane_by_hand() {
        let (net, start, guides) = net(Elastic { stiffness: 0.0, damping: 0.0 });
        let mut state = start.clone();
        let mut scheme = Rk4::new(3);
        (0..10).for_each(|_| scheme.step(&guides.of(&net), 0.05, &mut state));
        // along (4, 0, -3) / 5 by 3/5 of gravity
        let slope = 0.5 * 0.6 * GRAVITY * 0.25 * Vec3::new(0.8, 0.0, -0.6);
        assert!((state.x[0] - slope).norm() < 1e-14 && (state.x[1] - start.x[1] + 0.125 * GRAVITY * Vec3::z()).norm() < 1e-14);
        assert_eq!(state.x[2], start.x[2]);
    }

    #[test]
    fn every_scheme_keeps_to_the_guides_and_tends_to_the_same_motion() {
        let (net, start, guides) = net(Elastic { stiffness: 30.0, damping: 0.2 });
        let system = guides.of(&net);
        let run = |scheme: &mut dyn Integrator, steps: u32| {
            let mut state = start.clone();
            for _ in 0..steps {
                scheme.step(&system, 0.5 / f64::from(steps), &mut state);
                for q in [&state.x, &state.v] {
                    assert!((3.0 * q[0].x + 4.0 * q[0].z).abs() < 1e-12 && q[0].y == 0.0, "{state:?}");
                }
                assert!((state.x[1].y - 0.3).abs() < 1e-14 && state.v[1].y == 0.0 && state.x[2] == start.x[2], "{state:?}");
            }
            state
        };
        let exact = run(&mut Rk4::new(3), 5000);
        assert!((exact.x[0] - start.x[0]).norm() > 0.3 && (exact.x[1] - start.x[1]).norm() > 0.3);
        let near = |name: &str, scheme: &mut dyn Integrator| {
            let distance = |state: State| (0..3).map(|i| (state.x[i] - exact.x[i]).norm()).fold(0.0, f64::max);
            let error = distance(run(scheme, 1000));
            assert!(error < 5e-3, "{name}: {error}");
        };
        for entry in PLAIN {
            near(entry.name, &mut *entry.integrator(&system, Settings::converged()));
        }
        near("Bogacki-Shampine", &mut BogackiShampine::new(3, BogackiShampine::TOLERANCE));
        let limit = DissipationLimit::MOST_DISSIPATION;
        near("generalized-alpha", &mut GeneralizedAlpha::new(&system, Settings::converged(), limit));
        let tight = Settings::from(ConjugateGradients::to(Tolerance::Fixed(1e-12)));
        near("conjugate gradients", &mut BackwardEuler::new(&system, tight));
    }

    #[test]
    fn guides_do_no_work() {
        let (net, start, guides) = net(Elastic { stiffness: 30.0, damping: 0.0 });
        let (mut state, mut scheme) = (start.clone(), Rk4::new(3));
        for _ in 0..2000 {
            scheme.step(&guides.of(&net), 1e-3, &mut state);
            assert!((net.energy(&state) - net.energy(&start)).abs() < 1e-7, "{}", net.energy(&state));
        }
    }

    #[test]
    fn a_sheet_slides_along_its_rail_on_a_grid_as_in_block_rows() {
        let cloth = Cloth::new(Grid::new(6, 5, 0.1).unwrap(), Material::default(), &[Pin::At(0, 4)]).unwrap();
        let rings: Vec<(usize, Track)> = (1..6).map(|i| (4 * 6 + i, Track::Line(Vec3::x()))).collect();
        let guides = Guides::new(&cloth, &rings).unwrap();
        let run = |form| {
            let gradients = ConjugateGradients::to(Tolerance::Fixed(1e-12));
            let mut scheme = BackwardEuler::new(&cloth, Settings { form, ..Settings::from(gradients) });
            let mut state = cloth.at_rest();
            state.x.iter_mut().for_each(|x| x.x *= 1.1); // so that the rings are drawn to the pin
            (0..40).for_each(|_| scheme.step(&guides.of(&cloth), 5e-3, &mut state));
            state
        };
        let [grid, rows] = [crate::implicit::MatrixForm::default(), crate::implicit::MatrixForm::BlockRows].map(run);
        for (i, (x, other)) in grid.x.iter().zip(&rows.x).enumerate() {
            assert!((x - other).norm() < 1e-9, "{i}");
            assert!(i < 24 || (x.y == 0.4 && x.z == 0.0), "{i}: {x}");
        }
        assert!(grid.x[29].x < 0.54 && grid.x[0].z < -0.01, "{} {}", grid.x[29], grid.x[0]);
    }

    #[test]
    fn contradictions_are_refused() {
        let (net, mut state, guides) = net(Elastic { stiffness: 1.0, damping: 0.0 });
        let line = Track::Line(Vec3::x());
        assert_eq!(Guides::new(&net, &[(1, line), (1, Track::Plane(Vec3::z()))]), Err(ModelError::HeldTwice { particle: 1 }));
        assert_eq!(Guides::new(&net, &[(2, line)]), Err(ModelError::HeldTwice { particle: 2 }));
        assert_eq!(Guides::new(&net, &[(3, line)]), Err(ModelError::PinOfMesh { pin: 3, particles: 3 }));
        for along in [Vec3::zeros(), Vec3::new(f64::NAN, 1.0, 0.0)] {
            let refused = Guides::new(&net, &[(0, Track::Plane(along))]);
            assert_eq!(refused, Err(ModelError::TrackWithoutDirection { particle: 0 }));
        }
        state.v[0] = Vec3::new(4.0, 0.0, -3.0);
        state.v[1] = Vec3::new(1.0, 0.0, 7.0);
        assert_eq!(guides.check(&state.v), Ok(()));
        state.v[1].y = 1e-3;
        assert_eq!(guides.check(&state.v), Err(ModelError::OffGuide { particle: 1 }));
    }
}
