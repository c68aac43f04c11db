//! What do plain and projected damping do to a falling sheet? \[Boxerman 2003, 4.2.4\]
//!
//! The thesis shows the energies of one sheet without damping, with plain and with projected damping: plain damping takes far
//! too much energy, projected damping only the oscillation of the springs. So do we, over starts that are not quite flat, since
//! single runs are chance; and we ask what the figures owe to the solver, the step, the mesh, the coefficients, the law of bending
//! and the high-pass, and to the scene.

mod discussion;
mod fall;
mod oscillation;
mod runs;
mod trio;

use kit::prelude::*;

topics! {
    scene: SceneRanges,
    frames: FrameRanges,
    readings: ReadingRanges,
    perturbed: PerturbedRanges,
    bending: Ranges,
    sets: SetRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "projected-damping",
        title: "Plain and projected damping",
        source: "Boxerman 2003, section 4.2.4 with figures 4.4 to 4.6",
        about: "A square sheet, held at two corners, falls from the horizontal for two seconds under the semi-implicit backward Euler \
                scheme: without damping, with plain damping of its springs, and with damping projected onto them. Its energies are \
                followed with both readings of the thesis' tolerance and with exact solves. The claims are judged over starts that are \
                not quite flat, since single runs are chance. The same runs under other solvers, steps, meshes, \
                coefficients and starts, and random sheets with both dampings of equal coefficient, show what the verdicts rest on.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
