//! What the values of a column are: numbers, amounts, dates, addresses.

use unsite_wrapper::{ValueType, What};

/// A column has a type when this share of its values has it: the rest stays readable as text.
const AGREEMENT: f64 = 0.9;

/// A type, and the share of the values that have it.
pub(crate) struct Typed {
    pub(crate) value_type: ValueType,
    pub(crate) share: f64,
}

/// The type of a column from example values.
pub(crate) fn infer(what: &What, examples: &[String]) -> Typed {
    if let What::Attribute(name) = what {
        match name.as_str() {
            "href" => return Typed { value_type: ValueType::Url, share: 1.0 },
            "src" => return Typed { value_type: ValueType::Image, share: 1.0 },
            _ => {}
        }
    }
    let total = examples.len().max(1) as f64;
    for value_type in [ValueType::Integer, ValueType::Decimal, ValueType::Date] {
        let agreeing =
            examples.iter().filter(|value| unsite_wrapper::typed(value_type, value).is_some()).count();
        let share = agreeing as f64 / total;
        if share >= AGREEMENT && !examples.is_empty() {
            return Typed { value_type, share };
        }
    }
    Typed { value_type: ValueType::Text, share: 1.0 }
}
