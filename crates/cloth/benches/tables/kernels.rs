//! The hot loops on 80 x 80 particles, in their textbook form and on each instruction set: times, and counts of instructions.
//!
//! A unit of work is a product, an iteration, an assembly, a step; its time and its count are differences of many and few.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::process::ExitCode;

use cloth::integrators::{ForwardBackwardEuler, Integrator};
use cloth::lanes::{InstructionSet, Sheet, Trial, sweep};
use cloth::{Cloth, DampingForm, Elastic, Grid, GridSprings, Linearisation, Material, Pin, State, System, Terms, Vec3};
use linsolve::grid::{GridBlockDiagonal, GridCg, GridOperator, GridVector};
use linsolve::{
    BlockDiagonal, BlockPattern, BlockRows, ConstrainedSystem, Constraint, DiagonalKind, Mat3, Operator, ProjectedCg, Settings,
    Start,
};

use crate::clock::medians;
use crate::instructions::{Counter, LACKING};
use crate::sheets::{DT, canonical_pins, canonical_sheet};

const SIDE: usize = 80;

/// Units of the few and of the many that are timed.
const TIMED: [usize; 2] = [2, 22];

/// Units of the few and of the many whose instructions are counted.
const COUNTED: [usize; 2] = [2, 6];

/// A hot loop.
#[derive(Clone, Copy, PartialEq)]
enum Kernel {
    /// A x
    Product,
    /// Projected conjugate gradients with the blocks of the diagonal.
    Iteration,
    /// Forces and Jacobians of implicit springs, into the matrix and the right side.
    Assembly,
    /// Forces of explicit springs.
    Forces,
    /// Steps of forward-backward Euler with their energies, eight sheets at once.
    Sweep,
}

/// How it is written.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// Block compressed rows, spring by spring.
    Textbook,
    /// For an instruction set.
    Lanes(InstructionSet),
}

/// A kernel with what it works on.
struct Work {
    /// Rows, springs or particles of a unit.
    items: usize,
    /// Does that many units.
    units: Box<dyn FnMut(usize)>,
}

impl Kernel {
    const ALL: [Kernel; 5] = [Kernel::Product, Kernel::Iteration, Kernel::Assembly, Kernel::Forces, Kernel::Sweep];

    fn name(self) -> &'static str {
        match self {
            Kernel::Product => "product",
            Kernel::Iteration => "iteration",
            Kernel::Assembly => "force and Jacobian",
            Kernel::Forces => "force",
            Kernel::Sweep => "explicit step",
        }
    }

    fn item(self) -> &'static str {
        match self {
            Kernel::Product | Kernel::Iteration => "row",
            Kernel::Assembly | Kernel::Forces => "spring",
            Kernel::Sweep => "particle",
        }
    }

    /// The textbook form, and those for the instruction sets of this machine.
    fn forms(self) -> Vec<Form> {
        let has = |set: &InstructionSet| *set != InstructionSet::Plain || self == Kernel::Sweep;
        [Form::Textbook].into_iter().chain(InstructionSet::supported().filter(has).map(Form::Lanes)).collect()
    }

    fn work(self, form: Form) -> Work {
        match self {
            Kernel::Product => product(form),
            Kernel::Iteration => iteration(form),
            Kernel::Assembly => assembly(form),
            Kernel::Forces => forces(form),
            Kernel::Sweep => explicit_steps(form),
        }
    }
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Textbook => "textbook",
            Form::Lanes(set) => set.name(),
        }
    }
}

/// Prints the table.
pub fn print() {
    let counter = Counter::find();
    println!("## Kernels");
    println!();
    println!("| kernel | form | ns | instructions | for each |");
    println!("| --- | --- | --- | --- | --- |");
    let mut reasons = BTreeSet::new();
    for kernel in Kernel::ALL {
        for form in kernel.forms() {
            let Work { items, mut units } = kernel.work(form);
            let time = nanoseconds(&mut units) / items as f64;
            let count = counter.ok_or_else(|| "neither perf nor valgrind counts here".to_owned());
            let count = count.and_then(|counter| counter.per_unit(&[kernel.name(), form.name()], COUNTED));
            let count = count.map(|count| format!("{:.1}", count / items as f64)).unwrap_or_else(|reason| {
                reasons.insert(format!("{}: {reason}", form.name()));
                "not counted".into()
            });
            println!("| {} | {} | {time:.2} | {count} | {} |", kernel.name(), form.name(), kernel.item());
        }
    }
    println!();
    if let Some(counter) = counter {
        println!("Instructions counted by {}.", counter.name());
    }
    for reason in reasons {
        println!("Not counted: {reason}.");
    }
}

/// Runs one kernel for its counter: its name, its form, the number of units.
pub fn run(arguments: &[String]) -> ExitCode {
    let [kernel, form, units] = arguments else { return ExitCode::from(2) };
    let kernel = Kernel::ALL.into_iter().find(|known| known.name() == kernel);
    let (Some(kernel), Ok(units)) = (kernel, units.parse()) else { return ExitCode::from(2) };
    let Some(form) = kernel.forms().into_iter().find(|known| known.name() == form) else { return ExitCode::from(LACKING) };
    (kernel.work(form).units)(units);
    ExitCode::SUCCESS
}

/// Time of a unit \[ns\].
fn nanoseconds(units: &mut dyn FnMut(usize)) -> f64 {
    let units = std::cell::RefCell::new(units);
    let [few, many] = medians([&mut || (units.borrow_mut())(TIMED[0]), &mut || (units.borrow_mut())(TIMED[1])]);
    1e9 * (many - few) / (TIMED[1] - TIMED[0]) as f64
}

/// The canonical sheet, taut: all springs act but those that bend.
struct Taut {
    cloth: Cloth,
    state: State,
    implicit: Vec<bool>,
}

impl Taut {
    fn new() -> Taut {
        let cloth = canonical_sheet(SIDE, &canonical_pins(SIDE));
        let mut state = cloth.at_rest();
        for (k, (x, v)) in state.x.iter_mut().zip(&mut state.v).enumerate() {
            let random = |prime: usize| (k * prime % 101) as f64 / 50.0 - 1.0;
            let shifts = Vec3::new(random(37), random(53), random(71));
            *x = 1.05 * *x + 0.01 * cloth.grid().spacing() * shifts;
            *v = 0.3 * shifts.yzx();
        }
        let implicit = vec![true; cloth.coupling_count()];
        Taut { cloth, state, implicit }
    }

    fn linearisation(&self) -> Linearisation<'_> {
        Linearisation { x: &self.state.x, v: &self.state.v, w: &self.state.v, h: DT, g: DT, terms: Terms::Filtered }
    }

    fn zeros(&self) -> Vec<Vec3> {
        vec![Vec3::zeros(); self.cloth.particle_count()]
    }

    fn springs(&self) -> GridSprings {
        GridSprings::new(&self.cloth, Terms::Filtered).expect("springs that do not soften")
    }

    fn block_rows(&self) -> BlockRows {
        BlockRows::new(BlockPattern::new(self.cloth.particle_count(), &self.cloth.pairs()))
    }

    /// Overwrites the matrix, adds to the right side.
    fn assemble(&self, a: &mut BlockRows, b: &mut [Vec3]) {
        a.clear();
        for (row, m) in self.cloth.masses().iter().enumerate() {
            a.add_diagonal(row, &(*m * Mat3::identity()));
        }
        self.cloth.add_linearised(&self.linearisation(), &self.implicit, a, b);
    }

    fn assemble_on_grid(&self, springs: &mut GridSprings, a: &mut GridOperator, b: &mut [Vec3]) {
        springs.linearise(&self.cloth, &self.linearisation(), &self.implicit, a, b);
    }

    fn constraints(&self) -> Vec<Constraint> {
        let of = |pinned: &bool| if *pinned { Constraint::Fixed } else { Constraint::Free };
        self.cloth.pinned().iter().map(of).collect()
    }
}

fn product(form: Form) -> Work {
    let taut = Taut::new();
    let (items, mut b) = (taut.cloth.particle_count(), taut.zeros());
    let units: Box<dyn FnMut(usize)> = match form {
        Form::Textbook => {
            let mut a = taut.block_rows();
            taut.assemble(&mut a, &mut b);
            let mut y = taut.zeros();
            Box::new(move |count| (0..count).for_each(|_| a.apply(black_box(&b), &mut y)))
        }
        Form::Lanes(set) => {
            let mut springs = taut.springs();
            let mut a = GridOperator::new(springs.shape(), set);
            taut.assemble_on_grid(&mut springs, &mut a, &mut b);
            let (mut x, mut y) = (GridVector::new(springs.shape()), GridVector::new(springs.shape()));
            x.set(b.iter().copied());
            let mut product = a.product();
            Box::new(move |count| (0..count).for_each(|_| product.apply(&a, black_box(&x), &mut y)))
        }
    };
    Work { items, units }
}

fn iteration(form: Form) -> Work {
    let taut = Taut::new();
    let (items, mut b, constraints) = (taut.cloth.particle_count(), taut.zeros(), taut.constraints());
    let (mut x, z) = (taut.zeros(), taut.zeros());
    let settings = |iteration_limit| Settings { start: Start::Corrected, tolerance_squared: 0.0, error: None, iteration_limit };
    let units: Box<dyn FnMut(usize)> = match form {
        Form::Textbook => {
            let mut a = taut.block_rows();
            taut.assemble(&mut a, &mut b);
            let mut preconditioner = BlockDiagonal::new(DiagonalKind::ABlock);
            preconditioner.factor(&a, &constraints).expect("a positive definite matrix");
            let mut solver = ProjectedCg::new(items);
            Box::new(move |count| {
                let system = ConstrainedSystem { operator: &a, b: &b, constraints: &constraints, z: &z };
                x.fill(Vec3::zeros());
                black_box(solver.solve(&system, &mut x, &preconditioner, &settings(count)));
            })
        }
        Form::Lanes(set) => {
            let mut springs = taut.springs();
            let mut a = GridOperator::new(springs.shape(), set);
            taut.assemble_on_grid(&mut springs, &mut a, &mut b);
            let mut preconditioner = GridBlockDiagonal::new(Some(DiagonalKind::ABlock), springs.shape());
            preconditioner.factor(&a, &constraints).expect("a positive definite matrix");
            let mut solver = GridCg::new(springs.shape());
            Box::new(move |count| {
                let system = ConstrainedSystem { operator: &a, b: &b, constraints: &constraints, z: &z };
                x.fill(Vec3::zeros());
                black_box(solver.solve(&system, &mut x, &preconditioner, &settings(count)));
            })
        }
    };
    Work { items, units }
}

fn assembly(form: Form) -> Work {
    let taut = Taut::new();
    let (items, mut b) = (taut.cloth.coupling_count(), taut.zeros());
    let units: Box<dyn FnMut(usize)> = match form {
        Form::Textbook => {
            let mut a = taut.block_rows();
            Box::new(move |count| (0..count).for_each(|_| taut.assemble(&mut a, &mut b)))
        }
        Form::Lanes(set) => {
            let mut springs = taut.springs();
            let mut a = GridOperator::new(springs.shape(), set);
            Box::new(move |count| (0..count).for_each(|_| taut.assemble_on_grid(&mut springs, &mut a, &mut b)))
        }
    };
    Work { items, units }
}

fn forces(form: Form) -> Work {
    let taut = Taut::new();
    let (items, mut f) = (taut.cloth.coupling_count(), taut.zeros());
    let implicit = vec![false; items];
    let units: Box<dyn FnMut(usize)> = match form {
        Form::Textbook => Box::new(move |count| {
            (0..count).for_each(|_| taut.cloth.add_explicit_forces(&implicit, &taut.state.x, &taut.state.v, &mut f));
        }),
        Form::Lanes(set) => {
            let mut springs = taut.springs();
            Box::new(move |count| {
                (0..count).for_each(|_| springs.add_explicit_forces(&taut.cloth, &taut.state, &implicit, set, &mut f));
            })
        }
    };
    Work { items, units }
}

/// As studies of stability run them: no bending.
fn explicit_steps(form: Form) -> Work {
    const SHEETS: usize = 8;
    const STEP: f64 = 1e-4; // [s]
    let (density, elastic) = (0.1, Elastic { stiffness: 100.0, damping: 0.01 });
    let damping = DampingForm::Projected;
    match form {
        Form::Textbook => {
            let material = Material { density, stretch: elastic, shear: elastic, bend: 0.0, damping, ..Material::default() };
            let grid = Grid::new(SIDE, SIDE, 0.05).expect("a sheet");
            let cloth = Cloth::new(grid, material, &[Pin::At(0, 0), Pin::At(SIDE - 1, 0)]).expect("a material");
            let mut scheme = ForwardBackwardEuler::new(SIDE * SIDE);
            let units = move |count| {
                let mut state = cloth.at_rest();
                for _ in 0..count {
                    black_box(cloth.energies(&state).total());
                    scheme.step(&cloth, STEP, &mut state);
                }
            };
            Work { items: SIDE * SIDE, units: Box::new(units) }
        }
        Form::Lanes(set) => {
            let sheet = Sheet {
                spacing: 0.05,
                density,
                stretch: elastic,
                shear: elastic,
                damping,
                extension_tolerance: 1e-12,
                mass_by_area: false,
            };
            let units = move |count| {
                let mut left = SHEETS;
                black_box(sweep(set, SIDE, |_| {
                    left = left.checked_sub(1)?;
                    Some(((), Trial { sheet, dt: STEP, steps: count as u32, energy_margin: 0.1 }))
                }));
            };
            Work { items: SHEETS * SIDE * SIDE, units: Box::new(units) }
        }
    }
}
