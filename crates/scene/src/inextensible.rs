//! Which method keeps the edges of a scene's cloth at their length, as it is written: the section `inextensible`.

use serde::de::VariantAccess;

use super::key::{Key, named, section};
use super::range::{Count, Permissible};
use super::section::{Keyed, Listed, Plain};
use cloth::ModelError;
use cloth::inextensible::{Baumgarte, Directions, Division, Feedback, Limits, MethodEntry, MethodKind, Schedule, StripSettings};
use cloth::quantity::{NonNegative, Positive};
use cloth::run::LengthConstraint;

/// The constraint methods by name.
pub(super) type InextensibleSection = Listed<PlainMethod, OwnKeys>;

/// A constraint method of the registry.
pub(super) struct PlainMethod(&'static (MethodKind, MethodEntry), PlainSection);

impl Plain for PlainMethod {
    const KEY: &'static str = "inextensible";
    type Entry = &'static (MethodKind, MethodEntry);

    fn keys() -> Vec<Key> {
        let key = |(_, entry): &(MethodKind, MethodEntry)| match entry.iterations {
            Some(_) => Key::of::<PlainSection>(entry.name),
            None => Key::of::<OnceSection>(entry.name),
        };
        MethodKind::PLAIN.iter().map(key).collect()
    }

    fn find(name: &str) -> Option<Self::Entry> {
        MethodKind::PLAIN.iter().find(|(_, entry)| entry.name == name)
    }

    fn read<'de, A: VariantAccess<'de>>(entry: Self::Entry, section: A) -> Result<PlainMethod, A::Error> {
        let keys = match entry.1.iterations {
            Some(_) => section.newtype_variant::<Keyed<PlainSection>>()?.0,
            None => {
                let Keyed(OnceSection { strain }) = section.newtype_variant()?;
                PlainSection { strain, iterations: None, every_step: None }
            }
        };
        Ok(PlainMethod(entry, keys))
    }
}

section! {
    /// Constraint methods with keys of their own. If nothing is said, edges do not give way, what is restored is so
    /// as fast as [`Baumgarte::RATE`], and strips go along the directions of the
    /// preview, without constraints on velocities, on one thread. Iterations of XPBD are sweeps of each step, one if nothing is said.
    pub(super) enum OwnKeys = "one section like [inextensible.fast-projection]" {
        GaussSeidelLimiting("gauss-seidel-limiting", "a section") {
            strain: Option<Permissible>,
            iterations: Option<Count>,
            every_step: Option<bool>,
            seed: Option<u64>,
        },
        Xpbd("xpbd", "a section") {
            strain: Option<Permissible>,
            iterations: Option<Count>,
            compliance["m/N"]: Option<NonNegative>,
        },
        Baumgarte("baumgarte", "a section") {
            strain: Option<Permissible>,
            rate["1/s"]: Option<NonNegative>,
        },
        Accelerations("linearised-accelerations", "a section") {
            strain: Option<Permissible>,
            stiffness["1/s²"]: Option<NonNegative>,
            damping["1/s"]: Option<NonNegative>,
        },
        ImpulseStrips("impulse-strips", "a section") {
            strain: Option<Permissible>,
            iterations: Option<Count>,
            directions: Option<Directions>,
            velocity_strain: Option<Positive>,
            threads: Option<bool>,
        },
    }
}

section! {
    /// A method without keys of its own.
    #[derive(Default)]
    pub(super) struct PlainSection = "a section" {
        strain: Option<Permissible>,
        iterations: Option<Count>,
        every_step: Option<bool>,
    }
}

section! {
    /// A method of one solve a step.
    #[derive(Default)]
    struct OnceSection = "a section" {
        strain: Option<Permissible>,
    }
}

named!(Directions);

impl InextensibleSection {
    /// The method, with the `division` of the mesh into strips, and its limits.
    ///
    /// # Errors
    /// As [`Limits::new`]; never, as the keys have its ranges.
    pub fn inextensible(self, division: Division) -> Result<LengthConstraint, ModelError> {
        let mut always = false;
        let (method, strain, iterations, most) = match self {
            Listed::Plain(PlainMethod((method, entry), PlainSection { strain, iterations, every_step })) => {
                always = every_step.unwrap_or(entry.iterations.is_some());
                (*method, strain, iterations, entry.iterations)
            }
            Listed::Own(OwnKeys::GaussSeidelLimiting { strain, iterations, every_step, seed }) => {
                always = every_step.unwrap_or(true);
                (MethodKind::GaussSeidelLimiting { seed: seed.unwrap_or(0) }, strain, iterations, MethodEntry::SWEEPS)
            }
            Listed::Own(OwnKeys::Xpbd { strain, iterations, compliance }) => {
                let sweeps = iterations.map_or(1, |Count(sweeps)| sweeps.into());
                (MethodKind::Xpbd { compliance: compliance.unwrap_or(NonNegative::ZERO), sweeps }, strain, iterations, None)
            }
            Listed::Own(OwnKeys::Baumgarte { strain, rate }) => {
                (MethodKind::Baumgarte { rate: rate.unwrap_or(Baumgarte::RATE) }, strain, None, None)
            }
            Listed::Own(OwnKeys::Accelerations { strain, stiffness, damping }) => {
                let Feedback { stiffness: ks, damping: kd } = Feedback::default();
                let feedback = Feedback { stiffness: stiffness.unwrap_or(ks), damping: damping.unwrap_or(kd) };
                (MethodKind::Accelerations(feedback), strain, None, None)
            }
            Listed::Own(OwnKeys::ImpulseStrips { strain, iterations, directions, velocity_strain, threads }) => {
                let settings = StripSettings {
                    division,
                    directions: directions.unwrap_or_default(),
                    velocities: velocity_strain,
                    schedule: if threads == Some(true) { Schedule::Threaded } else { Schedule::Serial },
                };
                (MethodKind::ImpulseStrips(settings), strain, iterations, MethodEntry::SWEEPS)
            }
        };
        let strain = strain.map_or(LengthConstraint::STRAIN, |Permissible(strain)| strain);
        let iterations = iterations.map_or(most.unwrap_or(1), |Count(iterations)| iterations);
        let limits = Limits::new(strain, iterations.into())?;
        Ok(LengthConstraint { method, limits: if always { limits.in_every_step() } else { limits } })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scene;
    use super::super::keys::names;
    use super::*;

    const TOP: &str = "step = 1e-3\nduration = 0.5\n";
    const MESH: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";

    /// The scene with `top` on its third line and `sections` from its eighth one on.
    fn read(top: &str, sections: &str) -> Result<Scene, String> {
        Scene::parse(&format!("{TOP}{top}\n{MESH}{sections}")).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn every_key_of_a_method_reaches_it() {
        let found = |section: &str| read("", section).unwrap().inextensible.unwrap();
        let limits = Limits::new(0.5, 7).unwrap();
        let strips = StripSettings {
            division: Division::Strips { nx: 4 },
            directions: Directions::Preview,
            velocities: None,
            schedule: Schedule::Serial,
        };
        for (section, method) in [
            ("fast-projection]", MethodKind::FastProjection),
            ("jacobi-limiting]", MethodKind::JacobiLimiting),
            ("gauss-seidel-limiting]", MethodKind::GaussSeidelLimiting { seed: 0 }),
            ("gauss-seidel-limiting]\nseed = 9", MethodKind::GaussSeidelLimiting { seed: 9 }),
            ("pbd]", MethodKind::Pbd),
            ("icd]", MethodKind::Icd),
            ("step-and-project]", MethodKind::StepAndProject),
            ("shake]", MethodKind::Shake),
            ("rattle]", MethodKind::Rattle),
            ("impulse-strips]", MethodKind::ImpulseStrips(strips)),
            (
                "impulse-strips]\ndirections = \"frozen\"\nvelocity_strain = 0.25\nthreads = true",
                MethodKind::ImpulseStrips(StripSettings {
                    directions: Directions::Frozen,
                    velocities: Positive::try_from(0.25).ok(),
                    schedule: Schedule::Threaded,
                    ..strips
                }),
            ),
            ("xpbd]", MethodKind::Xpbd { compliance: NonNegative::ZERO, sweeps: 7 }),
            ("xpbd]\ncompliance = 0.25", MethodKind::Xpbd { compliance: NonNegative::try_from(0.25).unwrap(), sweeps: 7 }),
        ] {
            let limited = format!("[inextensible.{section}\nstrain = 0.5\niterations = 7");
            let of_its_own = ["impulse-strips", "xpbd"].iter().any(|name| section.starts_with(name));
            let limits = if of_its_own { limits } else { limits.in_every_step() };
            assert_eq!(found(&limited), LengthConstraint { method, limits });
        }
        let as_published = found("[inextensible.fast-projection]\nstrain = 0.5\niterations = 7\nevery_step = false");
        assert_eq!(as_published, LengthConstraint { method: MethodKind::FastProjection, limits });
        let once = LengthConstraint { method: MethodKind::Linearised, limits: Limits::new(0.5, 1).unwrap() };
        assert_eq!(found("[inextensible.linearised]\nstrain = 0.5"), once);
        let restored = |rate| MethodKind::Baumgarte { rate: NonNegative::try_from(rate).unwrap() };
        assert_eq!(found("[inextensible.baumgarte]\nrate = 0.25").method, restored(0.25));
        assert_eq!(found("[inextensible.baumgarte]\nstrain = 0.5"), LengthConstraint { method: restored(10.0), ..once });
        let fed = |section: &str| found(&format!("[inextensible.linearised-accelerations]{section}")).method;
        let feedback = |ks, kd| {
            let [stiffness, damping] = [ks, kd].map(|value| NonNegative::try_from(value).unwrap());
            MethodKind::Accelerations(Feedback { stiffness, damping })
        };
        assert_eq!(fed("\nstiffness = 9\ndamping = 0.5"), feedback(9.0, 0.5));
        assert_eq!((fed("\nstrain = 0.5"), fed("\nstiffness = 0")), (feedback(100.0, 20.0), feedback(0.0, 20.0)));
        assert_eq!(found("[inextensible.xpbd]").method, MethodKind::Xpbd { compliance: NonNegative::ZERO, sweeps: 1 });
    }

    #[test]
    fn edges_stand_in_place_of_the_stretch_springs() {
        let scene = read("inextensible = \"pbd\"\npins = [\"top\"]", "").unwrap();
        let stretch = scene.sheet().unwrap().material.stretch;
        assert_eq!((stretch.stiffness, stretch.damping), (0.0, 0.0));
        let mut simulation = scene.run(cloth::State::at_rest(scene.model().unwrap().rest())).unwrap();
        for _ in 0..200 {
            simulation.step().unwrap();
        }
        let filtered = simulation.filter().unwrap();
        assert_eq!((filtered.filter_work().steps, filtered.filter_work().failed), (200, 0));
        let strain = filtered.method().constraints().largest_strain(&simulation.state().x);
        assert!(strain <= 0.01 && simulation.state().x[0].z < -0.05 && simulation.energies().stretch == 0.0, "{strain}");
    }

    #[test]
    fn the_schemes_that_are_filtered_meet_solids_and_the_others_are_refused() {
        let ball = "[[solid]]\nsphere = { centre = [0.15, 0.1, -0.21], radius = 0.2 }";
        for name in names("integrator") {
            let keys = if ["imex", "sbdf2"].contains(&name) { "implicit = []" } else { "" };
            let soft = "[material]\nshear = { stiffness = 1 }";
            let read =
                read("inextensible = \"pbd\"\nfriction = \"sticking\"", &format!("[integrator.{name}]\n{keys}\n{soft}\n{ball}"));
            if ["bdf2", "sbdf2", "adaptive-sbdf2"].contains(&name) {
                let refused = read.unwrap_err();
                let first = "line 3, `inextensible = \"pbd\"`: constraint methods filter the steps of the integrators forward-euler, fb-euler, rk4, ";
                let last = format!(
                    ", generalized-alpha, imex, aimex and projective-dynamics, not those of {name}: change `integrator`, or take `inextensible` out"
                );
                assert!(refused.starts_with(first) && refused.ends_with(&last) && !refused.contains("bdf2, "), "{refused}");
                continue;
            }
            let scene = read.unwrap();
            let mut simulation = scene.run(cloth::State::at_rest(scene.model().unwrap().rest())).unwrap();
            for _ in 0..200 {
                simulation.step().unwrap();
            }
            let inside = |x: &cloth::Vec3| -scene.solids[0].0.distance(*x).0;
            assert!(simulation.filter().unwrap().touched() > 0 && simulation.contacts().is_none(), "{name}");
            assert!(simulation.state().x.iter().all(|x| inside(x) < 1e-12), "{name}");
        }
    }

    #[test]
    fn cloth_repels_itself_before_it_is_filtered() {
        let scene = read("inextensible = \"pbd\"\nintegrator = \"aimex\"", "[repulsion]").unwrap();
        let simulation = scene.run(cloth::State::at_rest(scene.model().unwrap().rest())).unwrap();
        assert!(simulation.repulsion().is_some() && simulation.filter().is_some());
    }

    #[test]
    fn mistakes_are_named_with_line_and_key() {
        for (top, sections, expected) in [
            ("inextensible = \"springs\"", "", "line 3, `inextensible = \"springs\"`: `inextensible` must be \""),
            (
                "",
                "[inextensible.pbd]\nstrain = 0",
                "line 9, `strain = 0`: `inextensible.pbd.strain` must be a number from 1e-11 to below 1, not 0",
            ),
            ("", "[inextensible.pbd]\nstrain = 1e-12", "must be a number from 1e-11 to below 1, not 0.000000000001"),
            ("", "[inextensible.pbd]\nstrain = 1", "must be a number from 1e-11 to below 1, not 1"),
            ("", "[inextensible.pbd]\nstrain = nan", "must be a number from 1e-11 to below 1, not NaN"),
            (
                "",
                "[inextensible.pbd]\niterations = 0",
                "`inextensible.pbd.iterations` must be a whole number from 1 to 1000000000, not 0",
            ),
            (
                "",
                "[inextensible.baumgarte]\nrate = -1",
                "line 9, `rate = -1`: `inextensible.baumgarte.rate` [1/s] must be a finite number, zero or above, not -1",
            ),
            ("", "[inextensible.baumgarte]\niterations = 2", "unknown key `iterations`; known here: strain, rate"),
            (
                "",
                "[inextensible.pbd]\nstiffness = 1",
                "line 9, `stiffness = 1`: unknown key `stiffness`; known here: strain, iterations",
            ),
            (
                "inextensible = \"pbd\"",
                "[material]\nstretch = { stiffness = 3 }",
                "line 9, `stretch = { stiffness = 3 }`: `material.stretch` has no use beside `inextensible`, whose edges",
            ),
            (
                "inextensible = \"pbd\"",
                "[adaptive_steps]\nstretch_limit = 1.1",
                "line 3, `inextensible = \"pbd\"`: `inextensible` keeps the stretch that `adaptive_steps` would adapt the step to",
            ),
            (
                "inextensible = \"pbd\"\npins = [\"bottom\", \"top\", 4, 5, 6, 7]",
                "",
                "line 3, `inextensible = \"pbd\"`: `inextensible` has no edge to act on: every particle is held by a pin; free some",
            ),
        ] {
            let message = read(top, sections).expect_err(expected);
            assert!(message.contains(expected) && !message.contains('\n'), "{message}\nis not\n{expected}");
        }
    }
}
