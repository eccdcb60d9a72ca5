//! One request over one connection.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Response;
use hyper::body::Incoming;
use hyper::header::{HeaderName, HeaderValue};
use jiff::Timestamp;
use tokio::time::timeout;
use url::{Position, Url};

use super::connect::{Body, Connection, Sender, broken, whole_message};
use super::{Exchange, FetchError, FetchOptions, Protocol, Request, Truncated};

/// What we can undo again.
const ENCODINGS: &str = "gzip, deflate, br, zstd";

/// Pages first, feeds and sitemaps too, and whatever else there is.
const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5";

/// How it ended, and whether the connection is good for another request.
pub(super) struct Sent {
    pub(super) exchange: Exchange,
    pub(super) reusable: bool,
}

/// Why there is no answer.
pub(super) struct NotSent {
    pub(super) error: FetchError,
    /// The connection had gone before anything was answered; on a kept one that says nothing about the server.
    pub(super) stale: bool,
}

/// Sends the request and reads the response within the limits.
pub(super) async fn send(
    connection: &mut Connection,
    request: &Request,
    options: &FetchOptions,
) -> Result<Sent, NotSent> {
    let host = request.url.host_str().unwrap_or_default().to_owned();
    let fatal = |error| NotSent { error, stale: false };
    let fields = header(request, options);
    let message = message(request, &fields, connection.protocol())
        .map_err(|message| fatal(FetchError::Protocol { host: host.clone(), message }))?;
    let date = Timestamp::now();
    let begun = Instant::now();
    let limit = options.response_timeout;
    let head = timeout(limit, async {
        match &mut connection.sender {
            Sender::Http1(sender) => {
                sender.ready().await?;
                sender.send_request(message).await
            }
            Sender::Http2(sender) => {
                sender.ready().await?;
                sender.send_request(message).await
            }
        }
    });
    let response = match head.await {
        Err(_) => return Err(fatal(FetchError::Slow { host, what: "begin to answer", limit })),
        Ok(Err(error)) => {
            let stale = error.is_canceled() || error.is_closed() || error.is_incomplete_message();
            let error = if error.is_parse() {
                let message = whole_message(&error);
                FetchError::Protocol {
                    host,
                    message: format!("{message} (headers may have {} bytes)", options.max_header_bytes),
                }
            } else {
                broken(&host, &error)
            };
            return Err(NotSent { error, stale });
        }
        Ok(Ok(response)) => response,
    };
    let (parts, incoming) = split(response);
    let left = options.total_timeout.saturating_sub(begun.elapsed());
    let (body, truncated) = read_body(incoming, left, options).await;
    let exchange = Exchange {
        url: request.url.clone(),
        method: request.method,
        date,
        address: connection.address,
        protocol: connection.protocol(),
        request_head: request_head(request, &fields),
        request_body: request.body.clone(),
        status: parts.status,
        reason: parts.reason,
        headers: parts.headers,
        body,
        truncated,
    };
    let reusable = truncated.is_none() && !connection.is_closed();
    Ok(Sent { exchange, reusable })
}

struct Head {
    status: u16,
    reason: String,
    headers: Vec<(String, Vec<u8>)>,
}

fn split(response: Response<Incoming>) -> (Head, Incoming) {
    let (parts, body) = response.into_parts();
    let reason = match parts.extensions.get::<hyper::ext::ReasonPhrase>() {
        Some(reason) => String::from_utf8_lossy(reason.as_bytes()).into_owned(),
        None => parts.status.canonical_reason().unwrap_or_default().to_owned(),
    };
    let field =
        |(name, value): (&HeaderName, &HeaderValue)| (name.as_str().to_owned(), value.as_bytes().to_vec());
    let headers = parts.headers.iter().map(field).collect();
    (Head { status: parts.status.as_u16(), reason, headers }, body)
}

async fn read_body(
    mut incoming: Incoming,
    left: Duration,
    options: &FetchOptions,
) -> (Vec<u8>, Option<Truncated>) {
    let mut body = Vec::new();
    let limit = options.max_body_bytes;
    let read = async {
        while let Some(frame) = incoming.frame().await {
            let Ok(frame) = frame else { return Some(Truncated::Disconnect) };
            let Some(data) = frame.data_ref() else { continue };
            let room = limit - body.len();
            body.extend_from_slice(&data[..data.len().min(room)]);
            if data.len() > room {
                return Some(Truncated::Length);
            }
        }
        None
    };
    let truncated = timeout(left, read).await.unwrap_or(Some(Truncated::Time));
    (body, truncated)
}

/// The header fields that are sent, without `host`.
fn header(request: &Request, options: &FetchOptions) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for (name, value) in
        [("user-agent", options.user_agent.as_str()), ("accept", ACCEPT), ("accept-encoding", ENCODINGS)]
    {
        if !request.headers.iter().any(|(have, _)| have == name) {
            fields.push((name.to_owned(), value.to_owned()));
        }
    }
    if let Some(contact) = &options.contact {
        fields.push(("from".to_owned(), contact.clone()));
    }
    fields.extend(request.headers.iter().cloned());
    if !request.body.is_empty() || request.method == super::Method::Post {
        fields.push(("content-length".to_owned(), request.body.len().to_string()));
    }
    fields
}

fn message(
    request: &Request,
    fields: &[(String, String)],
    protocol: Protocol,
) -> Result<hyper::Request<Body>, String> {
    let url = &request.url;
    let uri = match protocol {
        Protocol::Http1 => path_and_query(url).to_owned(),
        Protocol::Http2 => url[..Position::AfterQuery].to_owned(),
    };
    let mut message = hyper::Request::builder().method(request.method.name()).uri(uri);
    if protocol == Protocol::Http1 {
        message = message.header("host", authority(url));
    }
    for (name, value) in fields {
        message = message.header(name, value);
    }
    message.body(Full::new(Bytes::from(request.body.clone()))).map_err(|error| error.to_string())
}

/// The request line and header as HTTP/1.1 has it.
fn request_head(request: &Request, fields: &[(String, String)]) -> Vec<u8> {
    let mut head = format!(
        "{} {} HTTP/1.1\r\nhost: {}\r\n",
        request.method.name(),
        path_and_query(&request.url),
        authority(&request.url)
    );
    for (name, value) in fields {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    head.into_bytes()
}

fn path_and_query(url: &Url) -> &str {
    &url[Position::BeforePath..Position::AfterQuery]
}

/// Host and port without user name and password, which are never sent.
fn authority(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}
