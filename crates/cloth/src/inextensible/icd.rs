use linsolve::scalar::{LdlFactors, PivotError, ScalarLdl, ScalarLu, ScalarPattern, SmallestPivot};

use super::edge_system::{SystemSize, fill_values};
use super::motion::{residual_of_motion, tolerance_of_motion};
use super::projected_newton::ProjectedNewton;
use super::{ConstraintMethod, EdgeConstraints, FilterReport, FilterStop, Limits, MethodEntry, Step};
use crate::Vec3;

/// The implicit constraint direction \[Goldenthal 2007, 4.1\]: Newton's method for F(dx, lambda) = dx + dt² M⁻¹ (grad C(x))ᵀ
/// lambda = 0 and C(x) = 0, x = x~ + dx, with the curvature of the constraints.
///
/// Every iteration solves the symmetric indefinite system
/// \[M + H, (grad C)ᵀ; grad C, 0\] (ddx, dmu) = (-M F, -C), mu = dt² lambda, where H = Σ 2 mu/l \[I -I; -I I\]; held particles
/// have no unknowns. Masses and mu are divided by the mean mass, which makes its entries of the size of one. It is solved by L D
/// Lᵀ with refinement; where a pivot vanishes or the residual stays too large, by LU with pivoting. The residual of every solve is
/// checked. [`Icd::projected`] solves it by `ProjectedNewton` first, with the factor that fast projection has.
///
/// Deviation from the paper, which prints plain Newton: steps of Newton are halved until the residuals fall, but by
/// [`Icd::as_printed`]. Nothing in here damps a
/// motion: F has inertia and constraint forces alone, as printed. Dampers belong to the scheme that makes the candidate.
pub struct Icd {
    constraints: EdgeConstraints,
    limits: Limits,
    /// Largest residual of motion, abs(F) of a particle, of a result \[m\]; by default the bound of strain times the shortest rest
    /// length.
    pub motion_tolerance: f64,
    /// First unknown of each particle, and where the system holds its diagonal; none for a held one.
    unknowns: Vec<Option<usize>>,
    diagonals: Vec<Option<[usize; 3]>>,
    places: Vec<EdgePlaces>,
    /// Halvings of a step of Newton at most.
    halvings: u32,
    /// Mean mass of the particles that can move \[kg\].
    mean_mass: f64,
    /// What solves the system first, if anything does.
    iterative: Option<ProjectedNewton>,
    ldl: ScalarLdl,
    /// Made when it is needed first.
    lu: Option<ScalarLu>,
    factors: LdlFactors,
    worst: f64,
    mu: Vec<f64>,
    /// F.
    residual: Vec<Vec3>,
    /// The right side, and what is solved for: ddx, then dmu over the mean mass.
    right: Vec<f64>,
    solution: Vec<f64>,
    /// Where an iteration begins, and its multipliers.
    from: (Vec<Vec3>, Vec<f64>),
}

/// Where the system holds what belongs to an edge; nothing for held ends.
struct EdgePlaces {
    /// grad C by its particles.
    ends: [Option<[usize; 3]>; 2],
    /// H between them.
    between: Option<[usize; 3]>,
}

impl Icd {
    /// Its entry in the registry.
    pub const ENTRY: MethodEntry = MethodEntry {
        name: "icd",
        about: "the implicit constraint direction of Goldenthal et al.: Newton on positions and forces at once",
        iterations: MethodEntry::SOLVES,
    };

    /// Largest relative residual of a linear solve that is gone on with.
    pub const SOLVED: f64 = 1e-8;

    /// Halvings of a step at most, where steps are halved.
    const HALVINGS: u32 = 20;

    /// Operations of LU over those of L D Lᵀ, which alone are known beforehand: 1.5 to 2.0 on grids of 8 to 100 particles a side.
    const LU_OVER_LDL: u64 = 2;

    /// By whole steps of Newton, as the paper prints it: from strains of some percent they may lead away.
    #[must_use]
    pub fn as_printed(self) -> Icd {
        Icd { halvings: 0, ..self }
    }

    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits) -> Icd {
        let mut free = 0; // unknowns of positions
        let mut next = |movable: bool| {
            free += if movable { 3 } else { 0 };
            movable.then(|| free - 3)
        };
        let masses = constraints.inverse_masses();
        let unknowns: Vec<Option<usize>> = masses.iter().map(|w| next(*w > 0.0)).collect();
        let total: f64 = masses.iter().filter(|w| **w > 0.0).map(|w| 1.0 / w).sum();

        let ends_of = |edge: &super::Edge| [unknowns[edge.i], unknowns[edge.j]];
        let mut pairs = Vec::new();
        for (k, edge) in constraints.edges().iter().enumerate() {
            let ends = ends_of(edge);
            pairs.extend(ends.iter().flatten().flat_map(|end| (0..3).map(move |q| (free + k, end + q))));
            if let [Some(i), Some(j)] = ends {
                pairs.extend((0..3).map(|q| (i + q, j + q)));
            }
        }
        let edges = constraints.edges().len();
        let pattern = ScalarPattern::lower(free + edges, &pairs);
        // the entries of three unknowns with three others, or with one row
        let three = |row: usize, column: usize, next_row: usize| {
            [0, 1, 2].map(|q| {
                let (row, column) = (row + next_row * q, column + q);
                pattern.place(row.max(column), row.min(column)).expect("an entry of the pattern")
            })
        };
        let places = constraints.edges().iter().enumerate().map(|(k, edge)| {
            let ends = ends_of(edge);
            let between = ends[0].zip(ends[1]).map(|(i, j)| three(i, j, 1));
            EdgePlaces { ends: ends.map(|end| Some(three(free + k, end?, 0))), between }
        });
        let groups: Vec<_> = (0..free).map(|k| Some(k / 3)).chain(std::iter::repeat_n(None, edges)).collect();
        Icd {
            halvings: Icd::HALVINGS,
            motion_tolerance: tolerance_of_motion(&constraints, limits.strain()),
            places: places.collect(),
            diagonals: unknowns.iter().map(|end| end.map(|end| three(end, end, 1))).collect(),
            iterative: None,
            ldl: ScalarLdl::new(&pattern, &groups),
            lu: None,
            mean_mass: if free > 0 { 3.0 * total / free as f64 } else { 1.0 },
            factors: LdlFactors { negative: 0, replaced: 0, smallest: SmallestPivot::none() },
            worst: 0.0,
            mu: vec![0.0; edges],
            residual: vec![Vec3::zeros(); constraints.particle_count()],
            right: vec![0.0; free + edges],
            solution: vec![0.0; free + edges],
            from: (vec![Vec3::zeros(); constraints.particle_count()], vec![0.0; edges]),
            unknowns,
            constraints,
            limits,
        }
    }

    /// For `constraints`, within `limits`, with systems solved by conjugate gradients along the constraints, and directly only
    /// where these fail.
    pub fn projected(constraints: EdgeConstraints, limits: Limits) -> Icd {
        Icd { iterative: Some(ProjectedNewton::new(&constraints)), ..Icd::new(constraints, limits) }
    }

    /// How large its linear system is.
    pub fn system_size(&self) -> SystemSize {
        let unknowns = self.right.len();
        let entries = 2 * self.ldl.pattern().entries() - unknowns;
        SystemSize { unknowns, entries, factor_entries: self.ldl.factor_entries() }
    }

    /// The pivots of the last factorisation by L D Lᵀ.
    pub fn factors(&self) -> LdlFactors {
        self.factors
    }

    /// Largest relative residual of a linear solve in the last step \[-\].
    pub fn worst_residual(&self) -> f64 {
        self.worst
    }

    /// dt² lambda of the last step \[kg m\], shape \[edges\].
    pub fn multipliers(&self) -> &[f64] {
        &self.mu
    }

    /// Fills in the lower triangle of the system at `x`.
    fn assemble(&mut self, x: &[Vec3]) {
        let values = self.ldl.values_mut();
        values.fill(0.0);
        for (w, diagonal) in self.constraints.inverse_masses().iter().zip(&self.diagonals) {
            if let Some(diagonal) = diagonal {
                diagonal.iter().for_each(|place| values[*place] = 1.0 / (w * self.mean_mass)); // M
            }
        }
        for ((edge, places), mu) in self.constraints.edges().iter().zip(&self.places).zip(&self.mu) {
            let gradient = edge.gradient(x);
            let curvature = 2.0 * mu / (edge.rest * self.mean_mass);
            for ((end, sign), of_end) in [(edge.i, -1.0), (edge.j, 1.0)].into_iter().zip(&places.ends) {
                if let (Some(places), Some(diagonal)) = (of_end, &self.diagonals[end]) {
                    for q in 0..3 {
                        values[places[q]] = sign * gradient[q]; // grad C
                        values[diagonal[q]] += curvature; // H
                    }
                }
            }
            if let Some(between) = places.between {
                between.iter().for_each(|place| values[*place] = -curvature); // H
            }
        }
    }

    /// Refuses a factorisation with which a step would exceed its operations.
    fn affords(&self, operations: u64, report: &FilterReport) -> Result<(), FilterStop> {
        let is_within = report.operations.saturating_add(operations) <= self.limits.operations();
        if is_within { Ok(()) } else { Err(FilterStop::TooDear) }
    }

    /// Solves the system for `solution`, which holds the right side.
    fn solve(&mut self, report: &mut FilterReport) -> Result<(), FilterStop> {
        self.affords(self.ldl.factor_operations(), report)?;
        self.right.copy_from_slice(&self.solution);
        report.factorisations += 1;
        report.operations += self.ldl.factor_operations();
        self.factors = self.ldl.factor().map_err(|_| FilterStop::NotFinite)?;
        if self.factors.replaced == 0 && self.factors.smallest.relative > SmallestPivot::RANK_TOLERANCE {
            let (residual, refinements) = self.ldl.solve(&mut self.solution);
            report.solves += 1 + refinements as u64;
            report.operations += (1 + refinements as u64) * self.ldl.solve_operations();
            if residual <= Icd::SOLVED {
                self.worst = self.worst.max(residual);
                return Ok(());
            }
        }
        self.solve_with_pivoting(report)
    }

    /// Solves the system by LU, where the order of elimination of L D Lᵀ does not do.
    fn solve_with_pivoting(&mut self, report: &mut FilterReport) -> Result<(), FilterStop> {
        self.affords(Icd::LU_OVER_LDL * self.ldl.factor_operations(), report)?;
        let lower = self.ldl.pattern();
        let lu = self
            .lu
            .get_or_insert_with(|| ScalarLu::new(&ScalarPattern::full(lower.unknowns(), &lower.places().collect::<Vec<_>>())));
        lu.fill_symmetric(lower, self.ldl.values());
        self.solution.copy_from_slice(&self.right);
        report.factorisations += 1;
        let factored = lu.factor();
        report.operations += lu.factor_operations();
        factored.map_err(|error| match error {
            PivotError::Deficient { column } => FilterStop::Singular { edge: edge_of(&self.constraints, &self.unknowns, column) },
            PivotError::NotFinite { .. } => FilterStop::NotFinite,
        })?;
        let residual = lu.solve(&mut self.solution);
        report.solves += 2;
        report.operations += 2 * lu.solve_operations();
        self.worst = self.worst.max(residual);
        if residual <= Icd::SOLVED { Ok(()) } else { Err(FilterStop::Inaccurate) }
    }

    /// One step of Newton's method from F in `residual`, halved until what is left of F and C falls: far from the constraints the
    /// curvature of these leads whole steps away \[Nocedal & Wright 2006, 11.2\]. Returns the residual of motion after it \[m\].
    fn iterate(&mut self, step: &Step<'_>, x: &mut [Vec3], report: &mut FilterReport) -> Result<f64, FilterStop> {
        let left = self.left(x);
        self.from.0.copy_from_slice(x);
        self.from.1.copy_from_slice(&self.mu);
        let mut motion = self.newton(step, x, report)?;
        for _ in 0..self.halvings {
            // what has converged is taken, since rounding ends its fall
            let converged = report.after <= self.limits.strain() && motion <= self.motion_tolerance;
            if converged || self.left(x) < left {
                break;
            }
            x.iter_mut().zip(&self.from.0).for_each(|(x, from)| *x = 0.5 * (*x + from));
            self.mu.iter_mut().zip(&self.from.1).for_each(|(mu, from)| *mu = 0.5 * (*mu + from));
            motion = residual_of_motion(&self.constraints, step.candidate, x, &self.mu, &mut self.residual);
            report.after = self.constraints.largest_strain(x);
        }
        Ok(motion)
    }

    /// Σ m |F|² + m' Σ C² at `x`, F in `residual`, m' the mean mass \[kg m²\]: Newton's direction lowers it.
    fn left(&self, x: &[Vec3]) -> f64 {
        let moved = self.residual.iter().zip(self.constraints.inverse_masses()).filter(|(_, w)| **w > 0.0);
        let of_motion: f64 = moved.map(|(f, w)| f.norm_squared() / w).sum();
        let values = self.constraints.edges().iter().map(|edge| edge.value(x));
        of_motion + self.mean_mass * values.map(|value| value * value).sum::<f64>()
    }

    /// A whole step of Newton's method.
    fn newton(&mut self, step: &Step<'_>, x: &mut [Vec3], report: &mut FilterReport) -> Result<f64, FilterStop> {
        if let Some(edge) = self.constraints.coincident(x) {
            return Err(FilterStop::Coincident { edge });
        }
        if let Some(iterative) = &mut self.iterative
            && let Some(residual) = iterative.correct(&self.constraints, &self.residual, x, &mut self.mu, report)
        {
            self.worst = self.worst.max(residual);
            report.iterations += 1;
            report.after = self.constraints.largest_strain(x);
            return Ok(residual_of_motion(&self.constraints, step.candidate, x, &self.mu, &mut self.residual));
        }
        self.assemble(x);
        let free = self.solution.len() - self.mu.len();
        for (particle, (w, f)) in self.constraints.inverse_masses().iter().zip(&self.residual).enumerate() {
            if let Some(first) = self.unknowns[particle] {
                self.solution[first..first + 3].copy_from_slice((-1.0 / (w * self.mean_mass) * f).as_slice()); // -M F
            }
        }
        fill_values(&self.constraints, x, &mut self.solution[free..]);
        self.solution[free..].iter_mut().for_each(|value| *value = -*value); // -C
        self.solve(report)?;
        for (x, first) in x.iter_mut().zip(&self.unknowns) {
            if let Some(first) = *first {
                *x += Vec3::from_column_slice(&self.solution[first..first + 3]);
            }
        }
        self.mu.iter_mut().zip(&self.solution[free..]).for_each(|(mu, dmu)| *mu += self.mean_mass * dmu);
        report.iterations += 1;
        report.after = self.constraints.largest_strain(x);
        Ok(residual_of_motion(&self.constraints, step.candidate, x, &self.mu, &mut self.residual))
    }
}

impl ConstraintMethod for Icd {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        let report = FilterReport::begin(self.constraints.largest_strain(x));
        self.mu.fill(0.0);
        self.residual.fill(Vec3::zeros()); // F = 0 at dx = 0, lambda = 0
        self.worst = 0.0;
        report.until(self.limits, self.motion_tolerance, |report| self.iterate(step, x, report))
    }
}

/// The edge to name for an unknown: its own, or the first one at its particle.
fn edge_of(constraints: &EdgeConstraints, unknowns: &[Option<usize>], unknown: usize) -> usize {
    let free = 3 * unknowns.iter().flatten().count();
    match unknown.checked_sub(free) {
        Some(edge) => edge,
        None => {
            let here = |particle: usize| unknowns[particle] == Some(unknown / 3 * 3);
            constraints.edges().iter().position(|edge| here(edge.i) || here(edge.j)).unwrap_or(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inextensible::Edge;

    /// Three edges in a row, the first end held, and the system of an iterate with multipliers.
    fn system() -> (Icd, Vec<f64>) {
        let edges: Vec<Edge> = (0..3).map(|i| Edge { i, j: i + 1, rest: 1.0 }).collect();
        let constraints = EdgeConstraints::new(&edges, &[1.0, 2.0, 3.0, 1.0], &[true, false, false, false]).unwrap();
        let mut icd = Icd::new(constraints, Limits::new(1e-9, 10).unwrap());
        icd.mu = vec![0.1, -0.2, 0.3];
        let x = [Vec3::zeros(), Vec3::new(1.0, 0.2, 0.0), Vec3::new(1.5, 0.9, 0.1), Vec3::new(2.0, 1.4, 1.0)];
        icd.assemble(&x);
        let right = (0..12).map(|k| f64::from(k % 5) - 1.7).collect();
        (icd, right)
    }

    #[test]
    fn the_matrix_is_the_derivative_of_the_residuals() {
        let (icd, _) = system();
        let x = [Vec3::zeros(), Vec3::new(1.0, 0.2, 0.0), Vec3::new(1.5, 0.9, 0.1), Vec3::new(2.0, 1.4, 1.0)];
        let masses = [1.0, 2.0, 3.0, 1.0];
        // M F over the mean mass, then C, at positions and multipliers moved along one unknown
        let residuals = |unknown: usize, by: f64| {
            let (mut x, mut mu) = (x, icd.mu.clone());
            match unknown {
                position @ 0..9 => x[1 + position / 3][position % 3] += by,
                edge => mu[edge - 9] += by * icd.mean_mass,
            }
            let mut f = [Vec3::zeros(); 4];
            residual_of_motion(&icd.constraints, &[Vec3::zeros(); 4], &x, &mu, &mut f);
            let motion = (1..4).flat_map(move |k| (0..3).map(move |q| masses[k] / 2.0 * f[k][q]));
            let mut all: Vec<f64> = motion.collect();
            all.extend(icd.constraints.edges().iter().map(|edge| edge.value(&x)));
            all
        };
        assert_eq!(icd.mean_mass, 2.0);
        let mut largest: f64 = 0.0;
        for column in 0..12 {
            let (plus, minus) = (residuals(column, 1e-6), residuals(column, -1e-6));
            for row in 0..12 {
                let slope = (plus[row] - minus[row]) / 2e-6;
                let place = icd.ldl.pattern().place(row.max(column), row.min(column));
                let entry = place.map_or(0.0, |place| icd.ldl.values()[place]);
                assert!((slope - entry).abs() < 1e-8, "{row} {column} {slope} {entry}");
                largest = largest.max(entry.abs());
            }
        }
        assert!(largest > 1.0);
    }

    /// A chain that is crushed: the whole step leads away, so that it is halved, and where it leads is said by its half.
    #[test]
    fn a_printed_step_is_whole() {
        let edges: Vec<Edge> = (0..3).map(|i| Edge { i, j: i + 1, rest: 1.0 }).collect();
        let constraints = EdgeConstraints::new(&edges, &[1.0; 4], &[true, false, false, false]).unwrap();
        let start = [Vec3::zeros(), 0.1 * Vec3::x(), Vec3::new(0.1, 0.15, 0.0), Vec3::new(0.3, 0.1, 0.1)];
        let step = Step { dt: 0.1, start: &start, candidate: &start };
        let once = |method: Icd| {
            let (mut method, mut x) = (method, start.to_vec());
            method.project(&step, &mut x);
            x
        };
        let new = || Icd::new(constraints.clone(), Limits::new(1e-9, 1).unwrap());
        let (halved, whole) = (once(new()), once(new().as_printed()));
        let way = |x: &[Vec3]| (x[3] - start[3]).norm();
        let halvings = libm::log2(way(&whole) / way(&halved));
        assert!(halvings > 0.9 && (halvings - halvings.round()).abs() < 1e-12, "{halvings}");
    }

    #[test]
    fn no_factorisation_begins_that_a_step_cannot_afford() {
        let (mut icd, right) = system();
        let ldl = icd.ldl.factor_operations();
        let mut after = |operations: u64| {
            icd.limits = icd.limits.with_operations(operations);
            icd.solution.copy_from_slice(&right);
            let mut report = FilterReport::begin(1.0);
            let solved = icd.solve(&mut report).and_then(|()| icd.solve_with_pivoting(&mut report));
            (solved, report.factorisations)
        };
        assert_eq!(after(ldl - 1), (Err(FilterStop::TooDear), 0));
        assert_eq!(after(2 * ldl), (Err(FilterStop::TooDear), 1));
        assert_eq!(after(u64::MAX), (Ok(()), 2));
    }

    #[test]
    fn lu_solves_what_ldl_solves() {
        let (mut icd, right) = system();
        let mut report = FilterReport::begin(1.0);
        icd.solution.copy_from_slice(&right);
        assert_eq!(icd.solve(&mut report), Ok(()));
        let by_ldl = icd.solution.clone();
        assert_eq!((report.factorisations, icd.lu.is_none()), (1, true));
        assert_eq!(icd.solve_with_pivoting(&mut report), Ok(()));
        let largest = icd.solution.iter().zip(&by_ldl).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(largest < 1e-12 && report.factorisations == 2, "{largest}");
        // where a pivot vanishes, only pivoting is left: unknown 0 and the first edge exchange their values, the rest is one
        let places: Vec<_> = icd.ldl.pattern().places().collect();
        for (value, place) in icd.ldl.values_mut().iter_mut().zip(places) {
            *value = match place {
                (9, 0) => 1.0,
                (0, 0) | (9, 9) => 0.0,
                (row, column) => f64::from(u8::from(row == column)),
            };
        }
        icd.solution.copy_from_slice(&right);
        assert_eq!(icd.solve(&mut report), Ok(()));
        let mut expected = right.clone();
        expected.swap(0, 9);
        assert_eq!((report.factorisations, icd.factors.replaced, &icd.solution), (4, 1, &expected));
    }
}
