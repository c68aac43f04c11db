//! Axes: what they measure, and where a value lies on them.

use super::ChartError;

/// How the values of an axis are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long; only positive values have a place.
    Log,
}

/// Axis of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Quantity and unit, e.g. `time step  [s]`.
    pub label: String,
    /// Spacing of the values.
    pub scale: Scale,
    /// Smallest and largest value shown; from the data, with a margin, when `None`.
    pub range: Option<(f64, f64)>,
    /// What is written at the ticks.
    pub ticks: TickLabels,
    /// Whether values grow to the left, or downward as the rows of a matrix do.
    pub reversed: bool,
}

/// What is written at the ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum TickLabels {
    /// Round numbers.
    Numbers,
    /// Whole numbers only, on a linear axis; on a logarithmic one as `Numbers`.
    WholeNumbers,
    /// The k-th name at the value k, from 1; broken, or upright below the axis, where it has not enough room.
    Names(Vec<String>),
}

impl Axis {
    /// Linear axis over the range of the data.
    pub fn linear(label: impl Into<String>) -> Self {
        let (label, ticks) = (label.into(), TickLabels::Numbers);
        Self { label, scale: Scale::Linear, range: None, ticks, reversed: false }
    }

    /// Logarithmic axis over the range of the data.
    pub fn log(label: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label) }
    }

    /// Axis of categories: the first name stands at 1, the second at 2, and so on.
    pub fn categories<S: Into<String>>(label: impl Into<String>, names: impl IntoIterator<Item = S>) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let range = (!names.is_empty()).then_some((0.5, names.len() as f64 + 0.5));
        Self { range, ticks: TickLabels::Names(names), ..Self::linear(label) }
    }

    /// Goes from `from` to `to`, `from <= to`, both positive on a logarithmic one.
    pub fn range(self, from: f64, to: f64) -> Self {
        Self { range: Some((from, to)), ..self }
    }

    /// Has ticks at whole numbers only.
    pub fn whole_numbers(self) -> Self {
        Self { ticks: TickLabels::WholeNumbers, ..self }
    }

    /// Goes the other way round: from right to left, or from top to bottom.
    pub fn reversed(self) -> Self {
        Self { reversed: !self.reversed, ..self }
    }

    /// The given range as a span; `None` when it is left to the data.
    pub(super) fn given(&self) -> Result<Option<Span>, ChartError> {
        let Some((from, to)) = self.range else { return Ok(None) };
        match (self.scale.place(from), self.scale.place(to)) {
            (Some(low), Some(high)) if low <= high => Ok(Some(self.oriented(Span::new(self.scale, low, high)))),
            _ => Err(ChartError::Range { axis: self.label.clone(), from, to }),
        }
    }

    /// The span, running as the axis does.
    pub(super) fn oriented(&self, span: Span) -> Span {
        Span { reversed: self.reversed, ..span }
    }
}

impl Scale {
    /// Place of a value on the axis: the value itself, or its decimal logarithm; `None` when it has none.
    ///
    /// The logarithm is libm's, so that a figure is the same on every machine. Linear axes end at 1e300, which keeps
    /// differences finite.
    pub(super) fn place(self, value: f64) -> Option<f64> {
        match self {
            Scale::Linear => (value.abs() <= 1e300).then_some(value),
            Scale::Log => (value > 0.0 && value.is_finite()).then(|| libm::log10(value)),
        }
    }
}

/// The part of an axis that is shown, in places (see [`Scale::place`]); `from < to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub scale: Scale,
    pub from: f64,
    pub to: f64,
    /// Whether `to` is at the left or lower end.
    pub reversed: bool,
}

impl Span {
    /// Span between two places, widened when they are the same: by a tenth of the value, or by half a decade.
    pub fn new(scale: Scale, from: f64, to: f64) -> Self {
        let size = from.abs().max(to.abs());
        let wide = match scale {
            Scale::Linear => to - from > 1e-12 * size && to - from > 1e-300,
            Scale::Log => to - from > 1e-9,
        };
        let pad = match scale {
            _ if wide => 0.0,
            Scale::Linear if size < 1e-290 => 1.0,
            Scale::Linear => 0.1 * size,
            Scale::Log => 0.5,
        };
        Self { scale, from: from - pad, to: to + pad, reversed: false }
    }

    /// This span, as far as there are numbers.
    pub fn bounded(self) -> Self {
        let most = match self.scale {
            Scale::Linear => 2e300,
            Scale::Log => 400.0,
        };
        Self { from: self.from.clamp(-most, 0.999 * most), to: self.to.clamp(-0.999 * most, most), ..self }
    }

    pub fn length(&self) -> f64 {
        self.to - self.from
    }

    /// The values at its ends.
    pub fn values(&self) -> (f64, f64) {
        match self.scale {
            Scale::Linear => (self.from, self.to),
            Scale::Log => (libm::exp10(self.from), libm::exp10(self.to)),
        }
    }

    /// Whether a place is shown; rounding does not push a value at the end of the range out of it.
    pub fn holds(&self, place: f64) -> bool {
        let slack = 1e-9 * self.length();
        place >= self.from - slack && place <= self.to + slack
    }

    /// Fraction of the way along the axis, from the left or lower end: 0 at `from` and 1 at `to`, unless reversed.
    pub fn fraction(&self, place: f64) -> f64 {
        let way = if self.reversed { self.to - place } else { place - self.from };
        way / self.length()
    }

    /// Place of an end of a band or bar: values beyond every place reach the end of the axis; `None` for NaN.
    pub fn reach(&self, value: f64) -> Option<f64> {
        if value.is_nan() {
            return None;
        }
        let end = if value > 0.0 { self.to } else { self.from };
        Some(self.scale.place(value).unwrap_or(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_axis_gives_every_decade_the_same_length() {
        let span = Axis::log("").range(1e-5, 1e3).given().expect("valid range").expect("given range");
        let at = |value: f64| span.fraction(Scale::Log.place(value).expect("positive"));
        for k in 0..=8 {
            let value: f64 = format!("1e{}", k - 5).parse().expect("number");
            assert!((at(value) - f64::from(k) / 8.0).abs() < 1e-14, "decade {k}");
        }
    }

    #[test]
    fn values_without_a_place() {
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Scale::Log.place(value), None, "{value}");
        }
        assert_eq!(Scale::Linear.place(-1.0), Some(-1.0));
        assert_eq!(Scale::Linear.place(f64::NEG_INFINITY), None);
        assert_eq!(Scale::Linear.place(f64::NAN), None);
    }

    #[test]
    fn equal_values_widen() {
        let span = |scale, at| Span::new(scale, at, at);
        assert_eq!((span(Scale::Linear, 5.0).from, span(Scale::Linear, 5.0).to), (4.5, 5.5));
        assert_eq!((span(Scale::Linear, 0.0).from, span(Scale::Linear, 0.0).to), (-1.0, 1.0));
        assert_eq!((span(Scale::Log, 2.0).from, span(Scale::Log, 2.0).to), (1.5, 2.5));
        assert!(span(Scale::Linear, 5e-324).length() > 0.0);
    }

    #[test]
    fn a_reversed_axis_runs_the_other_way() {
        let span = Axis::linear("").range(2.0, 10.0).reversed().given().expect("valid range").expect("given range");
        assert_eq!([2.0, 4.0, 10.0].map(|value| span.fraction(value)), [1.0, 0.75, 0.0]);
        assert!(!Axis::linear("").reversed().reversed().reversed);
    }

    #[test]
    fn categories_stand_half_a_step_from_the_ends() {
        assert_eq!(Axis::categories("", ["a", "b", "c"]).range, Some((0.5, 3.5)));
        assert_eq!(Axis::categories("", [""; 0]).range, None);
    }

    #[test]
    fn impossible_ranges_are_errors() {
        for axis in [Axis::linear("a").range(2.0, 1.0), Axis::log("a").range(0.0, 1.0), Axis::linear("a").range(f64::NAN, 1.0)] {
            assert!(matches!(axis.given(), Err(ChartError::Range { .. })), "{axis:?}");
        }
    }
}
