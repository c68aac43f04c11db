/// Methods of [`System`](crate::System), by name, that pass on to the system in a field: for what stands before another system and changes some of it. A crate
/// that uses it needs `linsolve` for the types of their arguments.
#[macro_export]
macro_rules! pass_on {
    ($field:ident: $($method:ident),+ $(,)?) => {
        $($crate::pass_on!(@$method $field);)+
    };
    (@accelerate $field:ident) => {
        fn accelerate(&self, x: &[$crate::Vec3], v: &[$crate::Vec3], a: &mut [$crate::Vec3]) {
            self.$field.accelerate(x, v, a);
        }
    };
    (@largest_stretch $field:ident) => {
        fn largest_stretch(&self, x: &[$crate::Vec3]) -> f64 {
            self.$field.largest_stretch(x)
        }
    };
    (@strain_energy $field:ident) => {
        fn strain_energy(&self) -> Option<f64> {
            self.$field.strain_energy()
        }
    };
    (@unforeseen_strain $field:ident) => {
        fn unforeseen_strain(&self, hg: f64, x: &[$crate::Vec3], next: &[$crate::Vec3], enough: f64) -> f64 {
            self.$field.unforeseen_strain(hg, x, next, enough)
        }
    };
    (@masses $field:ident) => {
        fn masses(&self) -> &[f64] {
            self.$field.masses()
        }
    };
    (@pinned $field:ident) => {
        fn pinned(&self) -> &[bool] {
            self.$field.pinned()
        }
    };
    (@guides $field:ident) => {
        fn guides(&self) -> &[(usize, linsolve::Constraint)] {
            self.$field.guides()
        }
    };
    (@resistance $field:ident) => {
        fn resistance(&self, particle: usize) -> Option<f64> {
            self.$field.resistance(particle)
        }
    };
    (@coupling_count $field:ident) => {
        fn coupling_count(&self) -> usize {
            self.$field.coupling_count()
        }
    };
    (@pairs $field:ident) => {
        fn pairs(&self) -> Vec<(usize, usize)> {
            self.$field.pairs()
        }
    };
    (@choices_follow $field:ident) => {
        fn choices_follow(&self, splitting: &$crate::implicit::Splitting) -> bool {
            self.$field.choices_follow(splitting)
        }
    };
    (@choose_implicit $field:ident) => {
        fn choose_implicit(
            &self,
            splitting: &$crate::implicit::Splitting,
            dt: f64,
            state: &$crate::State,
            implicit: &mut [bool],
        ) {
            self.$field.choose_implicit(splitting, dt, state, implicit);
        }
    };
    (@joined_by $field:ident) => {
        fn joined_by(&self, coupling: usize, x: &[$crate::Vec3]) -> Option<(usize, usize)> {
            self.$field.joined_by(coupling, x)
        }
    };
    (@add_explicit_forces $field:ident) => {
        fn add_explicit_forces(
            &self,
            implicit: &[bool],
            x: &[$crate::Vec3],
            v: &[$crate::Vec3],
            f: &mut [$crate::Vec3],
        ) {
            self.$field.add_explicit_forces(implicit, x, v, f);
        }
    };
    (@add_linearised $field:ident) => {
        fn add_linearised(
            &self,
            at: &$crate::Linearisation,
            implicit: &[bool],
            a: &mut linsolve::BlockRows,
            b: &mut [$crate::Vec3],
        ) {
            self.$field.add_linearised(at, implicit, a, b);
        }
    };
    (@add_curvatures $field:ident) => {
        fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
            self.$field.add_curvatures(h, add);
        }
    };
    (@potential $field:ident) => {
        fn potential(&self, x: &[$crate::Vec3], v: &[$crate::Vec3]) -> Option<$crate::Potential> {
            self.$field.potential(x, v)
        }
    };
    (@sheet $field:ident) => {
        fn sheet(&self) -> Option<&$crate::Cloth> {
            self.$field.sheet()
        }
    };
    (@triangles $field:ident) => {
        fn triangles(&self) -> Option<&$crate::triangles::TriangleMesh> {
            self.$field.triangles()
        }
    };
}
