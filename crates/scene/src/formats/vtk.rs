use std::io::{self, Write};

use cloth::State;

use super::{Body, Look, write_line};

/// The number by which VTK calls a face of so many corners.
fn kind(corners: usize) -> u8 {
    match corners {
        3 => 5, // VTK_TRIANGLE
        4 => 9, // VTK_QUAD
        _ => 7, // VTK_POLYGON
    }
}

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
        write_line(corners, face, out)?;
    }
    writeln!(out, "CELL_TYPES {faces}")?;
    (0..faces).try_for_each(|_| writeln!(out, "{}", kind(corners)))?;
    writeln!(out, "POINT_DATA {particles}\nVECTORS velocity double")?;
    state.v.iter().try_for_each(|v| writeln!(out, "{:?} {:?} {:?}", v.x, v.y, v.z))?;
    writeln!(out, "SCALARS stretch double 1\nLOOKUP_TABLE default")?;
    look.stretch(&state.x).iter().try_for_each(|stretch| writeln!(out, "{stretch:?}"))
}

/// Writes bodies as they are at time `t` \[s\] as a legacy VTK file, each face with the number of its body.
///
/// # Errors
/// What `out` refuses.
pub fn write_solids_vtk(bodies: &[Body], t: f64, out: &mut dyn Write) -> io::Result<()> {
    let all = |of: fn(&Body) -> usize| bodies.iter().map(of).sum::<usize>();
    let (points, faces) = (all(|body| body.vertices.len()), all(|body| body.faces.len()));
    writeln!(out, "# vtk DataFile Version 3.0\nsolids at {t} s\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {points} double")?;
    for body in bodies {
        body.places(t).iter().try_for_each(|x| writeln!(out, "{:?} {:?} {:?}", x.x, x.y, x.z))?;
    }
    writeln!(out, "CELLS {faces} {}", faces + all(|body| body.faces.iter().map(Vec::len).sum()))?;
    let mut before = 0;
    for body in bodies {
        for face in &body.faces {
            write_line(face.len(), face.iter().map(|corner| before + corner), out)?;
        }
        before += body.vertices.len() as u32;
    }
    writeln!(out, "CELL_TYPES {faces}")?;
    for face in bodies.iter().flat_map(|body| &body.faces) {
        writeln!(out, "{}", kind(face.len()))?;
    }
    writeln!(out, "CELL_DATA {faces}\nSCALARS solid int 1\nLOOKUP_TABLE default")?;
    let numbers = bodies.iter().enumerate().flat_map(|(k, body)| body.faces.iter().map(move |_| k));
    numbers.into_iter().try_for_each(|k| writeln!(out, "{k}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::Vec3;
    use cloth::contact::RigidMotion;

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

    #[test]
    fn bodies_are_where_they_are_and_count_their_points_on() {
        let motion = RigidMotion { velocity: 2.0 * Vec3::z(), ..RigidMotion::STILL };
        let flat = Body { vertices: vec![[0.0; 3]; 3], faces: vec![vec![0, 1, 2]], shapes: None, motion };
        let wide =
            Body { vertices: vec![[1.0; 3]; 5], faces: vec![vec![0, 1, 2, 3, 4]], motion: RigidMotion::STILL, ..flat.clone() };
        let mut bytes = vec![];
        write_solids_vtk(&[flat, wide], 0.25, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!((text.matches("\n0.0 0.0 0.5").count(), text.matches("\n1.0 1.0 1.0").count()), (3, 5));
        assert!(text.contains("CELLS 2 10\n3 0 1 2\n5 3 4 5 6 7\nCELL_TYPES 2\n5\n7\nCELL_DATA 2\n"), "{text}");
        assert!(text.ends_with("\n0\n1\n"), "{text}");
    }
}
