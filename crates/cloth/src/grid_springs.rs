mod eight_springs;

use eight_springs::{EightSprings, Law};
use linsolve::grid::{GridAssembly, GridChoice, GridOperator, GridPlace, GridShape, GridVector};
use linsolve::lanes::InstructionSet;

use crate::{Cloth, Family, Linearisation, Spring, State, System, Terms, Vec3};

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
    fields: Fields,
}

/// Positions, velocities and ways of all particles, and their masses.
#[derive(Debug)]
struct Fields {
    x: GridVector,
    v: GridVector,
    w: GridVector,
    /// \[kg\], with zeros behind the last one up to a whole tile.
    masses: Vec<f64>,
}

impl Fields {
    /// The springs of a sheet there, of one kind for each step, with the weights h and h g.
    fn springs(&self, kinds: &[Option<Spring>; 8], cloth: &Cloth, h: f64, hg: f64) -> EightSprings<'_> {
        let laws = kinds.map(|spring| spring.map_or(Law::none(), |spring| Law::of(&spring, cloth.material())));
        let Fields { x, v, w, masses } = self;
        EightSprings { laws, h, hg, h_air: h * cloth.material().air, masses, x, v, w }
    }
}

impl GridSprings {
    /// Of a sheet whose Jacobians have these terms; none where they have no such form: unless they are filtered, and where springs
    /// soften beyond their knee and are stiffer across than along.
    pub fn new(cloth: &Cloth, terms: Terms) -> Option<GridSprings> {
        if terms != Terms::Filtered || cloth.material().softens() {
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
            if !place.is_near() && spring.family != Family::Bend {
                return None; // beyond neighbours a = 0
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
            fields: Fields { x: vector(), v: vector(), w: vector(), masses: vec![0.0; shape.rows().next_multiple_of(8)] },
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
        assert_eq!([at.x.len(), at.v.len(), at.w.len()], [self.shape.rows(); 3], "particles of x, v and w");
        self.implicit.choose(&self.places, implicit);
        self.fields.x.set(at.x.iter().copied());
        self.fields.v.set(at.v.iter().copied());
        self.fields.w.set(at.w.iter().copied());
        self.fields.masses[..self.shape.rows()].copy_from_slice(cloth.masses());
        let springs = self.fields.springs(&self.kinds, cloth, at.h, at.h * at.g);
        self.assembly.assemble(&springs, &self.implicit.choice, a, b);
    }

    /// Adds to `f` \[N\], shape \[particle_count\], what [`System::add_explicit_forces`] of that sheet adds at a state: the forces
    /// of the springs that are not implicit, gravity and drag. Runs on `set`, with the same bits on each; allocates nothing.
    ///
    /// # Panics
    /// Where the sheet has another size, and on an instruction set that this machine does not have.
    pub fn add_explicit_forces(&mut self, cloth: &Cloth, state: &State, implicit: &[bool], set: InstructionSet, f: &mut [Vec3]) {
        let State { x, v } = state;
        assert_eq!([x.len(), v.len()], [self.shape.rows(); 2], "particles of x and v");
        self.explicit.choose(&self.places, implicit);
        if self.explicit.any {
            self.fields.x.set(x.iter().copied());
            self.fields.v.set(v.iter().copied());
            self.fields.w.clear();
            let springs = self.fields.springs(&self.kinds, cloth, 1.0, 0.0);
            self.assembly.add_forces(&springs, &self.explicit.choice, set, f);
        }
        cloth.add_gravity_and_drag(x, v, f);
    }
}

/// The implicit springs, or those that are not.
#[derive(Debug)]
struct Chosen {
    /// Which of both.
    those: bool,
    /// Which springs are implicit, shape \[springs\].
    implicit: Vec<bool>,
    choice: GridChoice,
    any: bool,
}

impl Chosen {
    /// None so far.
    fn new(shape: GridShape, those: bool, places: &[GridPlace]) -> Chosen {
        Chosen { those, implicit: vec![!those; places.len()], choice: GridChoice::new(shape), any: false }
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
