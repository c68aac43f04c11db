//! A sheet falls over a ball and folds on itself without passing through.
#![allow(clippy::print_stdout)] // a program

use cloth::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sheet = Cloth::new(Grid::new(41, 41, 0.025)?, Material::default(), &[])?;
    let ball = Solid::Sphere { centre: Vec3::new(0.5, 0.5, -0.31), radius: 0.3 };
    let scenario = Scenario::new(sheet)
        .scheme(&BackwardEuler::ENTRY)
        .step(2e-3)
        .solid(ball, RigidMotion::STILL)
        .self_collision(SelfCollision { distance: 2e-3, friction: Friction::even(0.3) });
    let mut run = scenario.run()?; // refuses what does not go together
    while run.time() < 1.5 {
        let report = run.step()?; // which step, when, why
        if let Some(met) = report.collisions
            && met.in_zones > 0
        {
            println!("step {}: {} particles in impact zones", report.step, met.in_zones);
        }
    }
    let lowest = run.state().x.iter().map(|x| x.z).fold(0.0, f64::min);
    println!("lowest {lowest:.3} m after {} iterations", run.work().iterations);
    Ok(())
}
