use thiserror::Error;

use cloth::contact::Sequence;
use cloth::quantity::MAGNITUDES;

/// What a cache of points begins with, and the bytes of its header.
const MAGIC: &[u8] = b"POINTCACHE2\0";
const HEADER: usize = 32;

/// Why bytes are no cache of the points of a mesh.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum Pc2Error {
    /// Something else.
    #[error("it is no PC2 point cache of version 1, which begins with POINTCACHE2; write one with Blender, Maya or --frames pc2")]
    Kind,
    /// Of another mesh.
    #[error("it has {got} vertices a sample, and the mesh has {expected}; write it from that mesh")]
    Vertices { expected: usize, got: u32 },
    /// Nothing to follow.
    #[error("it has no sample; write it anew with one a frame")]
    Empty,
    /// Frames that do not follow each other in time.
    #[error("it begins at frame {start} and has a sample every {every} frames; the one must be finite, the other above zero")]
    Clock { start: f32, every: f32 },
    /// More or less than its header says.
    #[error(
        "it has {got} bytes, and {samples} samples of its vertices take {expected}; it was cut or not finished: write it anew"
    )]
    Length { samples: u32, expected: u64, got: u64 },
    /// A coordinate that is no number, or beyond [`MAGNITUDES`].
    #[error("vertex {vertex} of sample {sample}, both counted from 0, is not within 1e20 of the origin; write it anew")]
    Place { sample: usize, vertex: usize },
}

/// Reads a point cache of a mesh with so many `vertices`, of so many frames a second, as [`begin_pc2`](super::begin_pc2) writes
/// one. Frame 0 is at time 0.
///
/// # Errors
/// [`Pc2Error`].
pub fn read_pc2(bytes: &[u8], vertices: usize, frames_per_second: f64) -> Result<Sequence, Pc2Error> {
    let Some((header, points)) = bytes.split_at_checked(HEADER) else { return Err(Pc2Error::Kind) };
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|k| bytes[at + k]));
    let [version, got, samples] = [12, 16, 28].map(|at| word(header, at));
    let [start, every] = [20, 24].map(|at| f32::from_bits(word(header, at)));
    if !header.starts_with(MAGIC) || version != 1 {
        return Err(Pc2Error::Kind);
    }
    if got as usize != vertices || vertices == 0 {
        return Err(Pc2Error::Vertices { expected: vertices, got });
    }
    if samples == 0 {
        return Err(Pc2Error::Empty);
    }
    if !(f64::from(start.abs()) <= MAGNITUDES[1] && every > 0.0 && f64::from(every) <= MAGNITUDES[1]) {
        return Err(Pc2Error::Clock { start, every });
    }
    let expected = HEADER as u64 + 12 * u64::from(got) * u64::from(samples);
    if bytes.len() as u64 != expected {
        return Err(Pc2Error::Length { samples, expected, got: bytes.len() as u64 });
    }
    let point = |bytes: &[u8]| [0, 4, 8].map(|at| f32::from_bits(word(bytes, at)));
    let points: Vec<[f32; 3]> = points.chunks_exact(12).map(point).collect();
    if let Some(k) = points.iter().position(|point| !point.iter().all(|number| f64::from(number.abs()) <= MAGNITUDES[1])) {
        return Err(Pc2Error::Place { sample: k / vertices, vertex: k % vertices });
    }
    let clock = [start, every].map(|frames| f64::from(frames) / frames_per_second);
    Ok(Sequence::new(clock, vertices, points))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use cloth::Vec3;

    use super::super::begin_pc2;
    use super::*;

    fn written() -> Vec<u8> {
        let mut cache = begin_pc2(Cursor::new(vec![]), 2).unwrap();
        for k in 0..3 {
            cache.sample(&[Vec3::repeat(f64::from(k)), Vec3::new(f64::from(k), 2.0, 0.5)]).unwrap();
        }
        cache.finish().unwrap().into_inner()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let read = read_pc2(&written(), 2, 4.0).unwrap();
        assert_eq!((read.vertex_count(), read.sample_count()), (2, 3));
        assert_eq!(read.places(0.25).collect::<Vec<_>>(), [Vec3::repeat(1.0), Vec3::new(1.0, 2.0, 0.5)]);
        assert_eq!(read.places(0.375).next(), Some(Vec3::repeat(1.5)));
        let mut late = written();
        late[20..28].copy_from_slice(&[2_f32.to_le_bytes(), 0.5_f32.to_le_bytes()].concat()); // from frame 2 on, two a frame
        let late = read_pc2(&late, 2, 4.0).unwrap();
        assert_eq!([0.5, 0.625, 0.75].map(|t| late.places(t).next().map(|x| x.x)), [Some(0.0), Some(1.0), Some(2.0)]);
    }

    #[test]
    fn what_is_damaged_is_refused() {
        let sound = written();
        let refused = |at: usize, word: [u8; 4]| {
            let mut bytes = sound.clone();
            bytes[at..at + 4].copy_from_slice(&word);
            read_pc2(&bytes, 2, 24.0).unwrap_err()
        };
        assert_eq!(read_pc2(&sound[..20], 2, 24.0), Err(Pc2Error::Kind));
        assert_eq!((refused(0, *b"GEOM"), refused(12, 2_u32.to_le_bytes())), (Pc2Error::Kind, Pc2Error::Kind));
        assert_eq!(read_pc2(&sound, 3, 24.0), Err(Pc2Error::Vertices { expected: 3, got: 2 }));
        assert_eq!(refused(16, 7_u32.to_le_bytes()), Pc2Error::Vertices { expected: 2, got: 7 });
        assert_eq!(refused(28, [0; 4]), Pc2Error::Empty);
        assert_eq!(refused(24, 0_f32.to_le_bytes()), Pc2Error::Clock { start: 0.0, every: 0.0 });
        assert!(matches!(refused(20, f32::NAN.to_le_bytes()), Pc2Error::Clock { .. }));
        let length = Pc2Error::Length { samples: u32::MAX, expected: 32 + 24 * u64::from(u32::MAX), got: 32 + 72 };
        assert_eq!(refused(28, [255; 4]), length);
        assert_eq!(read_pc2(&sound[..100], 2, 24.0), Err(Pc2Error::Length { samples: 3, expected: 104, got: 100 }));
        for number in [f32::NAN, 3e38] {
            assert_eq!(refused(32 + 3 * 12 + 4, number.to_le_bytes()), Pc2Error::Place { sample: 1, vertex: 1 });
        }
    }
}
