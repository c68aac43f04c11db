use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

/// Where the first look comes from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct View {
    /// Angle in the x-y plane \[degrees\]: -90 shows x to the right and y away.
    pub azimuth: f64,
    /// Angle above that plane \[degrees\].
    pub elevation: f64,
}

/// A body, as a surface whose triangles run counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Its corners \[m\].
    pub vertices: Vec<[f64; 3]>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
}

/// Frames of a run of cloth.
#[derive(Clone, Debug)]
pub struct Film {
    name: String,
    view: View,
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    solids: Vec<Body>,
    /// Columns of the turn and the way of each body, shape \[frames, bodies, 12\]; empty where none moves.
    poses: Vec<f32>,
    /// Corners of each body that changes its shape, shape \[bodies\]\[frames, corners, 3\]; empty of the others.
    shapes: Vec<Vec<f32>>,
    end: String,
    clock: Clock,
    times: Vec<f64>,
    /// Particles of each frame.
    counts: Vec<usize>,
    /// Shape \[frames, particles\].
    positions: Vec<[f32; 3]>,
    /// (l - L) / L of an edge at a particle, zero or above; shape \[frames, particles\].
    stretch: Vec<f32>,
    /// Largest strain of each frame \[-\].
    largest: Vec<f32>,
}

/// What times of frames are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Clock {
    unit: &'static str,
    /// How much of it passes in a second of playing.
    pace: f64,
}

/// What the script reads.
#[derive(Serialize)]
struct Packed<'a> {
    name: &'a str,
    /// How the run ended, where that is not at its end.
    end: &'a str,
    view: View,
    clock: Clock,
    times: &'a [f64],
    /// Where positions of 0 are, and how far apart those of 0 and 1 \[m\].
    low: [f32; 3],
    unit: f32,
    /// 16 bits a coordinate.
    positions: String,
    /// 8 bits a particle, in 255ths of the upper end of the scale.
    stretch: String,
    top: f32,
    /// Largest strain of each frame \[-\].
    largest: Vec<f32>,
    triangles: String,
    edges: String,
    solids: Vec<PackedBody>,
    poses: String,
}

#[derive(Serialize)]
struct PackedBody {
    vertices: String,
    triangles: String,
    shapes: String,
}

/// Numbers of N bytes each.
fn base64<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> String {
    let mut bytes = Vec::with_capacity(N * numbers.size_hint().0);
    numbers.for_each(|number| bytes.extend_from_slice(&number));
    STANDARD.encode(bytes)
}

fn indices<const N: usize>(of: impl Iterator<Item = [u32; N]>) -> String {
    base64(of.flatten().map(u32::to_le_bytes))
}

impl Film {
    /// A film without frames.
    pub fn new(name: impl Into<String>, view: View, triangles: Vec<[u32; 3]>, edges: Vec<[u32; 2]>) -> Film {
        let (times, positions, stretch, largest) = (vec![], vec![], vec![], vec![]);
        let clock = Clock { unit: "s", pace: 1.0 };
        Film {
            name: name.into(),
            view,
            triangles,
            edges,
            solids: vec![],
            poses: vec![],
            shapes: vec![],
            end: String::new(),
            clock,
            times,
            counts: vec![],
            positions,
            stretch,
            largest,
        }
    }

    /// The film with bodies that stand in the scene.
    pub fn with_solids(self, solids: Vec<Body>) -> Film {
        Film { shapes: vec![vec![]; solids.len()], solids, ..self }
    }

    /// The film with steps in place of seconds, so many in a second of playing.
    pub fn of_steps(self, pace: f64) -> Film {
        Film { clock: Clock { unit: "steps", pace }, ..self }
    }

    /// Adds a frame at a time \[s\]: positions \[m\] and the stretch of each particle, as many as in the others, or where cloth
    /// tears as many as there are by then, see [`Film::torn`].
    pub fn take(&mut self, time: f64, x: &[[f64; 3]], stretch: &[f64]) {
        self.times.push(time);
        self.counts.push(x.len());
        self.positions.extend(x.iter().map(|x| x.map(|q| q as f32)));
        self.stretch.extend(stretch.iter().map(|stretch| *stretch as f32));
        self.largest.push(stretch.iter().map(|stretch| *stretch as f32).fold(0.0, f32::max));
    }

    /// Says the largest strain of the frame that was taken last, where others than the edges that are drawn count too \[-\].
    pub fn strained(&mut self, largest: f64) {
        if let Some(last) = self.largest.last_mut() {
            *last = largest as f32;
        }
    }

    /// Says what cloth that tore has become, over the particle that each particle was split from, which comes before it, or itself
    /// where it was there at the start. A particle that a frame does not have yet is shown where it was split from: until then the
    /// two sides of a tear are one, and the torn mesh looks as the whole one did.
    pub fn torn(&mut self, triangles: Vec<[u32; 3]>, edges: Vec<[u32; 2]>, parents: &[usize]) {
        (self.triangles, self.edges) = (triangles, edges);
        self.positions = completed(&self.positions, &self.counts, parents);
        self.stretch = completed(&self.stretch, &self.counts, parents);
        self.counts.fill(parents.len());
    }

    /// Says where the bodies of a film in which some move are in the frame that was taken last: the three axes and the origin of each,
    /// as they are moved from where its vertices say.
    pub fn place(&mut self, bodies: impl Iterator<Item = [[f64; 3]; 4]>) {
        self.poses.extend(bodies.flatten().flatten().map(|q| q as f32));
    }

    /// Says which shape a body has in the frame that was taken last: its corners, as many as it has, before it is placed \[m\].
    pub fn shape(&mut self, body: usize, corners: impl Iterator<Item = [f64; 3]>) {
        self.shapes[body].extend(corners.flatten().map(|q| q as f32));
    }

    /// Says how the run ended, where that is before its time.
    pub fn ended(&mut self, how: impl Into<String>) {
        self.end = how.into();
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// The upper end of the scale of stretch: what a hundredth of the particles that are stretched exceed.
    fn top(&self) -> f32 {
        let mut stretched: Vec<f32> = self.stretch.iter().copied().filter(|stretch| *stretch > 0.0).collect();
        let place = stretched.len() * 99 / 100;
        if stretched.is_empty() { 0.0 } else { *stretched.select_nth_unstable_by(place, f32::total_cmp).1 }
    }

    /// The film as text that a page holds: JSON, its arrays little-endian in base64, positions in 65535ths of the longest side of
    /// the box that all frames lie in.
    pub fn packed(&self) -> String {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for x in &self.positions {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(x[k]), high[k].max(x[k]));
            }
        }
        if self.positions.is_empty() {
            (low, high) = ([0.0; 3], [1.0; 3]);
        }
        let side = (0..3).map(|k| high[k] - low[k]).fold(f32::MIN_POSITIVE, f32::max);
        let unit = side / f32::from(u16::MAX);
        // to the nearest: casts cut off, and saturate
        let place = |x: &[f32; 3]| {
            let [[a, b], [c, d], [e, f]] = [0, 1, 2].map(|k| ((x[k] - low[k]) / unit + 0.5) as u16).map(u16::to_le_bytes);
            [a, b, c, d, e, f]
        };
        let top = self.top();
        let share = |stretch: &f32| if top > 0.0 { [(255.0 * stretch / top + 0.5) as u8] } else { [0] };
        // where some frame has no shape, or no poses, bodies are shown as they begin
        let body = |(body, shapes): (&Body, &Vec<f32>)| PackedBody {
            vertices: base64(body.vertices.iter().flatten().map(|q| (*q as f32).to_le_bytes())),
            triangles: indices(body.triangles.iter().copied()),
            shapes: match shapes.len() == 3 * body.vertices.len() * self.times.len() {
                true => base64(shapes.iter().map(|q| q.to_le_bytes())),
                false => String::new(),
            },
        };
        let whole = self.poses.len() == 12 * self.solids.len() * self.times.len();
        let poses: &[f32] = if whole { &self.poses } else { &[] };
        let packed = Packed {
            name: &self.name,
            end: &self.end,
            view: self.view,
            clock: self.clock,
            times: &self.times,
            low,
            unit,
            positions: base64(self.positions.iter().map(place)),
            stretch: base64(self.stretch.iter().map(share)),
            top,
            largest: self.largest.clone(),
            triangles: indices(self.triangles.iter().copied()),
            edges: indices(self.edges.iter().copied()),
            solids: self.solids.iter().zip(&self.shapes).map(body).collect(),
            poses: base64(poses.iter().map(|q| q.to_le_bytes())),
        };
        serde_json::to_string(&packed).unwrap_or_default().replace('<', "\\u003c") // numbers and text always serialise
    }
}

/// Frames of so many values each, completed to a value for each of `parents`: those that a frame lacks are their parents'.
fn completed<T: Copy>(values: &[T], counts: &[usize], parents: &[usize]) -> Vec<T> {
    let (mut all, mut rest) = (Vec::with_capacity(counts.len() * parents.len()), values);
    for &count in counts {
        let begin = all.len();
        let (frame, behind) = rest.split_at(count);
        all.extend_from_slice(frame);
        parents.iter().skip(count).for_each(|&parent| all.push(all[begin + parent]));
        rest = behind;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film() -> Film {
        Film::new("</script>", View { azimuth: 0.0, elevation: 0.0 }, vec![[0, 1, 2]], vec![[0, 1], [1, 2]])
    }

    #[test]
    fn the_scale_ends_where_a_hundredth_exceeds_it() {
        let mut film = film();
        for k in 0..200 {
            let stretch = if k == 199 { 9.0 } else { f64::from(k + 1) / 200.0 };
            film.take(f64::from(k), &[[0.0; 3]; 3], &[0.0, 0.0, stretch]);
        }
        assert_eq!((film.top(), film.frames()), (0.995, 200));
        let packed: serde_json::Value = serde_json::from_str(&film.packed()).expect("JSON");
        assert_eq!((packed["largest"][49].as_f64(), packed["largest"][199].as_f64()), (Some(0.25), Some(9.0)));
        film.strained(10.0);
        let packed: serde_json::Value = serde_json::from_str(&film.packed()).expect("JSON");
        assert_eq!((packed["largest"][198].as_f64(), packed["largest"][199].as_f64()), (Some(0.995), Some(10.0)));
    }

    #[test]
    fn positions_come_back_within_half_a_unit() {
        let mut film = film();
        let x = [[-0.3, 0.2, 1.0], [0.7, -1.1, 0.5], [0.123456, 0.9, 2.0]];
        film.take(0.0, &x, &[0.0; 3]);
        let packed: serde_json::Value = serde_json::from_str(&film.packed()).expect("JSON");
        let bytes = STANDARD.decode(packed["positions"].as_str().expect("text")).expect("base64");
        let unit = packed["unit"].as_f64().expect("a number");
        assert!((unit - 2.0 / 65535.0).abs() < 1e-9, "{unit}");
        for (k, pair) in bytes.chunks_exact(2).enumerate() {
            let q = packed["low"][k % 3].as_f64().expect("a number") + unit * f64::from(u16::from_le_bytes([pair[0], pair[1]]));
            assert!((q - x[k / 3][k % 3]).abs() < 0.51 * unit, "{q}");
        }
        assert!(!film.packed().contains('<'), "a name ends no script");
    }

    #[test]
    fn particles_that_were_split_stand_where_they_came_from_before() {
        let mut film = film();
        let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        film.take(0.0, &[a, b, c], &[0.0, 0.25, 0.5]);
        film.take(1.0, &[a, b, c, d], &[0.0, 0.0, 0.0, 1.0]);
        film.take(2.0, &[a, b, c, d, a], &[0.0; 5]);
        film.torn(vec![[0, 1, 2], [1, 3, 4]], vec![[0, 1]], &[0, 1, 2, 1, 3]); // 3 of 1, then 4 of 3
        let expected = [a, b, c, b, b, a, b, c, d, d, a, b, c, d, a].map(|x| x.map(|q| q as f32));
        assert_eq!(film.positions, expected);
        assert_eq!(film.stretch[..10], [0.0, 0.25, 0.5, 0.25, 0.25, 0.0, 0.0, 0.0, 1.0, 1.0]);
        let packed: serde_json::Value = serde_json::from_str(&film.packed()).expect("JSON");
        assert_eq!(packed["largest"].as_array().expect("a list").len(), 3);
    }

    #[test]
    fn bodies_that_move_have_a_pose_a_frame_or_none_at_all() {
        let still = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]];
        let moved = [still[1], still[0], still[2], [0.25, -2.0, 8.0]];
        let mut film = film().with_solids(vec![Body::default(); 2]);
        film.take(0.0, &[[0.0; 3]; 3], &[0.0; 3]);
        let packed = |film: &Film| -> serde_json::Value { serde_json::from_str(&film.packed()).expect("JSON") };
        assert_eq!(packed(&film)["poses"], "");
        film.place([still, moved].into_iter());
        let bytes = STANDARD.decode(packed(&film)["poses"].as_str().expect("text")).expect("base64");
        let read: Vec<f64> = bytes.as_chunks::<4>().0.iter().map(|four| f64::from(f32::from_le_bytes(*four))).collect();
        assert_eq!(read, [still, moved].concat().concat());
        film.take(1.0, &[[0.0; 3]; 3], &[0.0; 3]);
        assert_eq!(packed(&film)["poses"], "", "the last frame has none");
    }

    #[test]
    fn bodies_that_change_have_a_shape_a_frame_or_none_at_all() {
        let body = Body { vertices: vec![[0.0; 3]; 2], triangles: vec![] };
        let mut film = film().with_solids(vec![Body::default(), body]);
        let packed = |film: &Film| -> serde_json::Value { serde_json::from_str(&film.packed()).expect("JSON") };
        let shapes = [[[0.5, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, -1.0, -2.0]]];
        for (k, shape) in shapes.into_iter().enumerate() {
            film.take(k as f64, &[[0.0; 3]; 3], &[0.0; 3]);
            assert_eq!(packed(&film)["solids"][1]["shapes"], "", "the last frame has none");
            film.shape(1, shape.into_iter());
        }
        let bytes = STANDARD.decode(packed(&film)["solids"][1]["shapes"].as_str().expect("text")).expect("base64");
        let read: Vec<f64> = bytes.as_chunks::<4>().0.iter().map(|four| f64::from(f32::from_le_bytes(*four))).collect();
        assert_eq!((read, &packed(&film)["solids"][0]["shapes"]), (shapes.concat().concat(), &"".into()));
    }

    #[test]
    fn a_film_without_frames_or_extent_is_packed_too() {
        assert!(film().packed().contains("\"times\":[]"));
        let mut point = film();
        point.take(0.0, &[[1.0; 3]; 3], &[0.0; 3]);
        assert!(point.packed().contains("\"largest\":[0.0]"));
    }
}
