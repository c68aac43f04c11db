use linsolve::grid::{Coupling, Couplings, GridAssembly, GridChoice, GridOperator, GridPlace, GridShape, GridVector};
use linsolve::lanes::{Eight, InstructionSet, dot, minus};

use crate::bending::bend_force_and_slope;
use crate::{Cloth, DampingForm, Elastic, Family, Linearisation, Material, Spring, System, Terms, Vec3};

/// The springs of a sheet as couplings of a [`GridOperator`]: what [`System::add_linearised`] of [`Cloth`] is to block rows.
///
/// The filtered Jacobians of a spring are scalars along its axis n and across it, so that h D + h g K = a I + m mᵀ, where m points
/// along n. Eight springs at a time are evaluated once for matrix and forces; whether they act is decided as in [`Cloth`] to the
/// last bit, but a spring whose length is not a number does not act.
#[derive(Debug)]
pub struct GridSprings {
    shape: GridShape,
    /// Shape \[springs\].
    places: Vec<GridPlace>,
    /// One spring of each step; all of a step are alike.
    kinds: [Option<Spring>; 8],
    implicit: Chosen,
    explicit: Chosen,
    assembly: GridAssembly,
    x: GridVector,
    v: GridVector,
    w: GridVector,
    /// \[kg\], with zeros behind the last one up to a whole tile.
    masses: Vec<f64>,
}

impl GridSprings {
    /// Of a sheet whose Jacobians have these terms; none where they have no such form: unless they are filtered, and where springs
    /// soften beyond their knee and are stiffer across than along.
    pub fn new(cloth: &Cloth, terms: Terms) -> Option<GridSprings> {
        let softens = cloth.material().stiffening.is_some_and(|stiffening| stiffening.factor < 1.0);
        if terms != Terms::Filtered || softens {
            return None;
        }
        let shape = GridShape::new(cloth.grid().nx(), cloth.grid().ny());
        let mut kinds: [Option<Spring>; 8] = [None; 8];
        let mut places = Vec::with_capacity(cloth.springs().len());
        for spring in cloth.springs() {
            let place = shape.place(spring.i, spring.j)?;
            let kind = kinds[place.step()].get_or_insert(*spring);
            if (kind.rest, kind.family) != (spring.rest, spring.family) {
                return None;
            }
            places.push(place);
        }
        let vector = || GridVector::new(shape);
        Some(GridSprings {
            shape,
            kinds,
            implicit: Chosen::new(shape, true, &places),
            explicit: Chosen::new(shape, false, &places),
            places,
            assembly: GridAssembly::new(shape),
            x: vector(),
            v: vector(),
            w: vector(),
            masses: vec![0.0; shape.rows().next_multiple_of(8)],
        })
    }

    /// The grid of the sheet.
    pub fn shape(&self) -> GridShape {
        self.shape
    }

    /// Overwrites `a` with M - h D - h g K and adds h (f + K w) to `b`, shape \[particle_count\], for the forces f of the implicit
    /// springs of that sheet and of air, with their derivatives K by position and D by velocity. Runs on the instruction set of
    /// `a`, with the same bits on each; allocates nothing.
    ///
    /// # Panics
    /// Where the sheet or the operator has another size.
    pub fn linearise(&mut self, cloth: &Cloth, at: &Linearisation, implicit: &[bool], a: &mut GridOperator, b: &mut [Vec3]) {
        assert_eq!(a.shape(), self.shape, "shapes of the sheet and of its operator");
        self.implicit.choose(&self.places, implicit);
        self.x.set(at.x.iter().copied());
        self.v.set(at.v.iter().copied());
        self.w.set(at.w.iter().copied());
        self.masses[..self.shape.rows()].copy_from_slice(cloth.masses());
        let springs = Springs {
            kinds: kinds(&self.kinds, cloth),
            h: at.h,
            g: at.g,
            air: cloth.material().air,
            x: &self.x,
            v: &self.v,
            w: &self.w,
            masses: &self.masses,
        };
        self.assembly.assemble(&springs, &self.implicit.choice, a, b);
    }

    /// Adds to `f` \[N\], shape \[particle_count\], what [`System::add_explicit_forces`] of that sheet adds: the forces of the springs
    /// that are not implicit, gravity and drag. Runs on `set`, with the same bits on each; allocates nothing.
    ///
    /// # Panics
    /// Where the sheet has another size, and on an instruction set that this machine does not have.
    pub fn add_explicit_forces(
        &mut self,
        cloth: &Cloth,
        implicit: &[bool],
        set: InstructionSet,
        (x, v): (&[Vec3], &[Vec3]),
        f: &mut [Vec3],
    ) {
        self.explicit.choose(&self.places, implicit);
        if self.explicit.any {
            self.x.set(x.iter().copied());
            self.v.set(v.iter().copied());
            self.w.clear();
            let springs = Springs {
                kinds: kinds(&self.kinds, cloth),
                h: 1.0,
                g: 0.0,
                air: 0.0,
                x: &self.x,
                v: &self.v,
                w: &self.w,
                masses: &self.masses,
            };
            self.assembly.add_forces(&springs, &self.explicit.choice, set, f);
        }
        cloth.add_gravity_and_drag(x, v, f);
    }
}

fn kinds(springs: &[Option<Spring>; 8], cloth: &Cloth) -> [Kind; 8] {
    springs.map(|spring| spring.map_or(Kind::NONE, |spring| Kind::of(&spring, cloth.material())))
}

/// The implicit springs, or those that are not.
#[derive(Debug)]
struct Chosen {
    /// Which of both.
    those: bool,
    /// Which springs are implicit, shape \[springs\].
    implicit: Vec<bool>,
    choice: GridChoice,
    /// Whether there are any.
    any: bool,
}

impl Chosen {
    /// All implicit.
    fn new(shape: GridShape, those: bool, places: &[GridPlace]) -> Chosen {
        let mut chosen = Chosen { those, implicit: vec![false; places.len()], choice: GridChoice::new(shape), any: !those };
        chosen.choose(places, &vec![true; places.len()]);
        chosen
    }

    /// Takes the springs that are implicit, unless they are those that it has.
    fn choose(&mut self, places: &[GridPlace], implicit: &[bool]) {
        if self.implicit == implicit {
            return;
        }
        self.implicit.copy_from_slice(implicit);
        self.choice.clear();
        self.any = false;
        for (place, implicit) in places.iter().zip(implicit) {
            let chosen = *implicit == self.those;
            self.choice.add(*place, chosen);
            self.any |= chosen;
        }
    }
}

/// The springs of one step, as lanes take them.
#[derive(Clone, Copy)]
struct Kind {
    family: Family,
    /// Least and largest |x|² \[m²\] of a spring that acts.
    acts: [f64; 2],
    /// L \[m\]
    rest: f64,
    /// ks \[N/m\] of stretch and shear.
    stiffness: f64,
    /// Extension \[m\] at the knee, the first one beyond it, and what ks grows by there \[N/m\].
    knee: f64,
    beyond_knee: f64,
    stiffened: f64,
    /// kd \[N s/m\] of a plain and of a projected damper, one of which is zero.
    plain: f64,
    projected: f64,
    /// kb \[N/m\]
    bend: f64,
}

impl Kind {
    /// Does not act.
    const NONE: Kind = Kind {
        family: Family::Bend,
        acts: [f64::INFINITY, 0.0],
        rest: 1.0,
        stiffness: 0.0,
        knee: f64::INFINITY,
        beyond_knee: f64::INFINITY,
        stiffened: 0.0,
        plain: 0.0,
        projected: 0.0,
        bend: 0.0,
    };

    fn of(spring: &Spring, material: &Material) -> Kind {
        let &Spring { rest, family, .. } = spring;
        let any = f64::from_bits(1); // above zero
        let Elastic { stiffness, damping } = match family {
            Family::Stretch => material.stretch,
            Family::Shear => material.shear,
            Family::Bend => {
                let acts = [any, square_reaching(rest).next_down()]; // |x| < L
                return Kind { acts, rest, bend: material.bend, ..Kind::NONE };
            }
        };
        let least = if material.compression { any } else { square_reaching(rest * (1.0 - material.extension_tolerance)) };
        let (plain, projected) = match material.damping {
            DampingForm::Plain => (damping, 0.0),
            DampingForm::Projected => (0.0, damping),
        };
        let kind = Kind { family, acts: [least, f64::INFINITY], rest, stiffness, plain, projected, ..Kind::NONE };
        match material.stiffening {
            None => kind,
            Some(stiffening) => {
                let knee = stiffening.strain * rest;
                Kind { knee, beyond_knee: knee.next_up(), stiffened: (stiffening.factor - 1.0) * stiffness, ..kind }
            }
        }
    }

    /// Tension \[N\] and its slope over the extension \[N/m\].
    #[inline(always)]
    fn tension<E: Eight>(&self, length: E) -> [E; 2] {
        if self.family == Family::Bend {
            let [force, slope] = bend_force_and_slope(length * E::splat(1.0 / self.rest));
            return [E::splat(self.bend * self.rest) * force, E::splat(self.bend) * slope]; // kb L f(s), kb f'(s)  [Boxerman 2003, eq. 3.10]
        }
        let extension = length - E::splat(self.rest);
        let stiffened = E::splat(self.stiffened).kept(extension.reaching(E::splat(self.beyond_knee)));
        let stiffness = E::splat(self.stiffness);
        let beyond = (extension - E::splat(self.knee)).max(E::splat(0.0));
        [stiffness * extension + stiffened * beyond, stiffness + stiffened] // ks (|x| - L), and more beyond the knee
    }
}

/// The smallest number whose square root is `length` or more.
fn square_reaching(length: f64) -> f64 {
    let mut square = length * length;
    while square.next_down().sqrt() >= length {
        square = square.next_down();
    }
    while square.sqrt() < length {
        square = square.next_up();
    }
    square
}

/// All springs of a sheet at a state.
struct Springs<'a> {
    /// Shape \[steps\].
    kinds: [Kind; 8],
    h: f64,
    g: f64,
    air: f64,
    x: &'a GridVector,
    v: &'a GridVector,
    w: &'a GridVector,
    masses: &'a [f64],
}

impl Couplings for Springs<'_> {
    /// m + h ka, and h (-ka v) of air.
    #[inline(always)]
    fn diagonal<E: Eight>(&self, row: usize) -> (E, [E; 3]) {
        let air = E::splat(self.h * self.air); // -ka v, with D = -ka I
        (E::load_from(self.masses, row) + air, scaled(-air, self.v.eight(row)))
    }

    /// The force of a spring on its first particle is T n + kd (v_j - v_i), or T n + kd (n·(v_j - v_i)) n, with filtered derivatives
    /// across I + (along - across) n nᵀ by position and kd I, or kd n nᵀ, by velocity.
    #[inline(always)]
    fn coupling<E: Eight>(&self, step: usize, row: usize, other: usize, chosen: u8) -> Option<Coupling<E>> {
        let kind = &self.kinds[step];
        let xij = minus(self.x.eight::<E>(other), self.x.eight(row));
        let square = dot(xij, xij);
        let acts = chosen & square.reaching(E::splat(kind.acts[0])) & E::splat(kind.acts[1]).reaching(square);
        if acts == 0 {
            return None;
        }
        let (h, hg, zero) = (E::splat(self.h), E::splat(self.h * self.g), E::splat(0.0));
        let length = square.sqrt();
        let inverse = E::splat(1.0) / length;
        let n = scaled(inverse, xij);
        let way = minus(self.w.eight::<E>(other), self.w.eight(row));
        let [tension, along] = kind.tension(length);
        if kind.family == Family::Bend {
            let pull = tension + along * dot(n, way); // f + K w, all along n
            let axial = (hg * along).max(zero);
            return Some(Coupling { acts, a: zero, m: scaled(axial.sqrt(), n), force: scaled(h * pull, n) });
        }
        let across = tension.max(zero) * inverse; // T / |x|, dropped where T < 0
        let stretched = minus(self.v.eight::<E>(other), self.v.eight(row));
        let rate = dot(xij, stretched) * inverse;
        let (plain, projected) = (E::splat(kind.plain), E::splat(kind.projected).kept(rate.reaching(zero)));
        let pull = tension + projected * rate + (along - across) * dot(n, way);
        let mut force = scaled(h * pull, n);
        for q in 0..3 {
            force[q] = force[q] + h * (plain * stretched[q] + across * way[q]); // h (f + K w)
        }
        let axial = (h * projected + hg * (along - across)).max(zero);
        Some(Coupling { acts, a: h * plain + hg * across, m: scaled(axial.sqrt(), n), force })
    }
}

#[inline(always)]
fn scaled<E: Eight>(factor: E, mut vector: [E; 3]) -> [E; 3] {
    for q in 0..3 {
        vector[q] = factor * vector[q];
    }
    vector
}
