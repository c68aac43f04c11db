//! Cloth that tears while it is simulated: springs leave, or the mesh opens.

use cloth::tearing::{TearLimits, Tearing, exceeds, snap};
use cloth::triangles::{SpringMaterial, TriangleMesh};
use kit::prelude::*;

words! {
    /// What becomes of a side that is stretched too far.
    pub enum Way {
        /// Nothing.
        Whole = "does not tear",
        /// Every spring that is too long leaves, and nothing else \[Stuyck 2018, 4.5\].
        Simple = "springs leave",
        /// A particle is split, and the mesh opens there.
        Open = "mesh opens",
    }
}

/// What makes a net of a mesh, again after each tear.
#[derive(Clone, Debug)]
pub struct Weaving {
    /// Families without stiffness are left out.
    pub material: SpringMaterial,
    pub pins: Vec<usize>,
    pub gravity: Vec3,
    /// Resistance of the air \[1/s\].
    pub air: f64,
}

impl Weaving {
    /// # Errors
    /// Pins, a density or springs that mean nothing.
    pub fn net(&self, mesh: &TriangleMesh) -> Result<Net, ModelError> {
        let mut net = mesh.springs(&self.material, &self.pins)?;
        net.retain_springs(|spring| spring.elastic.stiffness > 0.0);
        (net.gravity, net.air) = (self.gravity, self.air);
        Ok(net)
    }
}

/// How a run tears.
#[derive(Clone, Debug)]
enum Rule {
    Whole,
    Simple(TearLimits),
    Open(Tearing),
}

/// A run of backward Euler on cloth that tears before its steps.
pub struct Torn {
    weaving: Weaving,
    pub mesh: TriangleMesh,
    pub net: Net,
    pub state: State,
    rule: Rule,
    settings: Settings,
    pub scheme: BackwardEuler,
    /// Steps before which something tore.
    pub tears: u64,
    /// Sides that left before the latest step.
    pub left: Vec<NetSpring>,
}

impl Torn {
    /// # Errors
    /// As [`Weaving::net`].
    pub fn new(
        weaving: Weaving,
        mesh: TriangleMesh,
        way: Way,
        limits: TearLimits,
        settings: Settings,
    ) -> Result<Torn, ModelError> {
        let net = weaving.net(&mesh)?;
        let rule = match way {
            Way::Whole => Rule::Whole,
            Way::Simple => Rule::Simple(limits),
            Way::Open => Rule::Open(Tearing::new(&mesh, limits)),
        };
        let (scheme, state) = (BackwardEuler::new(&net, settings), State::at_rest(mesh.positions().to_vec()));
        Ok(Torn { weaving, mesh, net, state, rule, settings, scheme, tears: 0, left: vec![] })
    }

    /// The particle of the whole mesh that each particle is or is a copy of.
    pub fn origin(&self, particle: usize) -> usize {
        match &self.rule {
            Rule::Open(tearing) => tearing.origins()[particle],
            Rule::Whole | Rule::Simple(_) => particle,
        }
    }

    /// The particles that each particle behind those of the whole mesh was split from.
    pub fn parents(&self) -> &[usize] {
        match &self.rule {
            Rule::Open(tearing) => tearing.parents(),
            Rule::Whole | Rule::Simple(_) => &[],
        }
    }

    /// Takes springs out before the run begins: a notch.
    pub fn cut(&mut self, is_cut: impl Fn(&NetSpring) -> bool) {
        self.net.retain_springs(|spring| !is_cut(spring));
        self.scheme = BackwardEuler::new(&self.net, self.settings);
    }

    /// Tears what is too long and takes a step of dt \[s\].
    ///
    /// # Errors
    /// As [`Weaving::net`].
    pub fn step(&mut self, dt: f64) -> Result<(), ModelError> {
        if self.tear()? {
            self.tears += 1;
            self.scheme = BackwardEuler::new(&self.net, self.settings);
        }
        self.scheme.step(&self.net, dt, &mut self.state);
        Ok(())
    }

    /// Tears what is too long; whether something was.
    fn tear(&mut self) -> Result<bool, ModelError> {
        self.left.clear();
        match &mut self.rule {
            Rule::Simple(limits) if exceeds(&self.net, limits, &self.state.x) => {
                let before = self.net.stretch_springs().to_vec();
                snap(&mut self.net, limits, &self.state.x);
                let mut kept = self.net.stretch_springs().iter().peekable();
                self.left.extend(before.into_iter().filter(|side| kept.next_if(|kept| **kept == *side).is_none()));
                Ok(true)
            }
            Rule::Open(tearing) => {
                let Some(opening) = tearing.tear(&self.mesh, self.net.pinned(), &self.state.x) else { return Ok(false) };
                opening.carry(&mut self.state);
                self.mesh = opening.mesh;
                self.net = self.weaving.net(&self.mesh)?;
                Ok(true)
            }
            Rule::Whole | Rule::Simple(_) => Ok(false),
        }
    }

    /// Takes the state after another step into account, and shows it.
    pub fn watch(&self, course: &mut RunWatch) {
        course.watch_energy(self.state.is_finite(), || self.net.energy(&self.state));
        course.show_tearing(&self.mesh, self.parents(), &self.state);
    }

    /// |x| / L of the longest side \[-\].
    pub fn longest_side(&self) -> f64 {
        let x = &self.state.x;
        self.net.stretch_springs().iter().map(|side| (x[side.j] - x[side.i]).norm() / side.rest).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of two squares of 1 m, whose right end is drawn away by 1 m a step of 1 s.
    fn squares(way: Way) -> Torn {
        let mesh = TriangleMesh::of_grid(&Grid::new(3, 2, 1.0).unwrap()).unwrap();
        let none = Elastic { stiffness: 0.0, damping: 0.0 };
        let material = SpringMaterial { shear: none, bend: none, ..SpringMaterial::default() };
        let weaving = Weaving { material, pins: vec![0, 2, 3, 5], gravity: Vec3::zeros(), air: 0.0 };
        let mut torn = Torn::new(weaving, mesh, way, TearLimits::new(1.4).unwrap(), Settings::default()).unwrap();
        (torn.state.v[2], torn.state.v[5]) = (Vec3::x(), Vec3::x());
        torn
    }

    #[test]
    fn two_squares_tear_by_hand() {
        for way in Way::ALL {
            let mut torn = squares(way);
            assert_eq!(torn.net.springs().len(), 7, "sides alone");
            torn.step(1.0).unwrap(); // all four sides along x are about 1.5 L long
            assert!((torn.longest_side() - 1.5).abs() < 0.05 && torn.tears == 0, "{}", torn.longest_side());
            torn.step(1.0).unwrap();
            let (springs, particles) = (torn.net.springs().len(), torn.state.particle_count());
            let split = torn.parents().to_vec();
            match way {
                Way::Whole => assert_eq!((springs, particles, torn.tears), (7, 6, 0)),
                Way::Simple => assert_eq!((springs, particles, torn.tears, torn.left.len()), (3, 6, 1, 4)),
                Way::Open => assert_eq!((springs, particles, torn.tears, split), (8, 8, 1, vec![1, 4])),
            }
        }
    }
}
