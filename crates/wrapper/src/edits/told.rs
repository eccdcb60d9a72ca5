//! Edits in words.

use std::fmt;

use super::Edit;

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edit::RenameColumn { table, column, to } => write!(f, "rename {table}.{column} to {to}"),
            Edit::DropColumn { table, column } => write!(f, "drop {table}.{column}"),
            Edit::RestoreColumn { table, column } => write!(f, "restore {table}.{column}"),
            Edit::MergeColumns { table, column, from } => {
                write!(f, "merge {table}.{from} into {table}.{column}")
            }
            Edit::SplitColumn { table, column, at, into } => {
                write!(f, "split {table}.{column} at {at:?} into {}", into.join(", "))
            }
            Edit::RetypeColumn { table, column, to } => {
                write!(f, "{table}.{column} is of type {}", to.name())
            }
            Edit::RenameTable { table, to } => write!(f, "rename table {table} to {to}"),
            Edit::DropTable { table } => write!(f, "drop table {table}"),
            Edit::RestoreTable { table } => write!(f, "restore table {table}"),
            Edit::MergeTables { table, from } => write!(f, "merge table {from} into {table}"),
            Edit::SplitTable { table, page_type, to } => {
                write!(f, "split table {table}: what pages of type {page_type} show is {to}")
            }
            Edit::RenamePageType { page_type, to } => write!(f, "rename page type {page_type} to {to}"),
            Edit::DropPageType { page_type } => write!(f, "drop page type {page_type}"),
            Edit::MergePageTypes { page_type, from } => write!(f, "merge page type {from} into {page_type}"),
            Edit::SplitPageType { page_type, address, to } => {
                write!(f, "split page type {page_type}: pages at {address} are {to}")
            }
            Edit::MakeColumn { page_type, name, .. } => {
                write!(f, "make a column {name} of {page_type} pages")
            }
            Edit::MakeRows { page_type, table, .. } => write!(f, "make rows {table} of {page_type} pages"),
            Edit::NotRows { table } => write!(f, "{table} are no rows"),
            Edit::WrongValue { table, column, value, url } => {
                let short: String = value.chars().take(40).collect();
                write!(f, "{short:?} in {table}.{column} is wrong")?;
                match url {
                    Some(url) => write!(f, " on {url}"),
                    None => write!(f, " wherever it stands"),
                }
            }
        }
    }
}
