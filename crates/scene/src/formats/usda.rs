use std::io::{self, Seek, SeekFrom, Write};

use cloth::Vec3;

use super::{Body, Look};

/// A stage of Universal Scene Description as text: cloth with a sample of its points a frame, and bodies, with a sample of their
/// transform or their points a frame where they move; z up, in metres.
pub struct Usda<W> {
    out: W,
    bodies: Vec<Body>,
    /// When frames are \[s\].
    times: Vec<f64>,
    /// Where the header tells the last frame.
    end: u64,
    /// Corners of all faces of the cloth, from a frame on; of cloth that tears several.
    joints: Vec<(usize, Vec<u32>)>,
}

/// Digits that the last frame may have.
const DIGITS: usize = 10;

fn joined<T>(items: impl IntoIterator<Item = T>, word: impl Fn(T) -> String) -> String {
    items.into_iter().map(word).collect::<Vec<_>>().join(", ")
}

fn faces<'a>(faces: impl Iterator<Item = &'a [u32]>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "        uniform bool doubleSided = 1\n        uniform token subdivisionScheme = \"none\"")?;
    writeln!(out, "        int[] faceVertexCounts = [{}]", joined(faces, |face| face.len().to_string()))
}

fn indices<'a>(corners: impl IntoIterator<Item = &'a u32>) -> String {
    format!("[{}]", joined(corners, u32::to_string))
}

fn color([r, g, b]: [f64; 3], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "        color3f[] primvars:displayColor = [({r}, {g}, {b})]")
}

fn points(x: &[Vec3]) -> String {
    format!("[{}]", joined(x, |x| format!("({}, {}, {})", x.x as f32, x.y as f32, x.z as f32)))
}

/// Where a body is in each of the frames at `times` \[s\]: its points in each of them where it changes its shape, or else how it is
/// moved, its axes and its origin as rows.
fn solid(body: &Body, times: &[f64], out: &mut dyn Write) -> io::Result<()> {
    if body.shapes.is_some() {
        writeln!(out, "        point3f[] points.timeSamples = {{")?;
        for (k, &t) in times.iter().enumerate() {
            writeln!(out, "            {k}: {},", points(&body.places(t)))?;
        }
        return writeln!(out, "        }}");
    }
    writeln!(out, "        point3f[] points = [{}]", joined(&body.vertices, |[x, y, z]| format!("({x}, {y}, {z})")))?;
    if !body.moves() {
        return Ok(());
    }
    writeln!(out, "        matrix4d xformOp:transform.timeSamples = {{")?;
    for (k, &t) in times.iter().enumerate() {
        let [x, y, z, origin] = body.motion.pose(t).columns();
        let rows = [(x, 0), (y, 0), (z, 0), (origin, 1)];
        writeln!(out, "            {k}: ({}),", joined(rows, |(q, last)| format!("({}, {}, {}, {last})", q.x, q.y, q.z)))?;
    }
    writeln!(out, "        }}\n        uniform token[] xformOpOrder = [\"xformOp:transform\"]")
}

impl<W: Write + Seek> Usda<W> {
    /// Begins a stage of so many frames a second, with the coordinates of [`texture`](super::texture).
    ///
    /// # Errors
    /// What `out` refuses.
    pub fn begin(mut out: W, look: &Look, texture: &[[f64; 2]], bodies: Vec<Body>, rate: f64) -> io::Result<Usda<W>> {
        write!(out, "#usda 1.0\n(\n    defaultPrim = \"scene\"\n    endTimeCode = ")?;
        let end = out.stream_position()?;
        writeln!(out, "{:DIGITS$}", 0)?;
        writeln!(out, "    metersPerUnit = 1\n    startTimeCode = 0\n    timeCodesPerSecond = {rate}\n    upAxis = \"Z\"\n)\n")?;
        writeln!(out, "def Xform \"scene\"\n{{")?;
        writeln!(out, "    def Mesh \"cloth\"\n    {{")?;
        faces(look.faces.chunks_exact(look.corners), &mut out)?;
        color([0.4, 0.66, 0.86], &mut out)?;
        let texture = joined(texture, |[u, v]| format!("({u}, {v})"));
        writeln!(
            out,
            "        texCoord2f[] primvars:st = [{texture}] (\n            interpolation = \"faceVarying\"\n        )"
        )?;
        writeln!(out, "        point3f[] points.timeSamples = {{")?;
        Ok(Usda { out, bodies, times: vec![], end, joints: vec![] })
    }

    /// Adds the frame at time `t` \[s\], of cloth that has as many faces as at the start, between other points where it is torn.
    ///
    /// # Errors
    /// What the file refuses.
    pub fn sample(&mut self, t: f64, look: &Look, x: &[Vec3]) -> io::Result<()> {
        if self.joints.last().is_none_or(|(_, corners)| *corners != look.faces) {
            self.joints.push((self.times.len(), look.faces.clone()));
        }
        writeln!(self.out, "            {}: {},", self.times.len(), points(x))?;
        self.times.push(t);
        Ok(())
    }

    /// Closes the stage, and gives the file back.
    ///
    /// # Errors
    /// What the file refuses.
    pub fn finish(mut self) -> io::Result<W> {
        writeln!(self.out, "        }}")?;
        match &self.joints[..] {
            [(_, corners)] => writeln!(self.out, "        int[] faceVertexIndices = {}", indices(corners))?,
            torn => {
                writeln!(self.out, "        int[] faceVertexIndices.timeSamples = {{")?;
                for (frame, corners) in torn {
                    writeln!(self.out, "            {frame}: {},", indices(corners))?;
                }
                writeln!(self.out, "        }}")?;
            }
        }
        writeln!(self.out, "    }}")?;
        for (k, body) in self.bodies.iter().enumerate() {
            writeln!(self.out, "\n    def Mesh \"solid_{k}\"\n    {{")?;
            faces(body.faces.iter().map(Vec::as_slice), &mut self.out)?;
            writeln!(self.out, "        int[] faceVertexIndices = {}", indices(body.faces.iter().flatten()))?;
            solid(body, &self.times, &mut self.out)?;
            color([0.5; 3], &mut self.out)?;
            writeln!(self.out, "    }}")?;
        }
        writeln!(self.out, "}}")?;
        self.out.seek(SeekFrom::Start(self.end))?;
        write!(self.out, "{:DIGITS$}", self.times.len().saturating_sub(1))?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cloth::contact::{RigidMotion, Sequence};

    use super::*;

    #[test]
    fn a_stage_has_a_sample_a_frame_and_tells_the_last_one() {
        let look = Look { corners: 3, faces: vec![0, 1, 2], edges: vec![] };
        let texture = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let still = Body { vertices: vec![[0.0; 3]; 3], faces: vec![vec![0, 1, 2]], shapes: None, motion: RigidMotion::STILL };
        let turn = RigidMotion { turn: std::f64::consts::PI * Vec3::z(), velocity: Vec3::y(), ..RigidMotion::STILL };
        let shapes = Arc::new(Sequence::new([0.0, 0.5], 3, [[[0.0; 3]; 3], [[1.0; 3]; 3]].concat()));
        let bodies = vec![still.clone(), Body { motion: turn, ..still.clone() }, Body { shapes: Some(shapes), ..still }];
        let mut stage = Usda::begin(io::Cursor::new(vec![]), &look, &texture, bodies, 24.0).unwrap();
        for k in 0..3 {
            stage.sample(0.5 * f64::from(k), &look, &[Vec3::repeat(f64::from(k)); 3]).unwrap();
        }
        let text = String::from_utf8(stage.finish().unwrap().into_inner()).unwrap();
        let [_, at_rest, rigid, changing] = text.split("def Mesh \"solid_").collect::<Vec<_>>()[..] else { panic!("{text}") };
        assert!(!at_rest.contains("xformOp") && at_rest.contains("points = [(0, 0, 0), "), "{at_rest}");
        assert!(
            rigid.contains("xformOpOrder")
                && rigid.contains("\n            0: ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),")
        );
        // x to y, y to -x, 0.5 m along y
        let half = rigid.lines().find(|line| line.trim_start().starts_with("1: (")).expect("a sample");
        assert!(half.contains(", 1, 0, 0), (-1, ") && half.ends_with(", 0, 0), (0, 0, 1, 0), (0, 0.5, 0, 1)),"), "{half}");
        assert!(
            !changing.contains("xformOp") && changing.contains("\n            2: [(1, 1, 1), (1, 1, 1), (1, 1, 1)],"),
            "{changing}"
        );
        assert!(text.contains("endTimeCode =          2\n") && text.contains("2: [(2, 2, 2), (2, 2, 2), (2, 2, 2)],"), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
        assert!(text.contains("\n        int[] faceVertexIndices = [0, 1, 2]\n") && !text.contains("Indices.timeSamples"));
    }

    #[test]
    fn torn_cloth_has_samples_of_its_corners_where_they_change() {
        let whole = Look { corners: 3, faces: vec![0, 1, 2, 0, 2, 3], edges: vec![] };
        let torn = Look { corners: 3, faces: vec![0, 1, 2, 0, 4, 3], edges: vec![] };
        let mut stage = Usda::begin(io::Cursor::new(vec![]), &whole, &[[0.0; 2]; 6], vec![], 24.0).unwrap();
        for (k, look) in [&whole, &whole, &torn, &torn].into_iter().enumerate() {
            stage.sample(k as f64, look, &vec![Vec3::zeros(); 4 + k / 2]).unwrap();
        }
        let text = String::from_utf8(stage.finish().unwrap().into_inner()).unwrap();
        let samples =
            "int[] faceVertexIndices.timeSamples = {\n            0: [0, 1, 2, 0, 2, 3],\n            2: [0, 1, 2, 0, 4, 3],\n";
        assert!(text.contains(samples) && text.contains("int[] faceVertexCounts = [3, 3]\n"), "{text}");
    }
}
