use lab::results::{Results, ResultsError};
pub fn discussion(_: &Results) -> Result<String, ResultsError> {
    Ok(String::new())
}
