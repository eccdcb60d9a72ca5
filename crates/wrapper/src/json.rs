//! JSON for people: one thing a line, but what is short stays on its line.

use serde_json::Value;

/// Values that fit into this many characters are not broken up.
const WIDTH: usize = 110;

/// The value as indented text that ends with a line break.
pub(crate) fn pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out.push('\n');
    out
}

/// Depth is bounded by the types that are written, so recursion is.
fn write(value: &Value, indent: usize, out: &mut String) {
    let (open, close, count) = match value {
        Value::Object(map) if !map.is_empty() => ('{', '}', map.len()),
        Value::Array(list) if !list.is_empty() => ('[', ']', list.len()),
        other => return out.push_str(&other.to_string()),
    };
    if count <= WIDTH / 2 && weight(value, WIDTH) <= WIDTH {
        let short = value.to_string();
        if short.chars().count() + indent <= WIDTH {
            return out.push_str(&short);
        }
    }
    let deeper = indent + 1;
    let line = |out: &mut String, first: bool| {
        if !first {
            out.push(',');
        }
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', deeper));
    };
    out.push(open);
    match value {
        Value::Object(map) => {
            for (at, (key, below)) in map.iter().enumerate() {
                line(out, at == 0);
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push_str(": ");
                write(below, deeper, out);
            }
        }
        Value::Array(list) => {
            for (at, below) in list.iter().enumerate() {
                line(out, at == 0);
                write(below, deeper, out);
            }
        }
        _ => {}
    }
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
    out.push(close);
}

/// About how long a value is; stops counting beyond the limit, so that large values are not looked at again and again.
fn weight(value: &Value, limit: usize) -> usize {
    let below = |mut values: Box<dyn Iterator<Item = &Value> + '_>| {
        let mut total = 0;
        while total <= limit
            && let Some(value) = values.next()
        {
            total += 2 + weight(value, limit - total);
        }
        total
    };
    match value {
        Value::Object(map) => below(Box::new(map.values())) + map.keys().map(String::len).sum::<usize>(),
        Value::Array(list) => below(Box::new(list.iter())),
        Value::String(text) => text.len(),
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_stays_on_its_line() {
        let value: Value = serde_json::json!({"a": [1, 2, {"b": null}], "c": "x".repeat(120), "e": []});
        let text = pretty(&value);
        assert_eq!(
            text,
            format!("{{\n \"a\": [1,2,{{\"b\":null}}],\n \"c\": \"{}\",\n \"e\": []\n}}\n", "x".repeat(120))
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
