//! The model that comes with the program.

use crate::model::Model;

/// The pre-trained defaults.
pub fn pretrained() -> Model {
    Model::default()
}
