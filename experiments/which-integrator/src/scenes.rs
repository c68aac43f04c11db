//! What is simulated: scene files, as `clothlab simulate` reads them, at any size.

use kit::prelude::*;

words! {
    /// Scenes by name.
    pub enum Kind {
        /// A sheet of soft springs, which push as they pull, swings down from two corners.
        SoftSheet = "soft-sheet",
        /// One of springs a hundred times as stiff.
        StiffSheet = "stiff-sheet",
        /// A sheet of springs that do not push falls on a ball, with friction.
        Drape = "drape",
        /// A flag of triangles blows about its mast.
        Flag = "flag",
        /// A ribbon between two ends that turn against each other, which it lies on itself for.
        Ribbon = "ribbon",
        /// Trousers of quads that do not stretch, on a figure that dances.
        Trousers = "trousers",
    }
}

/// What is drawn at random: factors of stiffness and density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    pub stiffness: f64,
    pub density: f64,
}

/// Bounds of both factors.
const FACTORS: [f64; 2] = [0.5, 2.0];

impl Draw {
    /// One draw.
    pub fn of(stream: &mut ChaCha8Rng) -> Draw {
        let [stiffness, density] = [(); 2].map(|()| log_uniform(stream, FACTORS));
        Draw { stiffness, density }
    }
}

/// Length of sheets, of flags and of a ribbon across \[m\].
const LENGTH: f64 = 1.0;
const BREADTH: f64 = 0.3;
/// rho \[kg/m²\] of the cloth in the middle of the draws.
const DENSITY: f64 = 0.2;
/// ks \[N/m\] there, and kd over ks \[s\].
const SOFT: f64 = 100.0;
const STIFF: f64 = 1e4;
const THREADS: f64 = 500.0;
const DAMPING: f64 = 1e-5;
/// kb \[N/m\].
const BEND: f64 = 0.01;

/// Trousers as they come, 0.5 s of which are left.
const TROUSERS: &str = include_str!("../../../scenes/trousers.toml");

impl Kind {
    /// Its name in tables.
    pub fn label(self) -> &'static str {
        match self {
            Kind::SoftSheet => "soft sheet",
            Kind::StiffSheet => "stiff sheet",
            Kind::Drape => "drape on a ball",
            Kind::Flag => "flag in wind",
            Kind::Ribbon => "twisted ribbon",
            Kind::Trousers => "trousers",
        }
    }

    /// What it is, for the table of what to take.
    pub fn in_words(self) -> &'static str {
        match self {
            Kind::SoftSheet => "100 N/m",
            Kind::StiffSheet => "10 kN/m",
            Kind::Drape => "500 N/m, contact and friction",
            Kind::Flag => "triangles, 200 N/m",
            Kind::Ribbon => "300 N/m, self-collision",
            Kind::Trousers => "inextensible, contact, self-collision",
        }
    }

    /// Stiffness of a thread in the middle of the draws \[N/m\]; none of cloth that does not stretch.
    pub fn stiffness(self) -> Option<f64> {
        match self {
            Kind::SoftSheet => Some(SOFT),
            Kind::StiffSheet => Some(STIFF),
            Kind::Drape => Some(THREADS),
            Kind::Flag => Some(200.0),
            Kind::Ribbon => Some(300.0),
            Kind::Trousers => None,
        }
    }

    /// The scene file with `side` particles along a shorter edge, for `duration` \[s\]; trousers have a mesh of their own.
    pub fn text(self, side: u32, draw: &Draw, duration: f64) -> String {
        let head = format!("step = 1e-3\nduration = {duration:?}\nintegrator = \"backward-euler\"\n");
        let density = format!("density = {:?}\n", DENSITY * draw.density);
        let elastic = |name: &str, stiffness: f64| {
            let stiffness = stiffness * draw.stiffness;
            format!("{name} = {{ stiffness = {stiffness:?}, damping = {:?} }}\n", DAMPING * stiffness)
        };
        let cells = f64::from(side - 1);
        let grid = |columns: u32, spacing: f64| format!("[mesh]\nnx = {columns}\nny = {side}\nspacing = {spacing:?}\n");
        let bend = format!("bend = {BEND:?}\n");
        match self {
            Kind::SoftSheet | Kind::StiffSheet => {
                let stiffness = if self == Kind::SoftSheet { SOFT } else { STIFF };
                let material = [density, elastic("stretch", stiffness), elastic("shear", stiffness), bend].concat();
                format!(
                    "{head}pins = [\"bottom-left\", \"bottom-right\"]\n{}[material]\n{material}damping = \"plain\"\ncompression = true\n",
                    grid(side, LENGTH / cells)
                )
            }
            Kind::Drape => {
                let material = [density, elastic("stretch", THREADS), elastic("shear", 0.1 * THREADS), bend].concat();
                format!(
                    "{head}[[solid]]\nsphere = {{ centre = [0.55, 0.53, -0.302], radius = 0.3 }}\n\
                     [friction.coulomb]\nmu_s = 0.3\nmu_k = 0.3\n{}[material]\n{material}",
                    grid(side, LENGTH / cells)
                )
            }
            Kind::Flag => format!(
                "{head}pins = [\"left\"]\n[mesh.regular]\nnx = {side}\nny = {side}\nwidth = {LENGTH:?}\nheight = {LENGTH:?}\n\
                 [material]\n{density}stretch = {{ stiffness = {:?} }}\nshear = {{ stiffness = {:?} }}\n\
                 bend = {{ rigidity = 1e-5 }}\ndrag = {{ wind = [2.0, 0.0, 4.0] }}\ngravity = [0.0, -9.81, 0.0]\n",
                200.0 * draw.stiffness,
                20.0 * draw.stiffness
            ),
            Kind::Ribbon => {
                let spacing = BREADTH / cells;
                let material = [density, elastic("stretch", 300.0), elastic("shear", 50.0), bend].concat();
                let end = |name: &str, sign: f64| {
                    format!(
                        "[[motion]]\npins = [\"{name}\"]\nturn = [{:?}, 0.0, 0.0]\nabout = [0.0, {:?}, 0.0]\n\
                         velocity = [{:?}, 0.0, 0.0]\n",
                        -15.0 * sign,
                        0.5 * BREADTH,
                        0.1 * sign
                    )
                };
                format!(
                    "{head}pins = [\"left\", \"right\"]\n{}[material]\n{material}gravity = [0.0, 0.0, 0.0]\n{}{}\
                     [self_collision]\nthickness = {:?}\nfriction = 0.3\n",
                    grid(5 * (side - 1) / 2 + 1, spacing),
                    end("left", 1.0),
                    end("right", -1.0),
                    0.1 * spacing
                )
            }
            Kind::Trousers => {
                let line = |line: &str| match line.split('=').next().map(str::trim) {
                    Some("duration") => format!("duration = {duration:?}\n"),
                    Some("density") => density.clone(),
                    // as its rows were measured
                    Some("[self_collision]") => format!("{line}\nsolids = \"particles\"\n"),
                    _ => format!("{line}\n"),
                };
                TROUSERS.lines().map(line).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_read_at_every_size() {
        for kind in Kind::ALL {
            for side in [4, 11, 50] {
                let text = kind.text(side, &Draw { stiffness: 0.7, density: 1.3 }, 0.25);
                let scene = scene::Scene::parse(&text).unwrap_or_else(|mistake| panic!("{kind} {side}: {mistake}\n{text}"));
                assert_eq!(scene.duration, 0.25, "{kind}");
            }
        }
        let text = Kind::SoftSheet.text(11, &Draw { stiffness: 0.5, density: 2.0 }, 0.25);
        assert!(text.contains("density = 0.4\n") && text.contains("stretch = { stiffness = 50.0, damping = 0.0005 }"), "{text}");
    }
}
