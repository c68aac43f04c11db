//! Whole numbers of the command line.

use std::ffi::OsStr;
use std::ops::RangeInclusive;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

/// Reads a whole number of a range. A negative one is refused as any other number outside, where its argument allows one.
#[derive(Clone)]
pub struct Whole(pub RangeInclusive<u64>);

impl TypedValueParser for Whole {
    type Value = u64;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<u64, Error> {
        let number = value.to_str().and_then(|text| text.parse().ok()).filter(|number| self.0.contains(number));
        number.ok_or_else(|| {
            let argument = argument.map_or_else(String::new, |argument| format!(" for '{argument}'"));
            let (value, least, most) = (value.to_string_lossy(), self.0.start(), self.0.end());
            let range = if *most == u64::MAX { format!("{least} on") } else { format!("{least} to {most}") };
            let message = format!("invalid value '{value}'{argument}: it must be a whole number from {range}");
            Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }
}
