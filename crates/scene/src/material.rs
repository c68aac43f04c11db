//! What a scene's cloth is made of, as it is written: the section `material`.

mod bend;
mod fabric;

use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use bend::BendSection;
pub(super) use fabric::MaterialKey;
use fabric::Named;

use super::key::{Takes, named, section};
use super::mistake::Problem;
use super::range::{Tolerance, Triple};
use super::section::{Keyed, NumberOr};
use super::{GustsFile, NamedFile, Place};
use cloth::quantity::{NonNegative, Positive};
use cloth::run::TriangleMaterial;
use cloth::triangles::{Fabric, FoldLaw, Shares, SpringMaterial, Weighting};
use cloth::{DampingForm, Drag, Elastic, Masses, Material, Stiffening, Vec3};

section! {
    /// Each key that is left out has its value in the fabric, if one is named, or in [`Material::default`], [`continuum`] or
    /// [`SpringMaterial::default`].
    #[derive(Default)]
    pub(super) struct MaterialSection = "a section" {
        fabric: Option<Spanned<Named>>,
        model: Option<Spanned<ModelName>>,
        density["kg/m²"]: Option<Positive>,
        stretch: Option<Spanned<Keyed<ElasticSection>>>,
        warp: Option<Spanned<Keyed<ElasticSection>>>,
        weft: Option<Spanned<Keyed<ElasticSection>>>,
        shear: Option<Spanned<Keyed<ElasticSection>>>,
        bend["N/m, on a continuum J"]: Option<Spanned<NumberOr<BendSection>>>,
        damping: Option<Spanned<DampingForm>>,
        extension_tolerance: Option<Spanned<Tolerance>>,
        compression: Option<Spanned<bool>>,
        weighting: Option<Spanned<Weighting>>,
        stiffening: Option<Spanned<Keyed<StiffeningSection>>>,
        masses: Option<Spanned<MassesName>> = "\"equal\", \"by-area\" or { hem = 2.0 } with a number above zero",
        air["N s/m"]: Option<Spanned<NonNegative>>,
        drag: Option<Spanned<Keyed<DragSection>>>,
        gravity["m/s²"]: Option<Triple>,
    }
}

/// How triangles resist.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ModelName {
    Continuum,
    Springs,
}

section! {
    #[derive(Clone, Copy, Default)]
    struct ElasticSection = "a section { stiffness, damping }" {
        stiffness["N/m"]: Option<NonNegative>,
        damping["N s/m"]: Option<NonNegative>,
    }
}

section! {
    #[derive(Clone, Copy)]
    struct StiffeningSection = "a section { strain, factor }" {
        strain: Positive,
        factor: NonNegative,
    }
}

section! {
    /// Without further keys: a plate across a flow of air at sea level that is at rest.
    #[derive(Default)]
    struct DragSection = "a section { air_density, coefficient, wind or gusts }" {
        air_density["kg/m³"]: Option<NonNegative>, // 1.2 kg/m³
        coefficient: Option<NonNegative>, // 1
        wind["m/s"]: Option<Triple>,             // none
        gusts: Option<Spanned<PathBuf>> = "the name of a table of wind in quotes",  // in place of wind
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MassesName {
    Equal,
    ByArea,
    Hem(Positive),
}

named!(ModelName, DampingForm, MassesName, Weighting);

impl ElasticSection {
    fn or(self, default: Elastic) -> Elastic {
        Elastic {
            stiffness: self.stiffness.map_or(default.stiffness, NonNegative::get),
            damping: self.damping.map_or(default.damping, NonNegative::get),
        }
    }
}

/// Stiffness and damping of a section that may be left out.
fn elastic(section: Option<&Spanned<Keyed<ElasticSection>>>, default: Elastic) -> Elastic {
    section.map_or(default, |section| section.get_ref().0.or(default))
}

/// A continuum if nothing is said: one that bends by a rigidity, so that finer meshes are no softer.
fn continuum() -> Fabric {
    Fabric { fold_law: FoldLaw::Curvature(Shares::ALIKE), ..Fabric::default() }
}

/// Refuses the keys that stand in a section without a meaning for `kind`. A problem comes with its place in the text.
fn refuse(keys: &[(&'static str, Option<usize>)], kind: &'static str) -> Result<(), (usize, Problem)> {
    let mut standing = keys.iter().filter_map(|&(key, place)| Some((place?, Problem::Meaningless { key, kind })));
    standing.next().map_or(Ok(()), Err)
}

/// Where a key stands.
fn place<T>(key: &Option<Spanned<T>>) -> Option<usize> {
    key.as_ref().map(|key| key.span().start)
}

impl MaterialSection {
    /// The first key of stretch, and where it stands.
    pub fn stretch_place(&self) -> Option<(usize, &'static str)> {
        let keys = [("stretch", place(&self.stretch)), ("warp", place(&self.warp)), ("weft", place(&self.weft))];
        keys.into_iter().find_map(|(key, place)| Some((place?, key)))
    }

    /// Where a hem stands.
    pub fn hem_place(&self) -> Option<usize> {
        place(&self.masses).filter(|_| self.masses.as_ref().is_some_and(|masses| matches!(masses.get_ref(), MassesName::Hem(_))))
    }

    /// Where the key `shear` stands.
    pub fn shear_place(&self) -> Option<usize> {
        place(&self.shear)
    }

    /// The material of a grid.
    pub fn of_grid(&self) -> Result<Material, (usize, Problem)> {
        let keys = [
            ("model", place(&self.model)),
            ("warp", place(&self.warp)),
            ("weft", place(&self.weft)),
            ("weighting", place(&self.weighting)),
        ];
        refuse(&keys, "springs on a grid")?;
        let default = self.fabric.as_ref().map_or_else(Material::default, |fabric| fabric.get_ref().0.on_grid());
        let (bend, rigidity) = self.bend((default.bend, default.rigidity), NumberOr::of_grid)?;
        let damping = self.damping.as_ref().map(|damping| *damping.get_ref());
        let masses = self.masses.as_ref().map(|masses| *masses.get_ref());
        Ok(Material {
            density: self.density.map_or(default.density, Positive::get),
            stretch: elastic(self.stretch.as_ref(), default.stretch),
            shear: elastic(self.shear.as_ref(), default.shear),
            bend,
            bend_law: default.bend_law,
            rigidity,
            damping: damping.unwrap_or(default.damping),
            extension_tolerance: self.extension_tolerance.as_ref().map_or(default.extension_tolerance, |gate| gate.get_ref().0),
            compression: self.compression.as_ref().map_or(default.compression, |compression| *compression.get_ref()),
            stiffening: self.stiffening(),
            masses: match masses {
                None => default.masses,
                Some(MassesName::Equal) => Masses::Equal,
                Some(MassesName::ByArea) => Masses::ByArea,
                Some(MassesName::Hem(factor)) => Masses::Hem(factor.get()),
            },
            air: self.air(default.air),
            drag: self.drag(),
            gravity: self.gravity(default.gravity),
        })
    }

    /// The material of a grid that tears, as springs on its cells.
    pub fn of_torn_grid(&self) -> Result<TriangleMaterial, (usize, Problem)> {
        let kind = "springs on a grid that tears";
        refuse(&[("model", place(&self.model)), ("masses", place(&self.masses))], kind)?; // a hem would be one of each tear
        self.springs(kind, true)
    }

    /// The material of triangles, a continuum if nothing is said; of a mesh that is still to be read if it is `unread`, which may
    /// have quads.
    pub fn of_triangles(&self, unread: bool) -> Result<TriangleMaterial, (usize, Problem)> {
        match self.model.as_ref().map_or(ModelName::Continuum, |model| *model.get_ref()) {
            ModelName::Continuum => {
                let grid = [
                    ("damping", place(&self.damping)),
                    ("extension_tolerance", place(&self.extension_tolerance)),
                    ("stiffening", place(&self.stiffening)),
                    ("masses", place(&self.masses)),
                ];
                let kind = "a continuum of triangles";
                refuse(&grid, kind)?;
                refuse(&[("compression", place(&self.compression))], kind)?;
                let default = self.fabric.as_ref().map_or_else(continuum, |fabric| fabric.get_ref().0.as_continuum());
                let (bend, fold_law) =
                    self.bend((default.bend, default.fold_law), |bend| bend.of_continuum((default.bend, default.fold_law)))?;
                let along = |section: &Option<Spanned<Keyed<ElasticSection>>>, default| {
                    elastic(section.as_ref(), elastic(self.stretch.as_ref(), default))
                };
                Ok(TriangleMaterial::Continuum(Fabric {
                    density: self.density.map_or(default.density, Positive::get),
                    warp: along(&self.warp, default.warp),
                    weft: along(&self.weft, default.weft),
                    shear: elastic(self.shear.as_ref(), default.shear),
                    weighting: self.weighting.as_ref().map_or(default.weighting, |weighting| *weighting.get_ref()),
                    bend,
                    fold_law,
                    air: self.air(default.air),
                    drag: self.drag(),
                    gravity: self.gravity(default.gravity),
                }))
            }
            ModelName::Springs => self.springs("springs on triangles", unread),
        }
    }

    /// Springs on faces of a `kind`; of shear only where some of them may be quads.
    fn springs(&self, kind: &'static str, quads: bool) -> Result<TriangleMaterial, (usize, Problem)> {
        let others = [
            ("fabric", place(&self.fabric)),
            ("extension_tolerance", place(&self.extension_tolerance)),
            ("warp", place(&self.warp)),
            ("weft", place(&self.weft)),
            ("weighting", place(&self.weighting)),
            ("shear", place(&self.shear).filter(|_| !quads)),
        ];
        refuse(&others, kind)?;
        let default = SpringMaterial::default();
        let springs = SpringMaterial {
            density: self.density.map_or(default.density, Positive::get),
            stretch: elastic(self.stretch.as_ref(), default.stretch),
            shear: elastic(self.shear.as_ref(), default.shear),
            bend: self.bend(default.bend, |bend| bend.of_springs(default.bend))?,
            compression: self.compression.as_ref().map_or(default.compression, |compression| *compression.get_ref()),
            damping: self.damping.as_ref().map_or(default.damping, |damping| *damping.get_ref()),
            stiffening: self.stiffening(),
            hem: self.hem()?.unwrap_or(default.hem),
            air: self.air(default.air),
            drag: self.drag(),
        };
        Ok(TriangleMaterial::Springs { springs, gravity: self.gravity(Material::default().gravity) })
    }

    /// What `bend` says of a kind of cloth, `default` where it says nothing.
    fn bend<T>(
        &self,
        default: T,
        of: impl FnOnce(NumberOr<BendSection>) -> Result<T, &'static str>,
    ) -> Result<T, (usize, Problem)> {
        let Some(bend) = &self.bend else { return Ok(default) };
        let refused = |refusal: &str| {
            (bend.span().start, Problem::refused("material.bend", &MaterialSection::key("bend"), refusal.to_owned()))
        };
        of(*bend.get_ref()).map_err(refused)
    }

    fn stiffening(&self) -> Option<Stiffening> {
        let StiffeningSection { strain, factor } = self.stiffening.as_ref()?.get_ref().0;
        Some(Stiffening { strain: strain.get(), factor: factor.get() })
    }

    /// The factor of a hem on triangles, whose particles have their share of the area otherwise.
    fn hem(&self) -> Result<Option<f64>, (usize, Problem)> {
        match self.masses.as_ref().map(|masses| (masses.span().start, *masses.get_ref())) {
            None | Some((_, MassesName::ByArea)) => Ok(None),
            Some((_, MassesName::Hem(factor))) => Ok(Some(factor.get())),
            Some((place, MassesName::Equal)) => {
                let refusal = "must be \"by-area\" or { hem = 2.0 } on triangles, not \"equal\"".to_owned();
                Err((place, Problem::refused("material.masses", &MaterialSection::key("masses"), refusal)))
            }
        }
    }

    fn air(&self, default: f64) -> f64 {
        self.air.as_ref().map_or(default, |air| air.get_ref().get())
    }

    fn drag(&self) -> Option<Drag> {
        let &DragSection { air_density, coefficient, wind, .. } = &self.drag.as_ref()?.get_ref().0;
        Some(Drag {
            air_density: air_density.map_or(1.2, NonNegative::get),
            coefficient: coefficient.map_or(1.0, NonNegative::get),
            wind: wind.map_or(Vec3::zeros(), |Triple(wind)| wind),
        })
    }

    /// The file of the gusts that are the wind, in a scene's `text`.
    pub fn gusts(&self, text: &str) -> Result<Option<GustsFile>, (usize, Problem)> {
        let Some(DragSection { wind, gusts: Some(file), .. }) = self.drag.as_ref().map(|drag| &drag.get_ref().0) else {
            return Ok(None);
        };
        let start = file.span().start;
        if wind.is_some() {
            return Err((start, Problem::BesideGusts));
        }
        let file = NamedFile { place: Place::at(text, start), path: file.get_ref().clone() };
        Ok(Some(GustsFile { file, series: None }))
    }

    fn gravity(&self, default: Vec3) -> Vec3 {
        self.gravity.map_or(default, |Triple(gravity)| gravity)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Scene, Subject};
    use super::*;
    use cloth::triangles::Bend;
    use cloth::{Measured, Rigidity};

    const TOP: &str = "step = 1e-3\nduration = 0.5\n[mesh.regular]\nnx = 3\nny = 4\nwidth = 0.5\nheight = 0.75\n";
    const GRID: &str = "step = 1e-3\nduration = 0.5\n[mesh]\nnx = 3\nny = 4\nspacing = 0.5\n\n";

    fn read(top: &str, keys: &str) -> Result<TriangleMaterial, String> {
        match Scene::parse(&format!("{top}[material]\n{keys}")).map_err(|mistake| mistake.to_string())?.subject {
            Subject::Triangles(triangles) => Ok(triangles.material),
            Subject::Sheet(_) => panic!("a grid"),
        }
    }

    #[test]
    fn triangles_are_a_continuum_if_nothing_is_said() {
        assert_eq!(read(TOP, ""), Ok(TriangleMaterial::Continuum(continuum())));
        let damped = Fabric { bend: Bend { damping: 1e-7, ..continuum().bend }, ..continuum() };
        assert_eq!(read(TOP, "bend = { damping = 1e-7 }"), Ok(TriangleMaterial::Continuum(damped)));
        let springs = TriangleMaterial::Springs { springs: SpringMaterial::default(), gravity: Material::default().gravity };
        assert_eq!(read(TOP, "model = 'springs'"), Ok(springs));
    }

    #[test]
    fn a_fabric_has_what_was_measured_but_for_the_keys_beside_it() {
        let denim = Measured::named("denim").unwrap();
        let by_name = |top: &str| Scene::parse(&format!("material = 'denim'\n{top}")).unwrap().subject;
        let of_grid = |subject: Subject| if let Subject::Sheet(sheet) = subject { sheet.material } else { panic!("triangles") };
        assert_eq!(of_grid(by_name(GRID)), denim.on_grid());
        assert_eq!(read(TOP, "fabric = 'denim'"), Ok(TriangleMaterial::Continuum(denim.as_continuum())));
        let wet = Fabric { density: 0.5, ..denim.as_continuum() };
        assert_eq!(read(TOP, "fabric = 'denim'\ndensity = 0.5"), Ok(TriangleMaterial::Continuum(wet)));
        let beside = of_grid(Scene::parse(&format!("{GRID}[material]\nfabric = 'denim'\nbend = 0.02\n")).unwrap().subject);
        assert_eq!(beside, Material { bend: 0.02, rigidity: None, ..denim.on_grid() });
        let refused = read(TOP, "fabric = 'silk'").unwrap_err();
        let names = "`material.fabric` must be \"underwear\", \"blanket\", \"tablecloth\"";
        assert!(refused.contains(names) && refused.ends_with("or \"trousers\", not 'silk'"), "{refused}");
        let refused = Scene::parse(&format!("material = 'silk'\n{GRID}")).unwrap_err().to_string();
        assert!(refused.contains("or \"trousers\", or a section, not 'silk'"), "{refused}");
        let refused = read(TOP, "model = 'springs'\nfabric = 'denim'").unwrap_err();
        assert!(refused.contains("`material.fabric`") && refused.contains("springs on triangles"), "{refused}");
    }

    #[test]
    fn a_rigidity_reaches_grids_and_triangles() {
        let sheet = |keys: &str| Scene::parse(&format!("{GRID}[material]\nbend = {keys}\n")).unwrap().sheet().unwrap().material;
        let alike = Rigidity { damping: 0.5, ..Rigidity::isotropic(2.0) };
        assert_eq!(
            sheet("{ rigidity = 2, damping = 0.5 }"),
            Material { bend: 0.0, rigidity: Some(alike), ..Material::default() }
        );
        let parts = Rigidity { warp: 1.0, weft: 0.0, twist: 3.0, damping: 0.0 };
        assert_eq!(sheet("{ rigidity = { warp = 1, twist = 3 } }").rigidity, Some(parts));
        let curvature = FoldLaw::Curvature(Shares::ALIKE);
        for (law, expected) in [
            ("", curvature),
            ("law = 'curvature',", curvature),
            ("law = 'quadratic',", FoldLaw::Quadratic),
            ("law = 'shells',", FoldLaw::Shells),
        ] {
            let bend = Bend { stiffness: 4.0, damping: 0.25 };
            let fabric = Fabric { bend, fold_law: expected, ..Fabric::default() };
            let found = read(TOP, &format!("bend = {{ rigidity = 4, {law} damping = 0.25 }}"));
            assert_eq!(found, Ok(TriangleMaterial::Continuum(fabric)));
        }
        let shares = Shares { warp: 0.5, weft: 1.0, twist: 0.0 };
        let fabric =
            Fabric { bend: Bend { stiffness: 4.0, damping: 0.0 }, fold_law: FoldLaw::Curvature(shares), ..Fabric::default() };
        let found = read(TOP, "bend = { rigidity = { warp = 2, weft = 4 } }");
        assert_eq!(found, Ok(TriangleMaterial::Continuum(fabric)));
        let refused = read(TOP, "model = 'springs'\nbend = { rigidity = 1 }").unwrap_err();
        assert!(refused.contains("give it a stiffness"), "{refused}");
    }

    #[test]
    fn every_key_of_triangles_reaches_its_quantity() {
        let elastic = |stiffness, damping| Elastic { stiffness, damping };
        let keys = "density = 1\nwarp = { stiffness = 2 }\nstretch = { stiffness = 3, damping = 4 }\nweft = { damping = 5 }\n\
                    shear = { stiffness = 6, damping = 7 }\nbend = { stiffness = 8, damping = 9 }\nair = 10\n\
                    weighting = \"as-printed\"\n\
                    drag = { air_density = 11, coefficient = 12, wind = [13, 14, 15] }\ngravity = [16, 17, 18]";
        let fabric = Fabric {
            density: 1.0,
            warp: elastic(2.0, 4.0),
            weft: elastic(3.0, 5.0),
            shear: elastic(6.0, 7.0),
            weighting: Weighting::AsPrinted,
            bend: Bend { stiffness: 8.0, damping: 9.0 },
            fold_law: FoldLaw::PerHinge,
            air: 10.0,
            drag: Some(Drag { air_density: 11.0, coefficient: 12.0, wind: Vec3::new(13.0, 14.0, 15.0) }),
            gravity: Vec3::new(16.0, 17.0, 18.0),
        };
        assert_eq!(read(TOP, keys), Ok(TriangleMaterial::Continuum(fabric)));
        let keys = "model = 'springs'\ndensity = 1\nstretch = { stiffness = 2, damping = 3 }\nbend = 4\ncompression = true\n\
                    gravity = [5, 6, 7]\ndamping = 'projected'\nstiffening = { strain = 8, factor = 9 }\nmasses = { hem = 10 }\n\
                    air = 11\ndrag = { air_density = 12, coefficient = 13, wind = [14, 15, 16] }";
        let springs = SpringMaterial {
            density: 1.0,
            stretch: elastic(2.0, 3.0),
            bend: elastic(4.0, 0.0),
            compression: true,
            damping: DampingForm::Projected,
            stiffening: Some(Stiffening { strain: 8.0, factor: 9.0 }),
            hem: 10.0,
            air: 11.0,
            drag: Some(Drag { air_density: 12.0, coefficient: 13.0, wind: Vec3::new(14.0, 15.0, 16.0) }),
            ..SpringMaterial::default()
        };
        assert_eq!(read(TOP, keys), Ok(TriangleMaterial::Springs { springs, gravity: Vec3::new(5.0, 6.0, 7.0) }));
        let by_area = read(TOP, "model = 'springs'\nmasses = 'by-area'");
        assert_eq!(by_area, read(TOP, "model = 'springs'"));
    }

    #[test]
    fn keys_of_other_cloth_are_refused_by_name() {
        let refused = |top: &str, keys: &str, key: &str, kind: &str| {
            let expected = format!(
                "line {}, `{}`: `material.{key}` has no meaning for {kind}: take it out, or choose another `mesh` or `material.model`",
                8 + keys.lines().count(),
                keys.lines().last().unwrap()
            );
            assert_eq!(read(top, keys), Err(expected));
        };
        for (key, value) in [
            ("damping", "'plain'"),
            ("extension_tolerance", "0"),
            ("stiffening", "{ strain = 0.1, factor = 2 }"),
            ("masses", "'equal'"),
            ("compression", "false"),
        ] {
            refused(TOP, &format!("{key} = {value}"), key, "a continuum of triangles");
            if key == "extension_tolerance" {
                refused(TOP, &format!("model = 'springs'\n{key} = {value}"), key, "springs on triangles");
            }
        }
        for (key, value) in [("warp", "{}"), ("weft", "{}"), ("shear", "{ stiffness = 1 }")] {
            refused(TOP, &format!("model = 'springs'\n{key} = {value}"), key, "springs on triangles");
        }
        for (key, value) in [("model", "'springs'"), ("warp", "{}"), ("weft", "{ stiffness = 3 }")] {
            refused(GRID, &format!("{key} = {value}"), key, "springs on a grid");
        }
    }

    #[test]
    fn masses_of_triangles_are_never_equal() {
        let message = read(TOP, "model = 'springs'\nmasses = 'equal'").unwrap_err();
        assert_eq!(
            message,
            "line 10, `masses = 'equal'`: `material.masses` must be \"by-area\" or { hem = 2.0 } on triangles, not \"equal\""
        );
    }

    #[test]
    fn mistakes_in_materials_of_triangles_are_named_with_line_and_key() {
        for (top, line, expected) in [
            (TOP, "model = 'shell'", "`material.model` must be \"continuum\" or \"springs\", not 'shell'"),
            (TOP, "bend = -1", "`material.bend` [N/m, on a continuum J] must be a finite number, zero or above, not -1"),
            (
                TOP,
                "bend = 'stiff'",
                "`material.bend` [N/m, on a continuum J] must be a finite number, zero or above, or a section { rigidity, damping }, on triangles also { stiffness, damping }, not",
            ),
            (
                TOP,
                "bend = { stiffness = nan }",
                "`material.bend.stiffness` [J, of springs N/m] must be a finite number, zero or above, not NaN",
            ),
            (TOP, "bend = { strength = 1 }", "unknown key `strength`; known here: stiffness, damping, rigidity, law"),
            (TOP, "warp = 3", "`material.warp` must be a section { stiffness, damping }, not 3"),
            (
                GRID,
                "bend = { stiffness = 1 }",
                "`material.bend` [N/m, on a continuum J] must be a finite number on a grid, zero or above, or a section with rigidity",
            ),
            (
                GRID,
                "bend = { rigidity = 1, law = 'shells' }",
                "`material.bend` [N/m, on a continuum J] has a law on triangles only: leave `law` out on a grid",
            ),
            (
                TOP,
                "bend = { rigidity = 1, stiffness = 1 }",
                "`material.bend` [N/m, on a continuum J] must have either a stiffness or a rigidity",
            ),
            (
                TOP,
                "bend = { rigidity = { warp = 1 }, law = 'shells' }",
                "`material.bend` [N/m, on a continuum J] has one rigidity for all directions by this law: leave `law` out",
            ),
            (TOP, "bend = { law = 'shells' }", "`material.bend` [N/m, on a continuum J] needs a rigidity beside its law"),
            (TOP, "bend = { rigidity = -1 }", "`material.bend.rigidity` [N m] must be a finite number, zero or above, not -1"),
        ] {
            let message = read(top, line).expect_err(line);
            assert!(message.starts_with(&format!("line 9, `{line}`: {expected}")), "{message}\nis not\n{expected}");
        }
    }
}
