use std::io::{self, Write};

use cloth::State;

use super::Look;

/// What VTK calls faces of three and of four corners.
const TRIANGLE: u8 = 5;
const QUAD: u8 = 9;

/// Writes a state as a legacy VTK file, as ParaView opens a series of: faces, and of each particle its velocity \[m/s\] and the
/// stretch of [`Look::stretch`].
///
/// # Errors
/// What `out` refuses.
pub fn write_vtk(look: &Look, state: &State, time: f64, out: &mut dyn Write) -> io::Result<()> {
    let particles = state.particle_count();
    writeln!(out, "# vtk DataFile Version 3.0\ncloth at {time} s\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {particles} double")?;
    state.x.iter().try_for_each(|x| writeln!(out, "{:?} {:?} {:?}", x.x, x.y, x.z))?;
    let (faces, corners) = (look.faces().len(), look.corners);
    writeln!(out, "CELLS {faces} {}", faces * (corners + 1))?;
    for face in look.faces() {
        write!(out, "{corners}")?;
        face.iter().try_for_each(|corner| write!(out, " {corner}"))?;
        writeln!(out)?;
    }
    writeln!(out, "CELL_TYPES {faces}")?;
    let kind = if corners == 3 { TRIANGLE } else { QUAD };
    (0..faces).try_for_each(|_| writeln!(out, "{kind}"))?;
    writeln!(out, "POINT_DATA {particles}\nVECTORS velocity double")?;
    state.v.iter().try_for_each(|v| writeln!(out, "{:?} {:?} {:?}", v.x, v.y, v.z))?;
    writeln!(out, "SCALARS stretch double 1\nLOOKUP_TABLE default")?;
    look.stretch(&state.x).iter().try_for_each(|stretch| writeln!(out, "{stretch:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::Vec3;

    #[test]
    fn a_state_has_its_points_faces_and_quantities() {
        let look = Look { corners: 3, faces: vec![0, 1, 2], edges: vec![([0, 1], 0.5)] };
        let mut state = State::at_rest(vec![Vec3::zeros(), Vec3::x(), Vec3::y()]);
        state.v[2] = Vec3::new(0.0, 0.0, -1.5);
        let mut bytes = vec![];
        write_vtk(&look, &state, 0.25, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            text.contains("CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\nPOINT_DATA 3\n") && text.contains("\n0.0 0.0 -1.5\n"),
            "{text}"
        );
        assert!(text.ends_with("LOOKUP_TABLE default\n1.0\n1.0\n0.0\n"), "{text}");
    }
}
