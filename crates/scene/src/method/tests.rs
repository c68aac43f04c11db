//! Every integrator and its keys as scenes write them, and what is wrong with them.

use super::super::Scene;
use super::*;
use cloth::implicit::{ConjugateGradients, Tolerance};
use cloth::integrators::{BackwardEuler, Bdf2};
use linsolve::{Decompose, Parts, PreconditionerKind, Start};

const TOP: &str = "step = 1e-3\nduration = 0.5\n";
const MESH: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";

/// The scene with `top` on its third line and `sections` from its eighth one on.
fn read(top: &str, sections: &str) -> Result<Scene, String> {
    Scene::parse(&format!("{TOP}{top}\n{MESH}{sections}")).map_err(|mistake| mistake.to_string())
}

fn scheme(top: &str, sections: &str) -> Scheme {
    read(top, sections).unwrap().scheme
}

#[test]
fn schemes_that_damp_little_converge_where_cloth_touches_something() {
    const SOLID: &str = "[[solid]]\nsphere = { centre = [0, 0, -1], radius = 0.5 }";
    let newton = |section: &str, rest: &str| scheme("", &format!("[integrator.{section}]\n{rest}")).settings().unwrap().newton;
    for section in ["generalized-alpha", "implicit-midpoint", "bdf2", "sbdf2", "adaptive-sbdf2"] {
        let implicit = if section == "sbdf2" { "implicit = ['stretch']\n" } else { "" };
        assert_eq!(newton(section, implicit), Newton::WATCHED, "{section}");
        let touching = Newton::Converged { tolerance: TOUCHING, limit: NEWTON_LIMIT };
        assert_eq!(newton(section, &format!("{implicit}{SOLID}")), touching, "{section}");
        assert_eq!(newton(section, &format!("{implicit}once = true\n{SOLID}")), Newton::Once, "{section}");
    }
    assert_eq!(newton("backward-euler", SOLID), Newton::WATCHED);
}

#[test]
fn a_name_is_its_section_without_keys() {
    let usual = Settings { solver: Solver::automatic(), newton: Newton::WATCHED, ..Settings::default() };
    let plain = integrators::PLAIN.iter().map(|entry| (entry.name, Scheme::Plain(entry, usual)));
    for (name, expected) in plain.chain([
        ("generalized-alpha", Scheme::GeneralizedAlpha(DissipationLimit::MOST_DISSIPATION, usual)),
        ("aimex", Scheme::BackwardEuler(Splitting::adaptive(), usual)),
        ("projective-dynamics", Scheme::ProjectiveDynamics(integrators::Iterations::default())),
        ("bogacki-shampine", Scheme::BogackiShampine(BogackiShampine::TOLERANCE)),
    ]) {
        assert_eq!(scheme(&format!("integrator = \"{name}\""), ""), expected);
        assert_eq!(scheme("", &format!("[integrator.{name}]")), expected);
        assert_eq!(expected.name(), name);
    }
    let papers = ConjugateGradients { momentum: true, ..ConjugateGradients::default() };
    for (solver, expected) in [
        ("automatic", Solver::automatic()),
        ("conjugate-gradients", Solver::ConjugateGradients(papers)),
        ("direct", Solver::Direct),
    ] {
        let named = scheme(&format!("integrator = \"bdf2\"\nsolver = \"{solver}\""), "");
        assert_eq!(named, scheme("integrator = \"bdf2\"", &format!("[solver.{solver}]")));
        assert_eq!(named.solver(), Some(expected));
    }
}

#[test]
fn every_key_of_a_method_reaches_its_setting() {
    let families = Splitting::Families { stretch: true, shear: false, bend: true };
    let newton = Newton::Converged { tolerance: 1e-7, limit: 50 };
    let split = "implicit = [\"bend\", \"stretch\"]\nnewton.tolerance = 1e-7\nterms = \"exact\"";
    let settings = Settings { solver: Solver::Direct, newton, terms: Terms::Exact, ..Settings::default() };
    assert_eq!(scheme("solver = \"direct\"", &format!("[integrator.imex]\n{split}")), Scheme::BackwardEuler(families, settings));
    assert_eq!(scheme("solver = \"direct\"", &format!("[integrator.sbdf2]\n{split}")), Scheme::Sbdf2(families, settings));
    let keys = "newton = { tolerance = 2, limit = 3 }\nterms = \"damping-by-position\"";
    let gradients = "[solver.conjugate-gradients]\ntolerance = 4\nrule = \"root-of-step\"\npreconditioner = \"none\"\nstart = \"original\"\n\
                     iteration_limit = 5\ndecompose = true\nprecision = \"double\"";
    let solver = Solver::ConjugateGradients(ConjugateGradients {
        tolerance: Tolerance::RootOfStep(4.0),
        preconditioner: PreconditionerKind::None,
        start: Start::Original,
        iteration_limit: 5,
        decompose: Some(Decompose::Serial),
        momentum: true,
    });
    let newton = Newton::Converged { tolerance: 2.0, limit: 3 };
    let settings = Settings { solver, newton, terms: Terms::DampingByPosition, ..Settings::default() };
    for (section, expected) in [
        ("backward-euler]", Scheme::Plain(&BackwardEuler::ENTRY, settings)),
        ("bdf2]", Scheme::Plain(&Bdf2::ENTRY, settings)),
        (
            "aimex]\nthreshold = 6\nbend = true",
            Scheme::BackwardEuler(Splitting::Adaptive { threshold: 6.0, bend: true }, settings),
        ),
    ] {
        assert_eq!(scheme("", &format!("[integrator.{section}\n{keys}\n{gradients}")), expected);
    }
    let cut = |keys: &str| match scheme("", &format!("[integrator.aimex]\n{keys}")) {
        Scheme::BackwardEuler(splitting, settings) if splitting == Splitting::adaptive() => settings.cuts,
        other => panic!("{other:?}"),
    };
    assert_eq!(cut("cut_speed = 0\ncut_lines = true"), None);
    assert_eq!(cut("cut_speed = 0.5"), Some(Cuts { speed: 0.5, separating: false }));
    assert_eq!(cut("cut_speed = 0.5\ncut_lines = true"), Some(Cuts { speed: 0.5, separating: true }));
    let following = Scheme::BogackiShampine(Positive::try_from(0.25).unwrap());
    assert_eq!(scheme("", "[integrator.bogacki-shampine]\ntolerance = 0.25"), following);
    for kind in PreconditionerKind::all() {
        let lines = format!("[solver.conjugate-gradients]\npreconditioner = \"{}\"", kind.name());
        match scheme("integrator = \"bdf2\"", &lines).solver() {
            Some(Solver::ConjugateGradients(gradients)) => assert_eq!(gradients.preconditioner, kind),
            other => panic!("{kind:?}: {other:?}"),
        }
    }
    let undamped = "[material]\nstretch.damping = 0\nshear.damping = 0";
    for (key, expected) in
        [("true", Newton::Descending { tolerance: 2.0, limit: 50 }), ("false", Newton::Converged { tolerance: 2.0, limit: 50 })]
    {
        let keys = format!("{undamped}\n[integrator.bdf2]\nnewton = {{ tolerance = 2, line_search = {key} }}");
        assert_eq!(scheme("", &keys).settings().map(|settings| settings.newton), Some(expected));
    }
    let newton = |keys: &str| scheme("", keys).settings().map(|settings| settings.newton);
    assert_eq!(newton("[integrator.bdf2]"), Some(Newton::WATCHED));
    for section in ["bdf2]", "generalized-alpha]", "imex]\nimplicit = []", "aimex]", "sbdf2]\nimplicit = []", "adaptive-sbdf2]"] {
        assert_eq!(newton(&format!("[integrator.{section}\nonce = true")), Some(Newton::Once), "{section}");
        assert_eq!(newton(&format!("[integrator.{section}\nonce = false")), Some(Newton::WATCHED), "{section}");
    }
    let parted = |keys: &str| {
        let lines = format!("[solver.conjugate-gradients]\npreconditioner = \"schwarz\"\n{keys}");
        match scheme("integrator = \"bdf2\"", &lines).solver() {
            Some(Solver::ConjugateGradients(ConjugateGradients {
                preconditioner: PreconditionerKind::Schwarz(parts), ..
            })) => parts,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(parted(""), Parts::default());
    let parts = Parts { rows: 7, overlap: 0, coarse: true };
    assert_eq!(parted("part_rows = 7\npart_overlap = 0\npart_coarse = true"), parts);
    let automatic = ConjugateGradients::automatic(0.25);
    assert_eq!(
        scheme("integrator = \"bdf2\"", "[solver.automatic]\nstrain = 0.25").solver(),
        Some(Solver::ConjugateGradients(automatic))
    );
    let precision = |keys: &str| scheme("integrator = \"bdf2\"", keys).settings().map(|settings| settings.precision);
    assert_eq!(precision(""), Some(Precision::Double));
    assert_eq!(precision("[solver.conjugate-gradients]\nprecision = \"single\""), Some(Precision::Single));
    let projective = |keys: &str| match scheme("", &format!("[integrator.projective-dynamics]\n{keys}")) {
        Scheme::ProjectiveDynamics(iterations) => iterations,
        other => panic!("{other:?}"),
    };
    let iterations = integrators::Iterations { limit: 7, tolerance: Some(3.0), acceleration: Acceleration::None };
    assert_eq!(projective("iterations = 7\ntolerance = 3"), iterations);
    for (keys, expected) in [
        ("\"chebyshev\"", Acceleration::Chebyshev { rho: 0.9 }),
        ("{ chebyshev = { rho = 0.25 } }", Acceleration::Chebyshev { rho: 0.25 }),
        ("\"l-bfgs\"", Acceleration::QuasiNewton { pairs: 5 }),
        ("{ l-bfgs = { pairs = 8 } }", Acceleration::QuasiNewton { pairs: 8 }),
    ] {
        assert_eq!(projective(&format!("acceleration = {keys}")).acceleration, expected);
    }
    let adapted = |keys: &str| read("", &format!("[adaptive_steps]\nstretch_limit = 1.5{keys}")).unwrap().adaptive_steps;
    assert_eq!(adapted(""), Some(StretchLimit { limit: 1.5, successes: 4 }));
    assert_eq!(adapted("\nsuccesses = 7"), Some(StretchLimit { limit: 1.5, successes: 7 }));
}

#[test]
fn triangles_are_not_solved_in_single_precision() {
    let mesh = "[mesh.regular]\nnx = 4\nny = 3\nwidth = 1\nheight = 1\n";
    let read = |precision: &str| {
        let solver = format!("[solver.conjugate-gradients]\nprecision = \"{precision}\"");
        Scene::parse(&format!("{TOP}integrator = \"bdf2\"\n{mesh}{solver}")).map_err(|mistake| mistake.to_string())
    };
    assert!(read("double").is_ok());
    let refused = read("single").unwrap_err();
    assert!(
        refused.starts_with("line 10, `precision = \"single\"`: `precision = \"single\"` has no use beside a mesh of"),
        "{refused}"
    );
}

#[test]
fn steps_with_newton_iterations_are_adapted_to_them() {
    let adapting = |sections: &str| read("", sections).unwrap().adapting();
    assert_eq!(adapting("[integrator.bdf2]"), None);
    assert_eq!(adapting("[integrator.bdf2]\nnewton = { tolerance = 1e-9 }"), Some(StretchLimit::NONE));
    let both = "[integrator.bdf2]\nnewton = { tolerance = 1e-9 }\n[adaptive_steps]\nstretch_limit = 1.1\nsuccesses = 7";
    assert_eq!(adapting(both), Some(StretchLimit { limit: 1.1, successes: 7 }));
    // a limit of one iteration, which never converges: each step is rejected until it is as short as there are
    let scene = read("pins = [0]", "[integrator.bdf2]\nnewton = { tolerance = 1e-20, limit = 1 }").unwrap();
    let mut simulation = scene.run(cloth::State::at_rest(scene.model().unwrap().rest())).unwrap();
    simulation.step().unwrap();
    let work = simulation.work();
    assert!(work.rejected >= 10 && work.accepted_beyond > 512, "{work:?}");
    assert_eq!(work.newton_limited, work.rejected + work.accepted_beyond);
}

#[test]
fn a_continuum_has_no_springs_to_cut() {
    let scene = |model: &str| {
        let mesh = "[mesh.regular]\nnx = 4\nny = 3\nwidth = 1\nheight = 1";
        let text = format!("step = 1e-3\nduration = 0.5\n[integrator.aimex]\ncut_speed = 0.1\n{mesh}\n[material]\n{model}");
        Scene::parse(&text).map(|scene| scene.scheme.settings().and_then(|settings| settings.cuts))
    };
    let message = scene("model = \"continuum\"").expect_err("nothing to cut").to_string();
    assert!(message.contains("`cut_speed` cuts springs, and the cloth is a continuum: take it out"), "{message}");
    assert_eq!(scene("model = \"springs\""), Ok(Some(Cuts { speed: 0.1, separating: false })));
}

#[test]
fn mistakes_in_a_method_are_named_with_line_and_key() {
    for (top, sections, expected) in [
        ("integrator = \"imex\"", "", "line 3, `integrator = \"imex\"`: the key `implicit` is missing in [integrator.imex]; add"),
        ("integrator = [\"rk4\"]", "", "line 3, `integrator = [\"rk4\"]`: `integrator` must be \"forward-euler\", "),
        (
            "",
            "[integrator.sbdf2]",
            "line 8, `[integrator.sbdf2]`: the key `implicit` is missing in [integrator.sbdf2]; add it: a list",
        ),
        (
            "",
            "[integrator.bogacki-shampine]\ntolerance = 0",
            "line 9, `tolerance = 0`: `integrator.bogacki-shampine.tolerance` [m] must be a finite number above zero, not 0",
        ),
        ("", "[integrator.bogacki-shampine]\nnewton = {}", "line 9, `newton = {}`: unknown key `newton`; known here: tolerance"),
        ("", "[integrator.rk4]\norder = 4", "line 9, `order = 4`: unknown key `order`; known here: none"),
        ("", "[integrator.rk4]\n[integrator.bdf2]", "`integrator` must be one choice, but `rk4` stands beside another one"),
        (
            "",
            "[integrator.imex]\nimplicit = [\"sheer\"]",
            "line 9, `implicit = [\"sheer\"]`: `integrator.imex.implicit` must be a list of \"stretch\", \"shear\" and \"bend\", \
             not \"sheer\"",
        ),
        ("", "[integrator.aimex]\nthreshold = 0", "`integrator.aimex.threshold` must be a finite number above zero, not 0"),
        (
            "",
            "[integrator.aimex]\nimplicit = []",
            "unknown key `implicit`; known here: threshold, bend, cut_speed, cut_lines, newton, once, terms",
        ),
        (
            "",
            "[integrator.bdf2]\nnewton = { tolerance = 1 }\nonce = true",
            "line 10, `once = true`: `once` is one linear system a step, and `newton` solves more of them: take one of them out",
        ),
        ("", "[integrator.bdf2]\nnewton = {}", "the key `tolerance` is missing in [integrator.bdf2.newton]; add it: a finite"),
        (
            "",
            "[integrator.bdf2]\nnewton = { tolerance = -1 }",
            "line 9, `newton = { tolerance = -1 }`: `integrator.bdf2.newton.tolerance` [m/s] must be a finite number above zero, not -1",
        ),
        (
            "",
            "[integrator.bdf2]\nnewton = { tolerance = 1, limit = 10001 }",
            "`integrator.bdf2.newton.limit` must be a whole number from 1 to 10000, not 10001",
        ),
        (
            "",
            "[integrator.bdf2]\nnewton = { tolerance = 1, line_search = true }",
            "line 9, `newton = { tolerance = 1, line_search = true }`: `line_search` lowers an energy, and these dampers have none: \
             plain ones have, of springs that resist compression: take one of them out",
        ),
        (
            "",
            "[integrator.imex]\nimplicit = []\nnewton = { tolerance = 1, line_search = true }",
            "line 10, `newton = { tolerance = 1, line_search = true }`: `line_search` lowers an energy, and springs that are taken \
             explicitly do not enter it: take one of them out",
        ),
        (
            "",
            "[integrator.backward-euler]\nnewton = { tolerance = 1, line_search = true }\n[[solid]]\nsphere = { centre = [0, 0, 0], \
             radius = 1 }",
            "`line_search` lowers an energy, and contact by constraints does not enter it",
        ),
        (
            "",
            "[integrator.generalized-alpha]\nrho_inf = 1.5",
            "line 9, `rho_inf = 1.5`: `integrator.generalized-alpha.rho_inf` must be a number from 0 to 1, not 1.5",
        ),
        (
            "",
            "[integrator.generalized-alpha]\nrho_inf = -0.1",
            "`integrator.generalized-alpha.rho_inf` must be a number from 0 to 1, not -0.1",
        ),
        (
            "",
            "[integrator.generalized-alpha]\nrho_inf = nan",
            "`integrator.generalized-alpha.rho_inf` must be a number from 0 to 1, not NaN",
        ),
        ("", "[integrator.generalized-alpha]\nrho = 0", "unknown key `rho`; known here: rho_inf, newton, once, terms"),
        (
            "",
            "[integrator.projective-dynamics]\nacceleration = { chebyshev = { rho = 1 } }",
            "`integrator.projective-dynamics.acceleration.chebyshev.rho` must be a number above 0 and below 1, not 1",
        ),
        (
            "",
            "[integrator.projective-dynamics]\nacceleration = \"newton\"",
            "`integrator.projective-dynamics.acceleration` must be \"chebyshev\" or \"l-bfgs\", or one section like",
        ),
        (
            "",
            "[integrator.projective-dynamics]\niterations = 0",
            "`integrator.projective-dynamics.iterations` must be a whole number from 1 to 10000, not 0",
        ),
        (
            "integrator = \"projective-dynamics\"\nsolver = \"direct\"",
            "",
            "`solver` has no use beside \"projective-dynamics\", which factors a matrix of its own: take it out",
        ),
        ("", "[integrator.bdf2]\nterms = \"all\"", "`integrator.bdf2.terms` must be \"filtered\", \"exact\" or"),
        (
            "solver = \"direct\"\nintegrator = \"fb-euler\"",
            "",
            "line 3, `solver = \"direct\"`: `solver` has no use beside \"fb-euler\", which solves no linear systems: take it out",
        ),
        ("integrator = \"rk4\"", "[solver.direct]", "line 8, `[solver.direct]`: `solver` has no use beside \"rk4\", which"),
        (
            "integrator = \"bdf2\"\nsolver = \"cg\"",
            "",
            "line 4, `solver = \"cg\"`: `solver` must be \"automatic\", \"conjugate-gradients\" or",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\ntolerance = 0",
            "`solver.conjugate-gradients.tolerance` must be a finite number above zero, not 0",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\npreconditioner = \"ilu\"",
            "must be \"none\", \"diagonal\", \"a-block\", \"constrained\", \"incomplete-cholesky\", ",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\npreconditioner = \"schwarz\"\npart_rows = 129",
            "`solver.conjugate-gradients.part_rows` must be a whole number from 1 to 128, not 129",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\npreconditioner = \"schwarz\"\npart_overlap = -1",
            "`solver.conjugate-gradients.part_overlap` must be a whole number from 0 to 4, not -1",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\npart_rows = 32\npart_overlap = 2",
            "line 10, `part_overlap = 2`: `part_overlap` has no use but beside `preconditioner = \"schwarz\"`: take it out, or choose \
             that",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\nprecision = \"single\"\npreconditioner = \"schwarz\"",
            "`precision = \"single\"` has no use beside `preconditioner = \"schwarz\"`, whose",
        ),
        (
            "",
            "[integrator.aimex]\ncut_speed = -0.1",
            "`integrator.aimex.cut_speed` [m/s] must be a finite number, zero or above, not -0.1",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\niteration_limit = 0",
            "`solver.conjugate-gradients.iteration_limit` must be a whole number from 1 to 1000000000, not 0",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\nprecision = \"half\"",
            "`solver.conjugate-gradients.precision` must be \"double\" or \"single\", not \"half\"",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\ndecompose = true\nprecision = \"single\"",
            "line 10, `precision = \"single\"`: `precision = \"single\"` has no use beside `decompose = true`, whose systems are \
             solved in double precision: take one of them out",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\nprecision = \"single\"\npreconditioner = \"ssor\"",
            "`precision = \"single\"` has no use beside `preconditioner = \"ssor\"`, whose",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\nprecision = \"single\"\npreconditioner = \"incomplete-cholesky\"",
            "`precision = \"single\"` has no use beside `preconditioner = \"incomplete-cholesky\"`, whose",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\nprecision = \"single\"\npreconditioner = \"aggregation\"",
            "`precision = \"single\"` has no use beside `preconditioner = \"aggregation\"`, whose",
        ),
        (
            "",
            "[integrator.bdf2]\nterms = \"exact\"\n[solver.conjugate-gradients]\nprecision = \"single\"",
            "`precision = \"single\"` has no use beside `terms` that are not \"filtered\", whose",
        ),
        (
            "integrator = \"bdf2\"",
            "[solver.conjugate-gradients]\nprecision = \"single\"\n[material]\nstiffening = { strain = 0.1, factor = 0.5 }",
            "`precision = \"single\"` has no use beside springs that soften, whose",
        ),
        (
            "tolerance = 1",
            "",
            "`tolerance` belongs in [integrator.bogacki-shampine] or in [integrator.projective-dynamics] or in",
        ),
        ("", "[adaptive_steps]", "line 8, `[adaptive_steps]`: the key `stretch_limit` is missing in [adaptive_steps]; add it"),
        ("", "[adaptive_steps]\nstretch_limit = 1", "`adaptive_steps.stretch_limit` must be a finite number above 1, not 1"),
        (
            "",
            "[adaptive_steps]\nstretch_limit = 1.1\nsuccesses = 0",
            "line 10, `successes = 0`: `adaptive_steps.successes` must be a whole number from 1 to 1000000000, not 0",
        ),
    ] {
        let message = read(top, sections).expect_err(expected);
        assert!(message.contains(expected) && !message.contains('\n'), "{message}\nis not\n{expected}");
    }
}
