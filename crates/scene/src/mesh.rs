//! What a scene's mesh is and which of its particles are held, as they are written: the section `mesh` and the list `pins`.

use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::NamedFile;
use super::key::{Takes, named, section};
use super::mistake::{Place, Problem, SceneError};
use super::placement::{PlacementKeys, Unit, Up};
use super::range::{Count, Side, Triple};
use super::read_obj::{ObjMesh, Reading, Texture};
use super::section::Keyed;
use super::subject::{MeshSource, ObjFile};
use cloth::Grid;
use cloth::quantity::Positive;
use cloth::triangles::TriangleMesh;

section! {
    /// A grid by its three keys, or triangles by one of the sections.
    pub(super) struct MeshSection = "a section with nx, ny and spacing, or one section like [mesh.centred]" {
        nx: Option<Side>,
        ny: Option<Side>,
        spacing["m"]: Option<Positive>,
        obj: Option<Spanned<Keyed<ObjSection>>>,
        regular: Option<Spanned<Keyed<PointsSection>>>,
        centred: Option<Spanned<Keyed<PointsSection>>>,
        disk: Option<Spanned<Keyed<DiskSection>>>,
    }
}

section! {
    struct ObjSection = "a section with file" {
        file: Spanned<PathBuf> = "the name of an OBJ file in quotes",
        unit: Option<Unit>,
        up: Option<Up>,
        scale: Option<Spanned<Positive>>, // 1
        rotate["degrees"]: Option<Triple>,
        at["m"]: Option<Triple>,
        texture: Option<TextureName>,
        texture_scale["m"]: Option<Spanned<Positive>>, // 1
        merge["m"]: Option<Positive>,
    }
}

/// The meaning of texture coordinates, by name.
#[derive(Clone, Copy, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum TextureName {
    Pattern,
    Ignore,
}

section! {
    struct PointsSection = "a section with nx, ny, width and height" {
        nx: Side,
        ny: Side,
        width["m"]: Positive,
        height["m"]: Positive,
    }
}

section! {
    struct DiskSection = "a section with rings and radius" {
        rings: Count,
        radius["m"]: Positive,
    }
}

named!(TextureName, Unit, Up);

impl ObjSection {
    /// The file and how it is read, or the mesh that was read from it.
    fn mesh(self, text: &str, read: Option<&ObjMesh>) -> Result<Mesh, SceneError> {
        let ObjSection { file, unit, up, scale, rotate, at, texture, texture_scale, merge } = self;
        let refused = |offset, problem| Err(SceneError { place: Some(Place::at(text, offset)), problem });
        match (texture, &texture_scale) {
            (Some(TextureName::Ignore), Some(unused)) => return refused(unused.span().start, Problem::TextureUnused),
            (None, None) => {
                // until lately the unit of texture
                if let (Some(scale), true) = (&scale, read.is_some_and(|obj| obj.is_textured)) {
                    return refused(scale.span().start, Problem::ScaleOfTexture);
                }
            }
            _ => {}
        }
        if let Some(obj) = read {
            return Ok(Mesh::Triangles(MeshSource::Mesh(obj.mesh.clone()), None));
        }
        let texture = match texture {
            Some(TextureName::Ignore) => Texture::Ignored,
            Some(TextureName::Pattern) | None => Texture::Pattern(texture_scale.map_or(1.0, |scale| scale.into_inner().get())),
        };
        let placement = PlacementKeys { unit, up, scale: scale.map(Spanned::into_inner), rotate, at }.placement();
        let reading = Reading { placement, texture, merge: merge.map(Positive::get) };
        let file = NamedFile { place: Place::at(text, file.span().start), path: file.into_inner() };
        Ok(Mesh::Triangles(MeshSource::Obj(ObjFile { file, reading }), None))
    }
}

/// A mesh as it is asked for.
pub(super) enum Mesh {
    Grid(Grid),
    /// Triangles, where they are not from a file with the grid of their first points.
    Triangles(MeshSource, Option<Grid>),
}

impl MeshSection {
    /// The mesh of a section that begins at `start`; that of its file where it is read.
    pub fn mesh(self, text: &str, start: usize, read: Option<&ObjMesh>) -> Result<Mesh, SceneError> {
        let at = |offset: usize, problem| SceneError { place: Some(Place::at(text, offset)), problem };
        let chosen = [
            ("nx, ny and spacing", self.nx.is_some() || self.ny.is_some() || self.spacing.is_some()),
            ("obj", self.obj.is_some()),
            ("regular", self.regular.is_some()),
            ("centred", self.centred.is_some()),
            ("disk", self.disk.is_some()),
        ];
        let chosen: Vec<&str> = chosen.iter().filter(|(_, chosen)| *chosen).map(|(name, _)| *name).collect();
        if let [first, second, ..] = chosen[..] {
            return Err(at(start, Problem::Meshes { first, second }));
        }
        if let Some(section) = self.obj {
            return section.into_inner().0.mesh(text, read);
        }
        if let Some(section) = self.disk {
            let start = section.span().start;
            let DiskSection { rings: Count(rings), radius } = section.into_inner().0;
            let mesh = TriangleMesh::disk(rings as usize, radius.get()).map_err(|invalid| at(start, Problem::Mesh(invalid)))?;
            return Ok(Mesh::Triangles(MeshSource::Mesh(mesh), None));
        }
        let regular = self.regular.map(|section| (section, true));
        if let Some((section, is_regular)) = regular.or(self.centred.map(|section| (section, false))) {
            let start = section.span().start;
            let PointsSection { nx: Side(nx), ny: Side(ny), width, height } = section.into_inner().0;
            let made = if is_regular { TriangleMesh::regular } else { TriangleMesh::centred };
            let mesh = made(nx, ny, width.get(), height.get()).and_then(|mesh| Ok((mesh, Grid::new(nx, ny, 1.0)?)));
            let (mesh, points) = mesh.map_err(|invalid| at(start, Problem::Mesh(invalid)))?;
            return Ok(Mesh::Triangles(MeshSource::Mesh(mesh), Some(points)));
        }
        let missing = |key| at(start, Problem::missing("mesh", &MeshSection::key(key)));
        let Side(nx) = self.nx.ok_or_else(|| missing("nx"))?;
        let Side(ny) = self.ny.ok_or_else(|| missing("ny"))?;
        let spacing = self.spacing.ok_or_else(|| missing("spacing"))?;
        let grid = Grid::new(nx, ny, spacing.get());
        grid.map(Mesh::Grid).map_err(|invalid| SceneError { place: None, problem: Problem::Mesh(invalid) })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Initial, Placement, Scene, Subject, Triangles, read_obj};
    use super::*;
    use crate::Model;
    use cloth::contact::RepulsionLaw;
    use cloth::{ModelError, State, Vec3};

    const TOP: &str = "step = 1e-3\nduration = 0.5\n";
    const CENTRED: &str = "[mesh.centred]\nnx = 3\nny = 4\nwidth = 0.5\nheight = 0.75\n";

    fn read(top: &str, sections: &str) -> Result<Scene, String> {
        Scene::parse(&format!("{TOP}{top}\n{sections}")).map_err(|mistake| {
            let message = mistake.to_string();
            assert!(!message.contains('\n'), "{message}");
            message
        })
    }

    fn triangles(scene: Scene) -> Triangles<MeshSource> {
        let Subject::Triangles(triangles) = scene.subject else { panic!("a grid") };
        triangles
    }

    /// The particles that are held.
    fn held(pins: &str, mesh: &str) -> Result<Vec<usize>, String> {
        let scene = read(&format!("pins = {pins}"), mesh)?;
        Ok(triangles(scene).pins)
    }

    #[test]
    fn every_mesh_of_triangles_reaches_the_scene() {
        let mesh = |text: &str| triangles(read("", text).unwrap()).mesh;
        assert_eq!(mesh(CENTRED), MeshSource::Mesh(TriangleMesh::centred(3, 4, 0.5, 0.75).unwrap()));
        assert_eq!(mesh("[mesh.disk]\nrings = 4\nradius = 0.5\n"), MeshSource::Mesh(TriangleMesh::disk(4, 0.5).unwrap()));
        let regular = CENTRED.replace("centred", "regular");
        assert_eq!(mesh(&regular), MeshSource::Mesh(TriangleMesh::regular(3, 4, 0.5, 0.75).unwrap()));
        let obj = |keys: &str| match mesh(&format!("[mesh.obj]\nfile = \"a/b.obj\"\n{keys}")) {
            MeshSource::Obj(ObjFile { file, reading }) => (file.path, file.place.line, reading),
            MeshSource::Mesh(_) => panic!("nothing was read"),
        };
        assert_eq!(obj(""), (PathBuf::from("a/b.obj"), 5, Reading::default()));
        let keys = "unit = 'cm'\nup = 'y'\nscale = 3\nrotate = [0, 0, 45]\nat = [1, 2, 3]\ntexture_scale = 0.001\nmerge = 1e-6";
        let placement = Placement::new(Unit::Centimetre, Up::Y, 3.0, Vec3::new(0.0, 0.0, 45.0), Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(obj(keys).2, Reading { placement, texture: Texture::Pattern(0.001), merge: Some(1e-6) });
        assert_eq!(obj("texture = 'ignore'").2.texture, Texture::Ignored);
        assert_eq!(obj("texture = 'pattern'").2.texture, Texture::Pattern(1.0));
    }

    #[test]
    fn a_mesh_that_is_not_read_is_no_model_until_it_is() {
        let law = "integrator = \"backward-euler\"\nrepulsion = { distance = 0.5 }\npins = [11]";
        let scene = read(law, "[mesh.obj]\nfile = \"a.obj\"").unwrap();
        assert_eq!(scene.model().map(|_| ()), Err(ModelError::MeshUnread));
        assert!(scene.obj().is_some());
        let mesh = TriangleMesh::centred(3, 4, 0.5, 0.75).unwrap();
        let text = format!("{TOP}{law}\n[mesh.obj]\nfile = \"a.obj\"");
        let on = |mesh: TriangleMesh| Scene::parse_on(&text, &mesh.into());
        let refused = on(TriangleMesh::regular(2, 4, 1.0, 1.0).unwrap()).unwrap_err().to_string();
        assert_eq!(refused, "line 5, `pins = [11]`: the pin 11 lies outside the mesh of 8 particles; the first particle is 0");
        let scene = on(mesh).unwrap();
        let law = scene.repulsion.map(|law| law.distance / RepulsionLaw::of_mesh(1.0).distance * 0.6);
        let shortest = 0.125 * std::f64::consts::SQRT_2; // from a corner to the centre of its cell
        assert!((law.unwrap() - 0.5 * shortest).abs() < 1e-15, "{law:?}");
        assert!(scene.obj().is_none() && scene.initial == Initial::default());
        let model = scene.model().unwrap();
        assert!(matches!(model, Model::Continuum(_)) && model.cloth().is_none());
        let start = State::at_rest(model.rest());
        assert_eq!(scene.run(start).unwrap().model().system().pinned().iter().filter(|pinned| **pinned).count(), 1);
    }

    #[test]
    fn a_scale_of_former_scenes_is_refused_where_there_is_texture() {
        let text = format!("{TOP}[mesh.obj]\nfile = 'a.obj'\nscale = 0.001\n");
        let plain = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
        let on = |obj: &str, text: &str| Scene::parse_on(text, &read_obj(obj, &Reading::default()).unwrap()).map(drop);
        assert_eq!(on(&format!("{plain}f 1 2 3"), &text), Ok(()));
        let textured = format!("{plain}vt 0 0\nvt 9 0\nvt 0 9\nf 1/1 2/2 3/3");
        let refused = on(&textured, &text).unwrap_err().to_string();
        assert!(refused.starts_with("line 5, `scale = 0.001`: `mesh.obj.scale` enlarges what is drawn, and this"), "{refused}");
        assert_eq!(on(&textured, &format!("{text}texture_scale = 1")), Ok(()));
    }

    #[test]
    fn pins_of_triangles_are_those_of_their_points() {
        assert_eq!(held("['left', 17, [1, 1], 'top-right']", CENTRED), Ok(vec![0, 3, 6, 9, 17, 4, 11]));
        let outside = held("[18]", CENTRED).unwrap_err();
        assert_eq!(outside, "line 3, `pins = [18]`: the pin 18 lies outside the mesh of 18 particles; the first particle is 0");
        let outside = held("[[3, 0]]", CENTRED).unwrap_err();
        assert!(outside.contains("the pin [3, 0] lies outside the mesh of 3 x 4 particles"), "{outside}");
        let obj = "[mesh.obj]\nfile = 'a.obj'";
        assert_eq!(held("[1, 7]", obj), Ok(vec![1, 7]));
        for name in ["'left'", "'top-left'", "[0, 1]"] {
            let named = held(&format!("[{name}]"), obj).unwrap_err();
            assert!(named.ends_with(
                "a pin on a mesh from a file must be the index of a particle, its place among the lines `v` counted from 0"
            ));
        }
        assert!(held("[-1]", obj).unwrap_err().contains("`pins` must be a list of whole numbers from 0"));
    }

    #[test]
    fn mistakes_in_meshes_are_named_with_line_and_key() {
        for (text, expected) in [
            (
                "[mesh.obj]",
                "line 4, `[mesh.obj]`: the key `file` is missing in [mesh.obj]; add it: the name of an OBJ file in quotes",
            ),
            ("[mesh.obj]\nfile = 3", "line 5, `file = 3`: `mesh.obj.file` must be the name of an OBJ file in quotes, not 3"),
            (
                "[mesh.obj]\nfile = ''\nscale = 0",
                "line 6, `scale = 0`: `mesh.obj.scale` must be a finite number above zero, not 0",
            ),
            ("[mesh.regular]\nnx = 1", "line 5, `nx = 1`: `mesh.regular.nx` must be a whole number from 2 to 3000, not 1"),
            (
                "[mesh.centred]\nwidth = nan",
                "line 5, `width = nan`: `mesh.centred.width` [m] must be a finite number above zero, not NaN",
            ),
            (
                "[mesh.centred]\nspacing = 1",
                "line 5, `spacing = 1`: unknown key `spacing`; known here: nx, ny, width, height; `spacing` belongs in [mesh]",
            ),
            (
                "[mesh]\nregular = 3",
                "line 5, `regular = 3`: `mesh.regular` must be a section with nx, ny, width and height, not 3",
            ),
            (
                "[mesh]\nnx = 3\n[mesh.obj]\nfile = ''",
                "line 4, `[mesh]`: `mesh` must be one mesh, but obj stands beside nx, ny and spacing: take one",
            ),
            ("[mesh]", "line 4, `[mesh]`: the key `nx` is missing in [mesh]; add it: a whole number from 2 to 3000"),
            (
                "[mesh.obj]\nfile = ''\nunit = 'km'",
                "line 6, `unit = 'km'`: `mesh.obj.unit` must be \"m\", \"cm\", \"mm\" or \"in\", not",
            ),
            ("[mesh.obj]\nfile = ''\nup = 'x'", "line 6, `up = 'x'`: `mesh.obj.up` must be \"z\" or \"y\", not 'x'"),
            (
                "[mesh.obj]\nfile = ''\nrotate = 3",
                "line 6, `rotate = 3`: `mesh.obj.rotate` [degrees] must be three finite numbers",
            ),
            ("[mesh.obj]\nfile = ''\nat = [1, nan, 0]", "line 6, `at = [1, nan, 0]`: `mesh.obj.at` [m] must be"),
            (
                "[mesh.obj]\nfile = ''\ntexture = 'uv'",
                "line 6, `texture = 'uv'`: `mesh.obj.texture` must be \"pattern\" or \"ignore\"",
            ),
            (
                "[mesh.obj]\nfile = ''\ntexture_scale = -1",
                "line 6, `texture_scale = -1`: `mesh.obj.texture_scale` [m] must be a finite",
            ),
            ("[mesh.obj]\nfile = ''\nmerge = 0", "line 6, `merge = 0`: `mesh.obj.merge` [m] must be a finite number above zero"),
            (
                "[mesh.obj]\nfile = ''\ntexture = 'ignore'\ntexture_scale = 1",
                "line 7, `texture_scale = 1`: `texture_scale` has no use beside `texture = \"ignore\"`: take one of them out",
            ),
            (
                "[mesh.regular]\nnx = 3\nny = 3\nwidth = 1e-12\nheight = 1",
                "line 4, `[mesh.regular]`: triangle 0 between the particles 0, 1 and 4 is degenerate: in its material coordinates it has no area",
            ),
            (
                "[mesh.centred]\nnx = 3000\nny = 3000\nwidth = 1\nheight = 1",
                "line 4, `[mesh.centred]`: a mesh has at most 10000000 particles, not 17994001: take a coarser one",
            ),
        ] {
            let message = read("", text).expect_err(text);
            assert!(message.starts_with(expected), "{message}\ndoes not start with\n{expected}");
        }
        let both = format!("{CENTRED}{}", CENTRED.replace("centred", "regular"));
        let message = read("", &both).unwrap_err();
        assert!(
            message.contains("`mesh` must be one mesh, but centred stands beside regular: take one of them out"),
            "{message}"
        );
    }
}
