//! What is asked for.

use url::{Url, form_urlencoded};

/// A request to be sent.
#[derive(Debug, Clone)]
pub struct Request {
    /// Where to.
    pub url: Url,
    /// `GET` or `POST`.
    pub method: Method,
    /// Header fields beside those that every request has (`host`, `user-agent`, `accept`, `accept-encoding`).
    pub headers: Vec<(String, String)>,
    /// What is sent along; empty for `GET`.
    pub body: Vec<u8>,
}

/// The methods that are ever used. Nothing is put, patched or deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Submits a form.
    Post,
}

impl Method {
    /// As it stands on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }
}

impl Request {
    /// Reads a page.
    pub fn get(url: Url) -> Request {
        Request { url, method: Method::Get, headers: Vec::new(), body: Vec::new() }
    }

    /// Submits a form as browsers do by default.
    pub fn post_form<'a>(url: Url, fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Request {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        Request { url, method: Method::Post, headers: Vec::new(), body: body.into_bytes() }
            .with("content-type", "application/x-www-form-urlencoded")
    }

    /// The same with one more header field.
    pub fn with(mut self, name: &str, value: &str) -> Request {
        self.headers.push((name.to_ascii_lowercase(), value.to_owned()));
        self
    }
}
