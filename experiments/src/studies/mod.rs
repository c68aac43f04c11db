//! The studies, a file each.

use lab::study::Study;

use crate::ranges::{Unfit, sections};

/// The studies in the order in which they are run, a line each: its file.
macro_rules! studies {
    ($($study:ident),+ $(,)?) => {
        $(pub mod $study;)+

        sections! {
            /// Sample sizes and ranges of every study, a section each: a profile file.
            Ranges { $($study: $study::Ranges,)+ }
        }

        impl Ranges {
            /// Refuses values that do not go together.
            ///
            /// # Errors
            /// The first one.
            pub fn check(&self) -> Result<(), Unfit> {
                $(self.$study.check().map_err(|unfit| unfit.within(&stringify!($study).replace('_', "-")))?;)+
                Ok(())
            }
        }

        /// All studies.
        pub fn all(ranges: &Ranges) -> Vec<Study> {
            vec![$($study::study(&ranges.$study)),+]
        }
    };
}

studies! {
    fb_euler_stability,
    projected_damping,
    aimex,
    preconditioners,
    decomposition,
    speedup,
    fast_projection,
    impulse_strips,
    generalized_alpha,
    textbook,
    tearing,
    projective_dynamics,
    control,
    work_precision,
    which_integrator,
    collisions,
    validation,
}
