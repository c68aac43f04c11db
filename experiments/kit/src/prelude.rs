//! What topics of a study need, from every crate that they are made of: `use kit::prelude::*;`.

pub use std::collections::{BTreeMap, HashMap};

pub use chart::{Axis, Color, Corner, Dash, Direction, Figure, Layer, Marker, Mesh, Palette, Panel, Snapshot, View};
pub use cloth::contact::{Contacts, Coulomb, Friction};
pub use cloth::implicit::{
    ConjugateGradients, Decompose, MatrixForm, Newton, Settings, Solver, Splitting, Start, Tolerance, Work,
};
pub use cloth::inextensible::{ConstraintMethod, Directions, EdgeConstraints, Limits, Schedule, StrainOf};
pub use cloth::integrators::{
    BackwardEuler, Ballistic, Bdf2, DissipationLimit, ForwardBackwardEuler, ForwardEuler, GeneralizedAlpha, ImplicitMidpoint,
    Integrator, Rk4,
};
pub use cloth::quantity::{NonNegative, Positive};
pub use cloth::run::{Cause, Filter, Stepper};
pub use cloth::stability::numerical_stiffness;
pub use cloth::{
    BendLaw, Cloth, DampingForm, Elastic, GRAVITY, Grid, Material, ModelError, Net, NetSpring, Pin, State, System, Terms, Vec3,
};
pub use lab::finite;
pub use lab::judge::rule::tables::Derived;
pub use lab::judge::statistics::{Interval, Miss, PowerLaw, bootstrap, line, mean, median, power_law, quantile, share};
pub use lab::measure::identity::hash_of_ranges;
pub use lab::measure::streams::{log_uniform, pick};
pub use lab::prelude::*;
pub use lab::study::Study;
pub use rand::RngExt;

pub use crate::claimed::Claimed;
pub use crate::judging::{
    Compared, bar_of_repeats, compared, cumulative, distinct, extent, extremes, first_of_each, grouped, median_seconds, seconds,
    share_of, table, too_few,
};
pub use crate::published::{BENDER, BOXERMAN, Curve, GOLDENTHAL, PARKS, STUYCK};
pub use crate::ranges::{Count, Ends, List, RangeError, Side, Whole, check_list, check_rates, check_steps};
pub use crate::ranges::{numbers, ranges};
pub use crate::recorded::FilmRecorder;
pub use crate::run_watch::RunWatch;
pub use crate::sheets::{Configuration, LengthLists, Lists, Makeup, Run, Sheet, Treatment, largest_difference};
pub use crate::status::{Status, left_out};
pub use crate::text_table::TextTable;
pub use crate::topic::Topic;
pub use crate::topic::topics;
pub use crate::words::words;
