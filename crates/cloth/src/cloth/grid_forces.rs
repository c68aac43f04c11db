use linsolve::lanes::{Eight, Kernel, dot, minus, plus, scaled};

use super::Cloth;
use crate::spring::{damping_of_eight, tension_of_eight};
use crate::{Elastic, Vec3};

/// Adds the forces of all springs of a sheet, and of their dampers, to `f` \[N\], shape \[particle_count\]: eight particles of a row at a
/// time, to the bits of [`Cloth::spring_force`] spring by spring. Each spring is evaluated for both of its ends, so that nothing is
/// scattered; what reaches a particle is added in the order of the springs.
pub(super) struct GridForces<'a> {
    pub cloth: &'a Cloth,
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
    pub f: &'a mut [Vec3],
}

/// Columns of a tile.
const COLUMNS: usize = 32;
/// Reach of springs, in rows and columns.
const REACH: usize = 2;
/// Rows that a row needs, those that springs lead to and from.
const ROWS: usize = 2 * REACH + 1;
/// Numbers of a row of a tile, with what its last lanes look at.
const WIDTH: usize = COLUMNS + 2 * REACH + 8;
/// Springs of a particle to those behind it; as many lead to it from those before.
const SPRINGS: usize = 8;
/// The springs to a particle in the order of the particles that they come from, as places among [`Grid::steps`](crate::Grid::steps).
const TO: [usize; SPRINGS] = [6, 5, 7, 2, 1, 3, 4, 0];

/// Positions and velocities of some rows of a tile, coordinate by coordinate; row r of the sheet stands at r % [`ROWS`].
type Window = [[[f64; WIDTH]; 6]; ROWS];

/// A spring from each particle of a sheet.
#[derive(Clone, Copy)]
struct Law {
    columns: isize,
    rows: usize,
    rest: f64,
    /// None where it bends.
    elastic: Option<Elastic>,
}

impl Kernel for GridForces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let GridForces { cloth, x, v, f } = self;
        let (nx, ny) = (cloth.grid.nx(), cloth.grid.ny());
        let mut laws = [Law { columns: 0, rows: 0, rest: 1.0, elastic: None }; SPRINGS];
        for (law, (columns, rows, rest, family)) in laws.iter_mut().zip(cloth.grid.steps()) {
            *law = Law { columns, rows, rest, elastic: cloth.elastic(family) };
        }
        let bends = cloth.material.bend > 0.0;
        let mut window: Window = [[[0.0; WIDTH]; 6]; ROWS];
        for first in (0..nx).step_by(COLUMNS) {
            let width = (nx - first).min(COLUMNS);
            for row in 0..ny.min(REACH) {
                place(&mut window, [x, v], nx, row, first, width);
            }
            for row in 0..ny {
                if row + REACH < ny {
                    place(&mut window, [x, v], nx, row + REACH, first, width);
                }
                for at in (0..width).step_by(8) {
                    let count = (width - at).min(8);
                    let particles = row * nx + first + at..row * nx + first + at + count;
                    let mut lanes = [[0.0; 8]; 3];
                    for (lane, f) in f[particles.clone()].iter().enumerate() {
                        for q in 0..3 {
                            lanes[q][lane] = f[q];
                        }
                    }
                    let mut sum = [E::load(&lanes[0]), E::load(&lanes[1]), E::load(&lanes[2])];
                    let here = state::<E>(&window, row, at);
                    for k in TO {
                        let law = &laws[k];
                        if law.rows <= row && (bends || law.elastic.is_some()) {
                            let there = state::<E>(&window, row - law.rows, at.wrapping_add_signed(-law.columns));
                            let (acts, force) = cloth.force_of_eight(law, there, here);
                            sum = replaced(sum, acts & columns(nx, first + at, -law.columns), minus(sum, force));
                        }
                    }
                    for law in &laws {
                        if row + law.rows < ny && (bends || law.elastic.is_some()) {
                            let there = state::<E>(&window, row + law.rows, at.wrapping_add_signed(law.columns));
                            let (acts, force) = cloth.force_of_eight(law, here, there);
                            sum = replaced(sum, acts & columns(nx, first + at, law.columns), plus(sum, force));
                        }
                    }
                    for q in 0..3 {
                        sum[q].store(&mut lanes[q]);
                    }
                    for (lane, f) in f[particles].iter_mut().enumerate() {
                        *f = Vec3::new(lanes[0][lane], lanes[1][lane], lanes[2][lane]);
                    }
                }
            }
        }
    }
}

/// Puts a row of a tile, and what springs reach beside it, into a window.
#[inline(always)]
fn place(window: &mut Window, [x, v]: [&[Vec3]; 2], nx: usize, row: usize, first: usize, width: usize) {
    let own = &mut window[row % ROWS];
    for column in first.saturating_sub(REACH)..(first + width + REACH).min(nx) {
        let (k, at) = (row * nx + column, column + REACH - first);
        for q in 0..3 {
            own[q][at] = x[k][q];
            own[3 + q][at] = v[k][q];
        }
    }
}

/// Positions and velocities of eight particles of a row from a column of the tile on.
#[inline(always)]
fn state<E: Eight>(window: &Window, row: usize, column: usize) -> [[E; 3]; 2] {
    let (own, at) = (&window[row % ROWS], column.wrapping_add(REACH));
    let x = [E::load_from(&own[0], at), E::load_from(&own[1], at), E::load_from(&own[2], at)];
    [x, [E::load_from(&own[3], at), E::load_from(&own[4], at), E::load_from(&own[5], at)]]
}

/// `other` in the lanes whose bits are set, `sum` in the rest.
#[inline(always)]
fn replaced<E: Eight>([x, y, z]: [E; 3], lanes: u8, [a, b, c]: [E; 3]) -> [E; 3] {
    [x.replaced(lanes, a), y.replaced(lanes, b), z.replaced(lanes, c)]
}

/// A bit for each of eight columns from one on: whether the sheet has it, and the one so many columns further.
#[inline(always)]
fn columns(nx: usize, column: usize, further: isize) -> u8 {
    let low = (further.min(0).unsigned_abs()).saturating_sub(column).min(8);
    let high = nx.saturating_sub(column + further.max(0).unsigned_abs()).min(8);
    let below = |end: usize| ((1_u16 << end) - 1) as u8;
    below(high) & !below(low)
}

impl Cloth {
    /// Forces of eight springs on their first particles, a bit for each that acts.
    #[inline(always)]
    fn force_of_eight<E: Eight>(&self, law: &Law, one: [[E; 3]; 2], other: [[E; 3]; 2]) -> (u8, [E; 3]) {
        let (zero, rest) = (E::splat(0.0), E::splat(law.rest));
        let d = minus(other[0], one[0]);
        let square = dot(d, d);
        let Some(Elastic { stiffness, damping }) = law.elastic else {
            // none is shorter than at rest where no square is smaller, whatever a root rounds
            if square.reaching(E::splat(law.rest * law.rest * (1.0 + 1e-14))) == 0xff {
                return (0, d);
            }
            let length = square.sqrt();
            let acts = !length.reaching(rest) & length.reaching(zero) & !zero.reaching(length);
            let force = self.material.bend_law.force_of_eight(length / rest);
            let scale = E::splat(self.material.bend * law.rest) * force / length; // kb L f(s)  [Boxerman 2003, eq. 3.8]
            return (acts, scaled(scale, d));
        };
        let length = square.sqrt();
        let acts = if self.material.compression {
            0xff
        } else {
            length.reaching(rest * E::splat(1.0 - self.material.extension_tolerance))
        };
        let acts = acts & length.reaching(zero) & !zero.reaching(length);
        if acts == 0 {
            return (0, d);
        }
        let tension = tension_of_eight(E::splat(stiffness), rest, length - rest, self.material.stiffening, 0xff);
        let pull = scaled(tension / length, d); // ks (|x| - L) x/|x|  [Boxerman 2003, eq. 3.6]
        if damping == 0.0 {
            return (acts, pull);
        }
        let relative = minus(other[1], one[1]);
        (acts, plus(pull, damping_of_eight(self.material.damping, E::splat(damping), d, square, relative)))
    }
}

#[cfg(test)]
mod tests {
    use linsolve::lanes::InstructionSet;

    use super::*;
    use crate::{DampingForm, Grid, Material, Stiffening};

    #[test]
    fn eight_particles_get_the_bits_of_one_spring_at_a_time() {
        let wave = |k: usize, shift: f64| {
            let k = k as f64;
            0.04 * Vec3::new(libm::sin(3.1 * k + shift), libm::cos(5.3 * k), libm::sin(7.7 * k * k - shift))
        };
        let elastic = |stiffness: f64, damping: f64| Elastic { stiffness, damping };
        for (nx, ny) in [(2, 2), (3, 3), (5, 2), (2, 7), (9, 4), (67, 6), (130, 3)] {
            for (compression, damping, knee, kd, flat) in [
                (false, DampingForm::Projected, 0.2, 0.3, false),
                (true, DampingForm::Plain, 0.0, 0.3, false),
                (false, DampingForm::Plain, 0.0, 0.0, true),
                (true, DampingForm::Projected, 0.1, 0.0, false),
            ] {
                let material = Material {
                    stretch: elastic(100.0, kd),
                    shear: elastic(30.0, 0.5 * kd),
                    bend: if flat { 0.0 } else { 0.7 },
                    damping,
                    compression,
                    stiffening: (knee > 0.0).then_some(Stiffening { strain: knee, factor: 3.0 }),
                    ..Material::default()
                };
                let cloth = Cloth::new(Grid::new(nx, ny, 0.1).unwrap(), material, &[]).unwrap();
                let mut x = cloth.at_rest().x;
                if !flat {
                    x.iter_mut().enumerate().for_each(|(k, x)| *x += wave(k, 0.2));
                    x[1] = x[0]; // a spring without a direction
                }
                let v: Vec<Vec3> = (0..nx * ny).map(|k| wave(k, 0.9)).collect();
                let begin: Vec<Vec3> = (0..nx * ny).map(|k| wave(k, 0.4)).collect();
                let mut expected = begin.clone();
                for spring in cloth.springs() {
                    let force = cloth.spring_force(spring, &x, &v);
                    expected[spring.i] += force;
                    expected[spring.j] -= force;
                }
                let changed = expected.iter().zip(&begin).filter(|(f, begin)| f != begin).count();
                assert!(flat || nx * ny < 20 || 2 * changed > nx * ny, "{changed} of {nx} x {ny}");
                for set in InstructionSet::supported() {
                    let mut f = begin.clone();
                    set.run(GridForces { cloth: &cloth, x: &x, v: &v, f: &mut f });
                    let bits = |f: &[Vec3]| f.iter().flatten().map(|number| number.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(&f), bits(&expected), "{set}, {nx} x {ny}, {compression}, {kd}");
                }
            }
        }
    }

    #[test]
    fn columns_by_hand() {
        assert_eq!(columns(20, 0, 0), 0xff);
        assert_eq!((columns(20, 0, -2), columns(20, 8, -2)), (0b1111_1100, 0xff));
        assert_eq!((columns(20, 16, 0), columns(20, 16, 1), columns(20, 16, 2)), (0b1111, 0b111, 0b11));
        assert_eq!(columns(1, 0, 2), 0);
    }
}
