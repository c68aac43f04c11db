//! Particles as a scene names them: by number, by place, by a corner or a side, by a group of a file.

use serde::Deserialize;
use toml::Spanned;

use super::key::{Key, takes};
use super::mistake::{Place, Problem, SceneError, one_line};
use super::range::Triple;
use super::read_obj::{ObjMesh, corners};
use super::section::Keyed;
use cloth::quantity::{NonNegative, Positive};
use cloth::run::PinTerms;
use cloth::{Grid, ModelError, Pin, Vec3};

takes! {
    toml::Value: "a list of whole numbers from 0, pairs [i, j], corners like \"top-left\", edges like \"left\" and tables like \
                  { group = \"waist\" }",
}

/// A particle by its number or its place on a grid, or particles by a border of it.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Name {
    Index(usize),
    At([usize; 2]),
    Border(Border),
}

/// A corner or an edge of a sheet, x to the right and y up.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Border {
    BottomLeft,
    BottomRight,
    TopLeft,
    TopRight,
    Left,
    Right,
    Bottom,
    Top,
}

/// A pin as a table: one of the first five keys, and terms.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PinSection {
    index: Option<Name>,
    group: Option<String>,
    #[serde(rename = "box")]
    corners: Option<[Triple; 2]>,
    ball: Option<Keyed<BallSection>>,
    nearest: Option<Triple>,
    stiffness: Option<Positive>,
    damping: Option<NonNegative>,
    until: Option<Positive>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BallSection {
    centre: Triple,
    radius: Positive,
}

/// The names of particles.
pub(super) enum Naming<'a> {
    /// All of them are those of a grid.
    Grid(Grid),
    /// By index, and where the first ones are points of a grid as those; with their positions \[m\].
    Triangles(Option<Grid>, Vec<Vec3>),
    /// By the lines `v` of a file, and its groups.
    File(&'a ObjMesh),
    /// By the lines `v` of a file that is still to be read: only what is no name at all is refused.
    Unread,
}

/// A particle that a list names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub pin: Pin,
    /// Its place in the text.
    pub offset: usize,
    pub terms: PinTerms,
}

impl Naming<'_> {
    /// The particles of the list `key`, each with its offset in the text. Terms are refused: they belong to `pins` at the top.
    pub fn pins(&self, text: &str, key: &str, list: Vec<Spanned<toml::Value>>) -> Result<Vec<(Pin, usize)>, SceneError> {
        let named = self.held(text, key, list)?;
        if let Some(named) = named.iter().find(|named| named.terms != PinTerms::default()) {
            return Err(SceneError { place: Some(Place::at(text, named.offset)), problem: Problem::TermsElsewhere });
        }
        Ok(named.into_iter().map(|named| (named.pin, named.offset)).collect())
    }

    /// The particles of the list `key`, with the terms on which each is held.
    pub fn held(&self, text: &str, key: &str, list: Vec<Spanned<toml::Value>>) -> Result<Vec<Named>, SceneError> {
        let mut all = Vec::new();
        for pin in list {
            let span = pin.span();
            let refuse = |problem| SceneError { place: Some(Place::at(text, span.start)), problem };
            let (pins, terms) = match pin.into_inner() {
                table @ toml::Value::Table(_) => {
                    let section = PinSection::deserialize(table).map_err(|error| Problem::PinTable(one_line(error.message())));
                    let section = section.map_err(refuse)?;
                    let terms = section.terms().map_err(refuse)?;
                    (self.chosen(section).map_err(refuse)?, terms)
                }
                value => {
                    let otherwise = || Problem::value(key, &Key::of::<toml::Value>(""), &text[span.clone()]);
                    let name = Name::deserialize(value).map_err(|_| refuse(otherwise()))?;
                    (self.named(name).map_err(refuse)?, PinTerms::default())
                }
            };
            all.extend(pins.into_iter().map(|pin| Named { pin, offset: span.start, terms }));
        }
        Ok(all)
    }

    /// The pins of a name.
    fn named(&self, name: Name) -> Result<Vec<Pin>, Problem> {
        match (self, name) {
            (Naming::Grid(grid), name) => {
                let pins = pins_of(grid, name);
                pins.iter().try_for_each(|&pin| grid.pinned(pin).map(|_| ())).map_err(Problem::Pin)?;
                Ok(pins)
            }
            (Naming::Triangles(_, x), Name::Index(particle)) => {
                let particles = x.len();
                let outside = Problem::PinOfMesh(ModelError::PinOfMesh { pin: particle, particles });
                if particle < particles { Ok(vec![Pin::Index(particle)]) } else { Err(outside) }
            }
            (Naming::Triangles(Some(points), _), name) => {
                pins_of(points, name).into_iter().map(|pin| points.pinned(pin).map(Pin::Index).map_err(Problem::Pin)).collect()
            }
            (Naming::Unread, Name::Index(vertex)) => Ok(vec![Pin::Index(vertex)]),
            (Naming::File(obj), Name::Index(pin)) => match obj.particle_of.get(pin) {
                Some(&particle) => Ok(vec![Pin::Index(particle)]),
                None => Err(Problem::PinOfMesh(ModelError::PinOfMesh { pin, particles: obj.particle_of.len() })),
            },
            (Naming::Triangles(None, _) | Naming::File(_) | Naming::Unread, _) => Err(Problem::PinByName),
        }
    }

    /// The pins of a table.
    fn chosen(&self, section: PinSection) -> Result<Vec<Pin>, Problem> {
        let PinSection { index, group, corners, ball, nearest, .. } = section;
        let within = |holds: &dyn Fn(&Vec3) -> bool| {
            let Some(x) = self.positions() else { return Ok(vec![]) };
            let pins: Vec<Pin> = (0..x.len()).filter(|&k| holds(&x[k])).map(Pin::Index).collect();
            if pins.is_empty() { Err(nowhere(&x)) } else { Ok(pins) }
        };
        match (index, group, corners, ball, nearest) {
            (Some(name), None, None, None, None) => self.named(name),
            (None, Some(name), None, None, None) => match self {
                Naming::File(obj) => match obj.groups.get(&name) {
                    Some(particles) if !particles.is_empty() => Ok(particles.iter().copied().map(Pin::Index).collect()),
                    Some(_) => Err(Problem::EmptyGroup { name }),
                    None => Err(Problem::UnknownGroup { name, known: obj.groups.keys().cloned().collect() }),
                },
                Naming::Unread => Ok(vec![]),
                Naming::Grid(_) | Naming::Triangles(..) => Err(Problem::GroupOfGrid),
            },
            (None, None, Some([Triple(a), Triple(b)]), None, None) => {
                let (low, high) = (a.inf(&b), a.sup(&b));
                within(&|x| (0..3).all(|axis| (low[axis]..=high[axis]).contains(&x[axis])))
            }
            (None, None, None, Some(Keyed(BallSection { centre: Triple(centre), radius })), None) => {
                within(&|x| (x - centre).norm() <= radius.get())
            }
            (None, None, None, None, Some(Triple(point))) => {
                let Some(x) = self.positions() else { return Ok(vec![]) };
                let distance = |k: &usize| (x[*k] - point).norm_squared();
                let nearest = (0..x.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
                Ok(nearest.map(Pin::Index).into_iter().collect())
            }
            _ => Err(Problem::PinTable("it names none of them, or several".to_owned())),
        }
    }

    /// Places of the particles of the mesh \[m\]; none of a mesh that is still to be read.
    pub fn positions(&self) -> Option<std::borrow::Cow<'_, [Vec3]>> {
        match self {
            Naming::Grid(grid) => Some(grid.flat().into()),
            Naming::Triangles(_, x) => Some(x.as_slice().into()),
            Naming::File(obj) => Some(obj.mesh.positions().into()),
            Naming::Unread => None,
        }
    }

    /// The particles of a line of points, a "row" or else a column, by its number from 0.
    pub fn line(&self, key: &'static str, number: usize) -> Result<Vec<usize>, Problem> {
        let (Naming::Grid(points) | Naming::Triangles(Some(points), _)) = self else { return Err(Problem::SeamByLine { key }) };
        let is_row = key == "row";
        let [count, length] = if is_row { [points.ny(), points.nx()] } else { [points.nx(), points.ny()] };
        if number >= count {
            return Err(Problem::SeamOutside { key, number, count });
        }
        let point = |k| if is_row { points.index(k, number) } else { points.index(number, k) };
        Ok((0..length).map(point).collect())
    }
}

impl PinSection {
    fn terms(&self) -> Result<PinTerms, Problem> {
        if self.damping.is_some() && self.stiffness.is_none() {
            return Err(Problem::PinTable("`damping` is that of a spring: add `stiffness`".to_owned()));
        }
        Ok(PinTerms {
            stiffness: self.stiffness.map(Positive::get),
            damping: self.damping.map_or(0.0, NonNegative::get),
            until: self.until.map(Positive::get),
        })
    }
}

/// A particle of triangles.
pub(super) fn index(pin: Pin) -> Option<usize> {
    if let Pin::Index(particle) = pin { Some(particle) } else { None }
}

/// Tells that no particle is where it is looked for.
fn nowhere(x: &[Vec3]) -> Problem {
    let [low, high] = corners(x).map(Into::into);
    Problem::NobodyThere { low, high }
}

/// The pins that a name stands for.
fn pins_of(grid: &Grid, name: Name) -> Vec<Pin> {
    let (right, top) = (grid.nx() - 1, grid.ny() - 1);
    let column = |i| (0..grid.ny()).map(|j| Pin::At(i, j)).collect();
    let row = |j| (0..grid.nx()).map(|i| Pin::At(i, j)).collect();
    match name {
        Name::Index(index) => vec![Pin::Index(index)],
        Name::At([i, j]) => vec![Pin::At(i, j)],
        Name::Border(Border::BottomLeft) => vec![Pin::At(0, 0)],
        Name::Border(Border::BottomRight) => vec![Pin::At(right, 0)],
        Name::Border(Border::TopLeft) => vec![Pin::At(0, top)],
        Name::Border(Border::TopRight) => vec![Pin::At(right, top)],
        Name::Border(Border::Left) => column(0),
        Name::Border(Border::Right) => column(right),
        Name::Border(Border::Bottom) => row(0),
        Name::Border(Border::Top) => row(top),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PinTerms, Reading, Scene, read_obj};

    const TOP: &str = "step = 1e-3\nduration = 0.5\n";
    const GRID: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";
    const FILE: &str = "[mesh.obj]\nfile = 'a.obj'\nmerge = 1e-6\n";
    const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 0 0\nv 1 1 0\nv 0 1 0\ng hem\nf 1 2 4\ng\nf 3 4 5\ng bare\nvg corner 5\n";

    /// The particles that are held, and the terms of those that have some.
    type Held = (Vec<usize>, Vec<(usize, PinTerms)>);

    /// Those that `pins` hold on a mesh.
    fn held(pins: &str, mesh: &str) -> Result<Held, String> {
        let text = format!("{TOP}pins = {pins}\n{mesh}");
        let scene = match mesh {
            FILE => {
                let merge = Some(1e-6);
                assert!(Scene::parse(&text).is_ok() || !pins.contains("group"), "groups are not known before the file is read");
                Scene::parse_on(&text, &read_obj(OBJ, &Reading { merge, ..Reading::default() }).unwrap())
            }
            _ => Scene::parse(&text),
        };
        let scene = scene.map_err(|mistake| mistake.to_string())?;
        let mut held: Vec<usize> = scene.subject.held().into_iter().collect();
        held.sort_unstable();
        Ok((held, scene.pin_terms))
    }

    #[test]
    fn particles_are_found_by_group_box_ball_and_nearness() {
        let of = |pins: &str, mesh: &str| held(pins, mesh).unwrap().0;
        assert_eq!(of("[{ group = 'hem' }]", FILE), [0, 1, 2]);
        assert_eq!(of("[{ group = 'corner' }, 2]", FILE), [0, 3]); // the third line `v` is joined to the first
        for (mesh, far) in [(GRID, 0.3), (FILE, 1.0)] {
            let right = of(&format!("[{{ box = [[{}, 9, 0.01], [{}, -9, -0.01]] }}]", far + 0.01, far - 0.01), mesh);
            assert_eq!(right, if mesh == GRID { vec![3, 7, 11] } else { vec![1, 2] });
        }
        assert_eq!(of("[{ ball = { centre = [0, 0, 0], radius = 0.101 } }]", GRID), [0, 1, 4]);
        assert_eq!(of("[{ nearest = [9, 9, 9] }, { index = 'bottom-left' }, { index = [1, 0] }]", GRID), [0, 1, 11]);
    }

    #[test]
    fn terms_come_with_each_particle() {
        let (_, terms) =
            held("[0, { index = 'left', stiffness = 50, damping = 0.5 }, { index = 3, until = 0.25 }]", GRID).unwrap();
        let soft = PinTerms { stiffness: Some(50.0), damping: 0.5, until: None };
        let brief = PinTerms { until: Some(0.25), ..PinTerms::default() };
        assert_eq!(terms, [(0, soft), (4, soft), (8, soft), (3, brief)]);
    }

    #[test]
    fn wrong_tables_are_named_with_their_line() {
        for (pins, mesh, expected) in [
            ("[{}]", GRID, "takes one of `index`, `group`, `box` = [[x, y, z], [x, y, z]], `ball` = { centre, radius } and"),
            ("[{ index = 0, nearest = [0, 0, 0] }]", GRID, "it names none of them, or several"),
            ("[{ grop = 'hem' }]", FILE, "unknown field `grop`"),
            ("[{ group = 'hen' }]", FILE, "the OBJ file has no group `hen`; it has bare, corner, hem"),
            ("[{ group = 'bare' }]", FILE, "the group `bare` of the OBJ file has no face"),
            ("[{ group = 'hem' }]", GRID, "a group is one of an OBJ file, and this mesh is generated"),
            ("[{ box = [[1, 1, 1], [2, 2, 2]] }]", GRID, "no particle is there: the mesh spans x from 0 to 0.3"),
            ("[{ ball = { centre = [9, 0, 0], radius = 1 } }]", GRID, "no particle is there"),
            ("[{ ball = { centre = [9, 0, 0], radius = 0 } }]", GRID, "must be a finite number above zero, not 0"),
            ("[{ nearest = [0, 0] }]", GRID, "must be three finite numbers [x, y, z], not 2"),
            ("[{ index = 99 }]", FILE, "the pin 99 lies outside the mesh of 5 particles"),
            ("[{ index = 0, stiffness = 0 }]", GRID, "must be a finite number above zero, not 0"),
            ("[{ index = 0, damping = 1 }]", GRID, "`damping` is that of a spring: add `stiffness`"),
            ("[{ index = 0, until = -1 }]", GRID, "must be a finite number above zero, not -1"),
        ] {
            let message = held(pins, mesh).map(drop).expect_err(expected);
            assert!(message.starts_with("line 3, `pins = ") && message.contains(expected), "{message}\nis not\n{expected}");
            assert!(!message.contains('\n'), "{message}");
        }
        let elsewhere = format!("{GRID}[[motion]]\npins = [{{ index = 0, until = 1 }}]\nvelocity = [0, 0, 1]");
        let message = held("[0]", &elsewhere).map(drop).unwrap_err();
        assert!(
            message.contains("line 9, `pins = [{ index = 0, until = 1 }]`: `stiffness`, `damping` and `until` are said"),
            "{message}"
        );
    }
}
