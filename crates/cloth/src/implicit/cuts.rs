use crate::sets::Sets;
use crate::{State, System};

/// Which implicit springs are explicit in a step all the same, so that its system falls apart there: those between particles that
/// hardly move relative to each other, whose implicit terms h² K (v_j - v_i) are small \[Boxerman 2003, 7.1\]. The thesis has the
/// idea and no measure. Stiff springs that are cut grow unstable until their ends move fast enough to be joined again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuts {
    /// Speed of one end relative to the other below which a spring is cut \[m/s\], >= 0: at 0 none is.
    pub speed: f64,
    /// Whether springs stay implicit whose ends are joined by others that are not cut, or of which one is held: cutting them
    /// separates nothing.
    pub separating: bool,
}

/// Memory of cuts.
pub(super) struct Cutting {
    cuts: Cuts,
    /// Particles that implicit springs join.
    joined: Sets,
    /// Couplings that are cut, with their particles.
    cut: Vec<(usize, (usize, usize))>,
}

impl Cutting {
    /// For a system of the size and the couplings of `system`.
    pub fn new(system: &dyn System, cuts: Cuts) -> Cutting {
        Cutting { cuts, joined: Sets::new(system.particle_count()), cut: Vec::with_capacity(system.coupling_count()) }
    }

    /// Takes the springs that are cut from the implicit couplings of a step from `state`; how many. Those that do not act there are
    /// left as they are.
    pub fn cut(&mut self, system: &dyn System, state: &State, implicit: &mut [bool]) -> usize {
        let Cutting { cuts, joined, cut } = self;
        let State { x, v } = state;
        joined.part();
        cut.clear();
        let held = system.pinned();
        for (coupling, implicit) in implicit.iter_mut().enumerate().filter(|(_, implicit)| **implicit) {
            let Some((i, j)) = system.joined_by(coupling, x) else { continue };
            if (v[j] - v[i]).norm() < cuts.speed {
                *implicit = false;
                cut.push((coupling, (i, j)));
            } else if !held[i] && !held[j] {
                joined.join(i, j);
            }
        }
        if cuts.separating {
            cut.retain(|&(coupling, (i, j))| {
                implicit[coupling] = held[i] || held[j] || joined.root(i) == joined.root(j);
                !implicit[coupling]
            });
        }
        cut.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elastic, Net, NetSpring, Vec3};

    /// Springs along a line of particles, the first one held, which move at the given speeds across it; slack where they are short.
    fn line(speeds: &[f64], springs: &[(usize, usize)]) -> (Net, State) {
        let count = speeds.len();
        let elastic = Elastic { stiffness: 1e4, damping: 0.0 };
        let springs = springs.iter().map(|&(i, j)| NetSpring { i, j, rest: (j - i) as f64, elastic }).collect();
        let pinned = (0..count).map(|k| k == 0).collect();
        let net = Net::of_families(vec![1.0; count], pinned, [springs, vec![], vec![]], false).expect("a net");
        let mut state = State::at_rest((0..count).map(|k| Vec3::new(1.001 * k as f64, 0.0, 0.0)).collect());
        state.v.iter_mut().zip(speeds).for_each(|(v, speed)| v.y = *speed);
        (net, state)
    }

    fn implicit(cuts: Cuts, (net, state): &(Net, State)) -> Vec<bool> {
        let mut implicit = vec![true; net.springs().len()];
        let cut = Cutting::new(net, cuts).cut(net, state, &mut implicit);
        assert_eq!(cut, implicit.iter().filter(|implicit| !**implicit).count());
        implicit
    }

    #[test]
    fn springs_are_cut_below_a_relative_speed() {
        let line = line(&[0.0, 0.1, 0.15, 0.45, 0.45], &[(0, 1), (1, 2), (2, 3), (3, 4)]);
        let at = |speed| implicit(Cuts { speed, separating: false }, &line);
        assert_eq!(at(0.0), [true; 4], "not even one that moves as a whole");
        assert_eq!(at(0.01), [true, true, true, false]);
        assert_eq!(at(0.2), [false, false, true, false]);
        assert_eq!(at(0.4), [false; 4]);
    }

    #[test]
    fn lines_are_cut_only_where_something_is_separated() {
        // a ring of 1, 2, 3 behind the held particle, and 4 behind it
        let ring = [(0, 1), (1, 2), (2, 3), (1, 3), (3, 4)];
        let line = line(&[0.0, 0.01, 0.02, 0.9, 0.91], &ring);
        let at = |separating| implicit(Cuts { speed: 0.1, separating }, &line);
        assert_eq!(at(false), [false, false, true, true, false]);
        // 1 and 2 stay joined by 3, and a held particle is separate as it is
        assert_eq!(at(true), [true, true, true, true, false]);
    }

    #[test]
    fn a_slack_spring_joins_nothing() {
        let (net, mut state) = line(&[0.0, 0.0, 0.01, 0.9], &[(1, 2), (2, 3), (1, 3)]);
        state.x[3] = Vec3::new(1.5, 0.0, 0.0); // too near to 2 and to 1
        let cuts = Cuts { speed: 0.1, separating: true };
        assert_eq!(implicit(cuts, &(net, state)), [false, true, true]);
    }
}
