//! The labels as they stand in `meta.json` and `gold.jsonl`.

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// What a gold site says about itself. A method may look at it (a suite can ask for URL experts to be off).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// The site's name.
    pub name: String,
    /// The suite it belongs to.
    #[serde(default)]
    pub suite: String,
    /// What is labelled.
    #[serde(default)]
    pub labels: Vec<String>,
    /// The web site that this is one design of, where there are several.
    #[serde(default)]
    pub site: Option<String>,
    /// The design.
    #[serde(default)]
    pub theme: Option<String>,
    /// Caveats.
    #[serde(default)]
    pub notes: String,
}

/// The labels of one page. What the site does not label is empty.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct GoldPage {
    /// The page's file inside the archive.
    pub file: String,
    /// Its URL.
    #[serde(default)]
    pub url: Option<String>,
    /// Its class.
    #[serde(default)]
    pub page_type: Option<String>,
    /// `index`, `article`, `search` or `other`.
    #[serde(default)]
    pub role: Option<String>,
    /// The values of each field of the page.
    #[serde(default)]
    pub fields: Ordered<Vec<Text>>,
    /// Every labelled name/value fact on the page.
    #[serde(default)]
    pub open_fields: Ordered<Vec<Text>>,
    /// The rows of the page's main list, in page order.
    #[serde(default, deserialize_with = "null_is_empty")]
    pub records: Vec<Ordered<Text>>,
    /// The article body.
    #[serde(default)]
    pub main_text: Option<String>,
    /// One code for each form, in document order; `s` is a search form.
    #[serde(default, deserialize_with = "null_is_empty")]
    pub form_types: Vec<String>,
}

impl GoldPage {
    /// The page's class, empty when it has none.
    pub fn kind(&self) -> &str {
        self.page_type.as_deref().unwrap_or("")
    }
}

/// A JSON object that keeps the order of its names. A repeated name keeps its first place and its last value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ordered<V>(Vec<(String, V)>);

impl<V> Ordered<V> {
    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// True when there is no name.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V> Default for Ordered<V> {
    fn default() -> Self {
        Ordered(Vec::new())
    }
}

impl<V> FromIterator<(String, V)> for Ordered<V> {
    fn from_iter<I: IntoIterator<Item = (String, V)>>(pairs: I) -> Self {
        let mut ordered = Ordered::default();
        for (name, value) in pairs {
            match ordered.0.iter_mut().find(|(known, _)| *known == name) {
                Some(slot) => slot.1 = value,
                None => ordered.0.push((name, value)),
            }
        }
        ordered
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Ordered<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OrderedVisitor(PhantomData))
    }
}

struct OrderedVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for OrderedVisitor<V> {
    type Value = Ordered<V>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object of names and values")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Ordered::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs: Vec<(String, V)> = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs.into_iter().collect())
    }
}

/// A labelled value. Numbers, booleans and null become the text that the outside scorer sees (`True`, `None`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(pub String);

impl Text {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text(text.to_string()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Text, E> {
        Ok(Text(text))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Text, E> {
        Ok(Text(if value { "True" } else { "False" }.to_string()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Text, E> {
        Ok(Text(value.to_string()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Text, E> {
        Ok(Text(value.to_string()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Text, E> {
        Ok(Text(format!("{value:?}")))
    }

    fn visit_unit<E: Error>(self) -> Result<Text, E> {
        Ok(Text("None".to_string()))
    }
}

fn null_is_empty<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Ok(Option::<Vec<T>>::deserialize(deserializer)?.unwrap_or_default())
}
