//! Arrays of NumPy, as far as rivals write them: float64, little-endian, in C order.

use cloth::Vec3;

const MAGIC: &[u8] = b"\x93NUMPY";

/// The vectors of an array of shape \[samples, particles, 3\], one list a sample.
///
/// # Errors
/// What is not as it must be.
pub fn vectors(bytes: &[u8], samples: usize, particles: usize) -> Result<Vec<Vec<Vec3>>, String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("it is no NumPy array")?;
    let (length, rest) = match rest {
        [1, _, a, b, rest @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return Err("it is of a version of the format that is not read here".into()),
    };
    let (header, numbers) = rest.split_at_checked(length).ok_or("its header is cut off")?;
    let header: String = String::from_utf8_lossy(header).chars().filter(|letter| !letter.is_whitespace()).collect();
    let has = |words: [&str; 2]| words.iter().any(|word| header.contains(word));
    if !has(["'descr':'<f8'", "\"descr\":\"<f8\""]) {
        return Err("its numbers are not float64, little-endian".into());
    }
    if !has(["'fortran_order':False", "\"fortran_order\":False"]) {
        return Err("it is not in C order".into());
    }
    let shape = format!("({samples},{particles},3)");
    if !has([&format!("'shape':{shape}"), &format!("\"shape\":{shape}")]) {
        return Err(format!("its shape is not ({samples}, {particles}, 3)"));
    }
    let (eights, rest) = numbers.as_chunks::<8>();
    if eights.len() != 3 * samples * particles || !rest.is_empty() {
        return Err("it is cut off, or goes on behind its numbers".into());
    }
    let numbers: Vec<f64> = eights.iter().map(|eight| f64::from_le_bytes(*eight)).collect();
    let vectors: Vec<Vec3> = numbers.as_chunks::<3>().0.iter().map(|q| Vec3::from(*q)).collect();
    Ok(vectors.chunks(particles.max(1)).map(<[Vec3]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(header: &str, numbers: &[f64]) -> Vec<u8> {
        let mut bytes = [MAGIC, &[1, 0]].concat();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    #[test]
    fn an_array_is_read_as_it_was_written_and_others_are_refused() {
        let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1, 3), }   \n";
        let numbers = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let read = vectors(&written(header, &numbers), 2, 1).unwrap();
        assert_eq!(read, [[Vec3::new(1.0, 2.0, 3.0)], [Vec3::new(4.0, 5.0, 6.0)]]);
        for (header, numbers, expected) in [
            (header.replace("<f8", "<f4"), &numbers[..], "not float64"),
            (header.replace("False", "True"), &numbers, "not in C order"),
            (header.replace("(2,", "(1,"), &numbers, "its shape is not (2, 1, 3)"),
            (header.to_owned(), &numbers[1..], "cut off"),
        ] {
            let refused = vectors(&written(&header, numbers), 2, 1).unwrap_err();
            assert!(refused.contains(expected), "{refused}");
        }
        for bytes in [&b""[..], b"mine", b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff{}", b"\x93NUMPY\x09\x00\x00\x00"] {
            assert!(vectors(bytes, 2, 1).is_err());
        }
    }
}
