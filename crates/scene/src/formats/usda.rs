use std::io::{self, Seek, SeekFrom, Write};

use cloth::Vec3;

use super::{Body, Look};

/// A stage of Universal Scene Description as text: cloth with a sample of its points a frame, and bodies at rest; z up, in metres.
pub struct Usda<W> {
    out: W,
    samples: u64,
    /// Where the header tells the last frame.
    end: u64,
}

/// Digits that the last frame may have.
const DIGITS: usize = 10;

fn joined<T>(items: impl IntoIterator<Item = T>, word: impl Fn(T) -> String) -> String {
    items.into_iter().map(word).collect::<Vec<_>>().join(", ")
}

fn faces<'a>(faces: impl Iterator<Item = &'a [u32]> + Clone, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "        uniform bool doubleSided = 1\n        uniform token subdivisionScheme = \"none\"")?;
    writeln!(out, "        int[] faceVertexCounts = [{}]", joined(faces.clone(), |face| face.len().to_string()))?;
    writeln!(out, "        int[] faceVertexIndices = [{}]", joined(faces.flatten(), u32::to_string))
}

fn color([r, g, b]: [f64; 3], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "        color3f[] primvars:displayColor = [({r}, {g}, {b})]")
}

impl<W: Write + Seek> Usda<W> {
    /// Begins a stage of so many frames a second, with the coordinates of [`texture`](super::texture).
    ///
    /// # Errors
    /// What `out` refuses.
    pub fn begin(mut out: W, look: &Look, texture: &[[f64; 2]], bodies: &[Body], rate: f64) -> io::Result<Usda<W>> {
        write!(out, "#usda 1.0\n(\n    defaultPrim = \"scene\"\n    endTimeCode = ")?;
        let end = out.stream_position()?;
        writeln!(out, "{:DIGITS$}", 0)?;
        writeln!(out, "    metersPerUnit = 1\n    startTimeCode = 0\n    timeCodesPerSecond = {rate}\n    upAxis = \"Z\"\n)\n")?;
        writeln!(out, "def Xform \"scene\"\n{{")?;
        for (k, body) in bodies.iter().enumerate() {
            writeln!(out, "    def Mesh \"solid_{k}\"\n    {{")?;
            faces(body.faces.iter().map(Vec::as_slice), &mut out)?;
            writeln!(out, "        point3f[] points = [{}]", joined(&body.vertices, |[x, y, z]| format!("({x}, {y}, {z})")))?;
            color([0.5; 3], &mut out)?;
            writeln!(out, "    }}\n")?;
        }
        writeln!(out, "    def Mesh \"cloth\"\n    {{")?;
        faces(look.faces.chunks_exact(look.corners), &mut out)?;
        color([0.4, 0.66, 0.86], &mut out)?;
        let texture = joined(texture, |[u, v]| format!("({u}, {v})"));
        writeln!(
            out,
            "        texCoord2f[] primvars:st = [{texture}] (\n            interpolation = \"faceVarying\"\n        )"
        )?;
        writeln!(out, "        point3f[] points.timeSamples = {{")?;
        Ok(Usda { out, samples: 0, end })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// What the file refuses.
    pub fn sample(&mut self, x: &[Vec3]) -> io::Result<()> {
        let points = joined(x, |x| format!("({}, {}, {})", x.x as f32, x.y as f32, x.z as f32));
        writeln!(self.out, "            {}: [{points}],", self.samples)?;
        self.samples += 1;
        Ok(())
    }

    /// Closes the stage, and gives the file back.
    ///
    /// # Errors
    /// What the file refuses.
    pub fn finish(mut self) -> io::Result<W> {
        writeln!(self.out, "        }}\n    }}\n}}")?;
        self.out.seek(SeekFrom::Start(self.end))?;
        write!(self.out, "{:DIGITS$}", self.samples.saturating_sub(1))?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_has_a_sample_a_frame_and_tells_the_last_one() {
        let look = Look { corners: 3, faces: vec![0, 1, 2], edges: vec![] };
        let texture = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let body = Body { vertices: vec![[0.0; 3]; 3], faces: vec![vec![0, 1, 2]] };
        let mut stage = Usda::begin(io::Cursor::new(vec![]), &look, &texture, &[body], 24.0).unwrap();
        for k in 0..3 {
            stage.sample(&[Vec3::repeat(f64::from(k)); 3]).unwrap();
        }
        let text = String::from_utf8(stage.finish().unwrap().into_inner()).unwrap();
        assert!(text.contains("endTimeCode =          2\n") && text.contains("2: [(2, 2, 2), (2, 2, 2), (2, 2, 2)],"), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}
