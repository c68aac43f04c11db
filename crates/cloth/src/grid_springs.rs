use linsolve::grid::{GridOperator, GridPlace, GridShape};

use crate::{
    Cloth, DampingForm, Elastic, Family, Linearisation, Material, Spring, System, Terms, Vec3, bend_force, bend_force_slope,
    tension, tension_slope,
};

/// The springs of a sheet as couplings of a [`GridOperator`]: what [`System::add_linearised`] of [`Cloth`] is to block rows.
///
/// The filtered Jacobians of a spring are scalars along its axis n and across it, so that h D + h g K = a I + m mᵀ, where m points
/// along n.
#[derive(Clone, Debug)]
pub struct GridSprings {
    shape: GridShape,
    /// Shape \[springs\].
    places: Vec<GridPlace>,
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
        let places = cloth.springs().iter().map(|spring| shape.place(spring.i, spring.j)).collect::<Option<_>>()?;
        Some(GridSprings { shape, places })
    }

    /// The grid of the sheet.
    pub fn shape(&self) -> GridShape {
        self.shape
    }

    /// Overwrites `a` with M - h D - h g K and adds h (f + K w) to `b`, shape \[particle_count\], for the forces f of the implicit
    /// springs of that sheet and of air, with their derivatives K by position and D by velocity.
    ///
    /// # Panics
    /// Where the sheet or the operator has another size.
    pub fn linearise(&self, cloth: &Cloth, at: &Linearisation, implicit: &[bool], a: &mut GridOperator, b: &mut [Vec3]) {
        let &Linearisation { x, v, w, h, g, .. } = at;
        assert_eq!(a.shape(), self.shape, "shapes of the sheet and of its operator");
        let air = h * cloth.material().air; // -ka v, with D = -ka I
        for (i, m) in cloth.masses().iter().enumerate() {
            a.set_diagonal(i, m + air);
            b[i] -= air * v[i];
        }
        for ((spring, place), implicit) in cloth.springs().iter().zip(&self.places).zip(implicit) {
            let (i, j) = (spring.i, spring.j);
            let acting = if *implicit { Acting::of(cloth, spring, x, v) } else { None };
            let Some(Acting { n, pull, across, along, plain, projected }) = acting else {
                a.set_coupling(*place, 0.0, &Vec3::zeros());
                continue;
            };
            let way = w[j] - w[i];
            let followed = across * way + (along - across) * n.dot(&way) * n; // K w
            let stretched = v[j] - v[i];
            let impulse = h * (pull * n + plain * stretched + followed); // h (f + K w)
            b[i] += impulse;
            b[j] -= impulse;
            let axial = h * projected + h * g * (along - across);
            a.set_coupling(*place, h * plain + h * g * across, &(axial.sqrt() * n));
        }
    }
}

/// A spring that acts, by scalars: its force on its first particle is pull n + plain (v_j - v_i), with filtered derivatives
/// across I + (along - across) n nᵀ by position and plain I + projected n nᵀ by velocity.
struct Acting {
    /// (x_j - x_i) / |x_j - x_i|
    n: Vec3,
    /// \[N\], of the spring and of a projected damper.
    pull: f64,
    /// \[N/m\]
    across: f64,
    /// \[N/m\]
    along: f64,
    /// kd \[N s/m\] of a plain damper.
    plain: f64,
    /// kd \[N s/m\] of a projected damper that acts.
    projected: f64,
}

impl Acting {
    #[inline]
    fn of(cloth: &Cloth, spring: &Spring, x: &[Vec3], v: &[Vec3]) -> Option<Acting> {
        let xij = x[spring.j] - x[spring.i];
        let length = xij.norm();
        if !cloth.is_active(spring, x) || length == 0.0 {
            return None;
        }
        let &Material { stretch, shear, bend, damping, stiffening, .. } = cloth.material();
        let n = xij / length;
        let Elastic { stiffness, damping: kd } = match spring.family {
            Family::Stretch => stretch,
            Family::Shear => shear,
            Family::Bend => {
                let s = length / spring.rest;
                let (pull, along) = (bend * spring.rest * bend_force(s), bend * bend_force_slope(s)); // kb f'(s)  [Boxerman 2003, eq. 3.10]
                return Some(Acting { n, pull, across: 0.0, along, plain: 0.0, projected: 0.0 });
            }
        };
        let extension = length - spring.rest;
        let pull = tension(stiffness, spring.rest, extension, stiffening);
        let along = tension_slope(stiffness, spring.rest, extension, stiffening);
        let across = pull.max(0.0) / length; // T / |x|, dropped where T < 0
        let rate = xij.dot(&(v[spring.j] - v[spring.i])) / length;
        let (plain, projected) = match damping {
            DampingForm::Plain => (kd, 0.0),
            DampingForm::Projected if rate < 0.0 => (0.0, 0.0),
            DampingForm::Projected => (0.0, kd),
        };
        Some(Acting { n, pull: pull + projected * rate, across, along, plain, projected })
    }
}
