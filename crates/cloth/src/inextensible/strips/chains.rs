use linsolve::lanes::{Eight, InstructionSet, Kernel, dot, minus};
use linsolve::scalar::SmallestPivot;

use super::field::Field;
use super::part::{Part, PartWork};
use crate::Vec3;
use crate::inextensible::FilterStop;

/// Chains at a time.
const LANES: usize = 8;

/// A number of each chain.
type Lanes = [f64; LANES];

/// Up to eight chains of equal length and numbering, worked on together: each lane has the bits of its [`Part`] alone.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    set: InstructionSet,
    parts: Vec<Part>,
    links: Vec<Link>,
    w: Vec<Lanes>,      // of the particles [1/kg]
    y: Vec<[Lanes; 3]>, // positions or velocities
    lengths: Vec<Lanes>,
    impulses: Vec<Lanes>,
}

/// An edge of each chain, with its share of the factors.
#[derive(Clone, Debug)]
struct Link {
    ends: [usize; 2],
    rest: Lanes,
    weight: Lanes,   // A_kk
    coupling: Lanes, // to the next one
    u: [Lanes; 3],
    inverse: Lanes, // 1 / d_k
    below: Lanes,   // l_{k+1,k}
}

impl Chains {
    /// Of some parts that are chains, at most eight; none where they are too different, or too few to be worth it.
    pub fn of(parts: &[Part]) -> Option<Chains> {
        let first = parts.first()?;
        let alike = |part: &Part| {
            let edges = || part.edges.iter().zip(&first.edges);
            part.is_chain() && part.edges.len() == first.edges.len() && edges().all(|(a, b)| (a.i, a.j) == (b.i, b.j))
        };
        if !(2..=LANES).contains(&parts.len()) || !parts.iter().all(alike) {
            return None;
        }
        let of = |lane: usize| &parts[lane.min(parts.len() - 1)]; // lanes that are left repeat the last chain
        let lanes = |number: &dyn Fn(&Part) -> f64| std::array::from_fn(|lane| number(of(lane)));
        let link = |k: usize| Link {
            ends: [first.edges[k].i, first.edges[k].j],
            rest: lanes(&|part| part.edges[k].rest),
            weight: lanes(&|part| part.weight(k)),
            coupling: lanes(&|part| if k + 1 < part.edges.len() { part.coupling(k) } else { 0.0 }),
            u: [[0.0; LANES]; 3],
            inverse: [0.0; LANES],
            below: [0.0; LANES],
        };
        let edges = first.edges.len();
        Some(Chains {
            set: InstructionSet::best(),
            links: (0..edges).map(link).collect(),
            w: (0..first.w.len()).map(|place| lanes(&|part| part.w[place])).collect(),
            y: vec![[[0.0; LANES]; 3]; first.w.len()],
            lengths: vec![[0.0; LANES]; edges],
            impulses: vec![[0.0; LANES]; edges],
            parts: parts.to_vec(),
        })
    }

    /// Runs on this instruction set; the bits stay.
    #[cfg(test)]
    pub fn run_on(&mut self, set: InstructionSet) {
        self.set = set;
    }

    /// What each costs.
    pub fn works(&self) -> impl Iterator<Item = PartWork> {
        self.parts.iter().map(Part::work)
    }

    /// As [`Part::aim`].
    pub fn aim(&mut self, x: &[Vec3]) -> Result<(), FilterStop> {
        self.gather(|particle| x[particle]);
        self.aim_here()
    }

    /// As [`Part::correct_positions`].
    pub fn correct_positions(&mut self, x: &Field, anew: bool) -> Result<(), FilterStop> {
        self.gather(|particle| x.get(particle));
        if anew {
            self.aim_here()?;
        }
        self.set.run(Correct { chains: self, errors: if anew { Errors::Known } else { Errors::Positions } });
        self.scatter(x);
        Ok(())
    }

    /// As [`Part::correct_velocities`].
    pub fn correct_velocities(&mut self, v: &Field) {
        self.gather(|particle| v.get(particle));
        self.set.run(Correct { chains: self, errors: Errors::Velocities });
        self.scatter(v);
    }

    /// As [`Part::largest_rate`], of each.
    pub fn largest_rates<'a>(&'a self, v: &'a Field, dt: f64) -> impl Iterator<Item = f64> + 'a {
        self.parts
            .iter()
            .enumerate()
            .map(move |(lane, part)| part.largest_rate_along(v, dt, |k| Vec3::from_fn(|q, _| self.links[k].u[q][lane])))
    }

    /// Writes their positions or velocities back.
    fn scatter(&self, y: &Field) {
        for (lane, part) in self.parts.iter().enumerate() {
            for (particle, here) in part.particles.iter().zip(&self.y) {
                y.put(*particle, &Vec3::new(here[0][lane], here[1][lane], here[2][lane]));
            }
        }
    }

    fn gather(&mut self, y: impl Fn(usize) -> Vec3) {
        for lane in 0..LANES {
            let part = &self.parts[lane.min(self.parts.len() - 1)];
            for (here, particle) in self.y.iter_mut().zip(&part.particles) {
                let y = y(*particle);
                for q in 0..3 {
                    here[q][lane] = y[q];
                }
            }
        }
    }

    fn aim_here(&mut self) -> Result<(), FilterStop> {
        match self.set.run(Aim(self)) {
            true => Ok(()),
            false => self.failure(),
        }
    }

    /// The first failure in the order of the parts: each is aimed alone.
    #[cold]
    fn failure(&mut self) -> Result<(), FilterStop> {
        for lane in 0..self.parts.len() {
            let here = self.y.iter().map(|y| Vec3::new(y[0][lane], y[1][lane], y[2][lane]));
            let part = &mut self.parts[lane];
            part.y.iter_mut().zip(here).for_each(|(y, here)| *y = here);
            part.aim_here()?;
        }
        Ok(()) // what was not finite is no failure of a part
    }
}

/// Directions and factors; whether nothing was found that may be a failure.
struct Aim<'a>(&'a mut Chains);

impl Kernel for Aim<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<E: Eight>(self) -> bool {
        let Chains { links, y, lengths, .. } = self.0;
        let zero = E::splat(0.0);
        let (mut worst, mut all_finite) = (E::splat(-1.0), zero); // failures are at zero or above
        let (mut before, mut taken) = ([zero; 3], zero);
        let mut coupled: Option<&mut Link> = None;
        for (link, of_link) in links.iter_mut().zip(lengths) {
            let d = vector::<E>(link, y);
            let length = dot(d, d).sqrt();
            let u = [d[0] / length, d[1] / length, d[2] / length];
            if let Some(previous) = coupled {
                let b = E::load(&previous.coupling) * dot(before, u);
                let below = b * E::load(&previous.inverse);
                below.store(&mut previous.below);
                taken = below * b;
            }
            let weight = E::load(&link.weight);
            let pivot = weight - taken; // d_k = a_k - l_{k,k-1} b_{k-1}
            (E::splat(1.0) / pivot).store(&mut link.inverse);
            worst = (-length).max(worst);
            worst = (E::splat(SmallestPivot::RANK_TOLERANCE) * weight - pivot).max(worst);
            all_finite = all_finite + pivot * zero;
            length.store(of_link);
            for q in 0..3 {
                u[q].store(&mut link.u[q]);
            }
            before = u;
            coupled = Some(link);
        }
        let (mut lanes, mut probes) = ([0.0; LANES], [0.0; LANES]);
        worst.store(&mut lanes);
        all_finite.store(&mut probes);
        lanes.iter().all(|worst| *worst < 0.0) && probes.iter().all(|probe| *probe == 0.0)
    }
}

/// x_j - x_i of an edge of each chain.
#[inline(always)]
fn vector<E: Eight>(link: &Link, y: &[[Lanes; 3]]) -> [E; 3] {
    let [i, j] = link.ends;
    minus(triple(&y[j]), triple(&y[i]))
}

/// A vector of each chain.
#[inline(always)]
fn triple<E: Eight>(lanes: &[Lanes; 3]) -> [E; 3] {
    [E::load(&lanes[0]), E::load(&lanes[1]), E::load(&lanes[2])]
}

/// What impulses are to bring to zero.
#[derive(Clone, Copy)]
enum Errors {
    /// abs(d) - l.
    Positions,
    /// abs(d) - l with abs(d) known from the directions.
    Known,
    /// (v_j - v_i)·u.
    Velocities,
}

/// Impulses and what they move.
struct Correct<'a> {
    chains: &'a mut Chains,
    errors: Errors,
}

impl Kernel for Correct<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Correct { chains: Chains { links, w, y, lengths, impulses, .. }, errors } = self;
        let mut carried = E::splat(0.0);
        let mut below = E::splat(0.0);
        for (k, (link, impulse)) in links.iter().zip(&mut *impulses).enumerate() {
            let error = match errors {
                Errors::Known => E::load(&lengths[k]) - E::load(&link.rest),
                Errors::Positions => {
                    let d = vector::<E>(link, y);
                    dot(d, d).sqrt() - E::load(&link.rest)
                }
                Errors::Velocities => dot(vector::<E>(link, y), triple(&link.u)),
            };
            let forward = if k == 0 { error } else { error - below * carried };
            forward.store(impulse);
            (carried, below) = (forward, E::load(&link.below));
        }
        let mut after: Option<E> = None;
        for (link, impulse) in links.iter().zip(&mut *impulses).rev() {
            let mut p = E::load(impulse) * E::load(&link.inverse);
            if let Some(after) = after {
                p = p - E::load(&link.below) * after;
            }
            p.store(impulse);
            after = Some(p);
        }
        for (link, impulse) in links.iter().zip(impulses) {
            let p = E::load(impulse);
            let [i, j] = link.ends;
            let (w_i, w_j) = (E::load(&w[i]), E::load(&w[j]));
            for q in 0..3 {
                let p = p * E::load(&link.u[q]);
                (E::load(&y[i][q]) + w_i * p).store(&mut y[i][q]);
                (E::load(&y[j][q]) - w_j * p).store(&mut y[j][q]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::inextensible::fixtures::scrambled;
    use crate::inextensible::{Division, EdgeConstraints};

    #[test]
    fn lanes_have_the_bits_of_each_part_alone() {
        let grid = Grid::new(9, 5, 0.2).unwrap();
        let masses: Vec<f64> = (0..45).map(|k| 0.1 + 0.02 * f64::from(k % 4)).collect();
        let held: Vec<bool> = (0..45).map(|k| k < 9).collect();
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &masses, &held).unwrap();
        let x = scrambled(&grid, 0.05);
        for mut group in (Division::Strips { nx: 9 }).groups(&constraints) {
            group.truncate(6);
            for set in InstructionSet::supported() {
                let mut parts = group.clone();
                let mut chains = Chains::of(&parts).unwrap();
                chains.run_on(set);
                let both = [(); 2].map(|()| Field::new(x.len()));
                let [expected, found] = &both;
                let taken = || {
                    both.each_ref().map(|field| {
                        let mut y = vec![Vec3::zeros(); x.len()];
                        field.give(&mut y);
                        y
                    })
                };
                for anew in [true, false] {
                    both.iter().for_each(|field| field.set(&x));
                    assert_eq!(chains.correct_positions(found, anew), Ok(()));
                    parts.iter_mut().for_each(|part| part.correct_positions(expected, anew).unwrap());
                    let [expected, found] = taken();
                    assert!(found == expected && found != x, "{set}");
                }
                let v = scrambled(&grid, 1.0);
                both.iter().for_each(|field| field.set(&v));
                let rates: Vec<f64> = parts.iter().map(|part| part.largest_rate(expected, 0.1)).collect();
                assert_eq!(chains.largest_rates(found, 0.1).collect::<Vec<_>>(), rates);
                chains.correct_velocities(found);
                parts.iter_mut().for_each(|part| part.correct_velocities(expected));
                let [expected, found] = taken();
                assert!(found == expected && found != v, "{set}");
            }
        }
    }

    #[test]
    fn the_failure_of_the_first_part_is_told() {
        let grid = Grid::new(4, 3, 1.0).unwrap();
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &[1.0; 12], &[false; 12]).unwrap();
        let mut x = grid.flat();
        (x[6], x[9]) = (x[5], x[8]); // an edge of the second row and one of the third
        let parts = (Division::Strips { nx: 4 }).groups(&constraints).swap_remove(0);
        let mut chains = Chains::of(&parts).unwrap();
        let mut second = parts[1].clone();
        let field = Field::new(12);
        field.set(&x);
        assert_eq!(chains.correct_positions(&field, true), second.correct_positions(&field, true));
        assert!(matches!(second.aim(&x), Err(FilterStop::Coincident { .. })));
        field.set(&grid.flat());
        assert_eq!(chains.correct_positions(&field, true), Ok(()));
    }

    #[test]
    fn parts_that_differ_are_not_taken_together() {
        let grid = Grid::new(4, 3, 1.0).unwrap();
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &[1.0; 12], &[false; 12]).unwrap();
        let groups = (Division::Strips { nx: 4 }).groups(&constraints);
        assert!(Chains::of(&[groups[0][0].clone(), groups[1][0].clone()]).is_none());
        assert!(Chains::of(&groups[0][..1]).is_none() && Chains::of(&groups[1]).is_some());
        let trees = Division::Forests.groups(&constraints);
        assert!(Chains::of(&[trees[0][0].clone(), trees[0][0].clone()]).is_none());
    }
}
