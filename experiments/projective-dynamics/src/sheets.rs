//! The sheets of this study: drawn, let fall, and caught in it.

use cloth::triangles::{Bend, Fabric, TriangleCloth, TriangleMesh};
use kit::prelude::*;

words! {
    /// What a sheet is made of.
    pub enum Kind {
        /// Springs that act both ways, those of the method as published.
        TwoSided = "two-sided springs",
        /// Springs that are slack in compression, those of the thesis.
        OneSided = "one-sided springs",
        /// A continuum of triangles.
        Triangles = "triangles",
    }
}

ranges!(Sheets {
    //! What sheets of 1 m are drawn from.
    /// What they are made of, every kind in turn.
    kind: List<Kind>,
    /// Particles a side.
    side: List<Side>,
    /// Areal density \[kg/m²\], log-uniform.
    density: Ends,
    /// Stiffness of stretch \[N/m\], log-uniform.
    stiffness: Ends,
    /// dt \[s\].
    step: List<Positive>,
    /// Time of their fall after which they are caught \[s\], log-uniform.
    caught: Ends,
});

/// A sheet of 1 m, held at two corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    pub kind: Kind,
    pub side: usize,
    pub density: f64,
    pub stiffness: f64,
    pub step: f64,
    pub caught: f64,
}

/// Side of a sheet \[m\].
pub const LENGTH: f64 = 1.0;
/// Stiffness of shear over that of stretch \[-\], and of bending: springs \[-\], hinges of triangles \[m²\].
const SHEAR: f64 = 0.3;
const BEND: f64 = 1e-4;
const HINGE: f64 = 1e-6;
/// Height of a bump that lets a flat sheet buckle to one side \[m\].
const BUMP: f64 = 1e-3;

impl Sheet {
    /// The sheet of a `scene` of the list, whose kinds take turns.
    pub fn draw(sheets: &Sheets, scene: u64, stream: &mut ChaCha8Rng) -> Sheet {
        let kinds = sheets.kind.values();
        Sheet {
            kind: kinds[scene as usize % kinds.len()],
            side: pick(stream, sheets.side.values()).get() as usize,
            density: log_uniform(stream, sheets.density.get()),
            stiffness: log_uniform(stream, sheets.stiffness.get()),
            step: pick(stream, sheets.step.values()).get(),
            caught: log_uniform(stream, sheets.caught.get()),
        }
    }

    /// kappa = dt² k / m, of a spring and a particle \[-\].
    pub fn kappa(&self) -> f64 {
        let mass = self.density * LENGTH * LENGTH / (self.side * self.side) as f64;
        self.step * self.step * self.stiffness / mass
    }

    /// The cloth, and where it is at rest.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn cloth(&self) -> Result<(Box<dyn System + Send + Sync>, State), ModelError> {
        let &Sheet { kind, side, density, stiffness, .. } = self;
        let elastic = |stiffness: f64| Elastic { stiffness, damping: 0.0 };
        let [stretch, shear] = [stiffness, SHEAR * stiffness].map(elastic);
        let bumped = |mut state: State| {
            for x in &mut state.x {
                let [a, b] = [x.x, x.y].map(|along| libm::sin(std::f64::consts::PI * (along / LENGTH)));
                x.z = BUMP * a * b;
            }
            state
        };
        match kind {
            Kind::TwoSided | Kind::OneSided => {
                let grid = Grid::new(side, side, LENGTH / (side - 1) as f64)?;
                let compression = kind == Kind::TwoSided;
                let material = Material {
                    density: density * ((side - 1) * (side - 1)) as f64 / (side * side) as f64, // LENGTH² of it in all
                    stretch,
                    shear,
                    bend: BEND * stiffness,
                    compression,
                    damping: DampingForm::Plain,
                    ..Material::default()
                };
                let cloth = Cloth::new(grid, material, &[Pin::At(0, side - 1), Pin::At(side - 1, side - 1)])?;
                let start = bumped(cloth.at_rest());
                Ok((Box::new(cloth), start))
            }
            Kind::Triangles => {
                let mesh = TriangleMesh::regular(side, side, LENGTH, LENGTH)?;
                let bend = Bend { stiffness: HINGE * stiffness, damping: 0.0 };
                let fabric = Fabric { density, warp: stretch, weft: stretch, shear, bend, ..Fabric::default() };
                let start = bumped(State::at_rest(mesh.positions().to_vec()));
                let last = side * side;
                Ok((Box::new(TriangleCloth::new(mesh, fabric, &[last - side, last - 1])?), start))
            }
        }
    }

    /// The cloth, and where it is when it is caught: by one Newton step in each step.
    ///
    /// # Errors
    /// As [`Sheet::cloth`].
    pub fn caught(&self) -> Result<(Box<dyn System + Send + Sync>, State), ModelError> {
        let (cloth, mut state) = self.cloth()?;
        let gradients = ConjugateGradients::to(Tolerance::Fixed(1e-6));
        let mut scheme = BackwardEuler::new(&*cloth, Settings::from(gradients));
        let steps = (self.caught / self.step).round() as u64;
        let mut shown = FilmRecorder::new(steps);
        for _ in 0..steps {
            scheme.step(&*cloth, self.step, &mut state);
            shown.step(&*cloth, &state);
        }
        drop(scheme);
        Ok((cloth, state))
    }
}

row! {
    /// What a sheet is, as tables have it.
    pub struct Made {
        /// two-sided springs, one-sided springs, triangles
        pub kind: Kind,
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// stiffness of stretch \[N/m\]
        pub stiffness: f64,
        /// dt, time step \[s\]
        pub step: f64,
        /// dt² k / m of a spring and a particle
        pub kappa: f64,
    }
}

impl From<&Sheet> for Made {
    fn from(sheet: &Sheet) -> Made {
        let &Sheet { kind, side, density, stiffness, step, .. } = sheet;
        Made { kind, side, density, stiffness, step, kappa: sheet.kappa() }
    }
}
