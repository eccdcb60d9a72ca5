//! HTTP on loopback: who is let in, and with which headers answers go out.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context, Result};
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HOST, HeaderValue, ORIGIN};
use hyper::service::service_fn;
use hyper::{Method, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::routes::answer;
use super::secret::secret;
use super::session::Studio;

/// The port that is tried first, so that bookmarks stay good.
const PORT: u16 = 8377;

/// Ports behind it that are tried when it is taken.
const TRIES: u16 = 20;

/// Bytes of a request that are read.
const LARGEST: usize = 8 << 20;

/// What the studio itself may do: its own files, nothing from anywhere else.
const OWN_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                          frame-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/// What a page of the site may do: be looked at.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
                           form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/// What was asked for.
pub(super) struct Request {
    pub(super) method: Method,
    /// The path behind the secret, cut at its slashes and decoded.
    pub(super) path: Vec<String>,
    pub(super) query: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// A value of the query.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A number of the query.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.get(name)?.parse().ok()
    }

    /// The body as JSON.
    pub(super) fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).context("the request is not JSON")
    }
}

/// What is answered.
pub(super) struct Answer {
    status: StatusCode,
    kind: &'static str,
    body: Vec<u8>,
    is_page: bool,
    file: Option<String>,
}

impl Answer {
    pub(super) fn json(value: &Value) -> Answer {
        Answer::text("application/json", value.to_string())
    }

    pub(super) fn text(kind: &'static str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status: StatusCode::OK, kind, body: body.into(), is_page: false, file: None }
    }

    /// A page of the site.
    pub(super) fn page(body: String) -> Answer {
        Answer { is_page: true, ..Answer::text("text/html; charset=utf-8", body) }
    }

    /// A file that the browser saves.
    pub(super) fn file(name: &str, kind: &'static str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { file: Some(name.to_owned()), ..Answer::text(kind, body) }
    }

    pub(super) fn refused(status: StatusCode, why: &str) -> Answer {
        Answer { status, ..Answer::json(&json!({"error": why})) }
    }
}

/// Where the studio is found.
pub(crate) struct Address {
    /// The address that it listens at.
    pub ip: IpAddr,
    /// The port; `None` for the first that is free.
    pub port: Option<u16>,
}

/// Answers until it is told to stop. `started` is given the address that people open.
pub(crate) fn serve(studio: Arc<Studio>, address: &Address, started: impl FnOnce(&str)) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start a server")?;
    let secret = secret()?;
    runtime.block_on(async {
        let listener = bound(address).await?;
        let local = listener.local_addr().context("cannot start a server")?;
        let door = Arc::new(Door::new(local, secret));
        started(&door.address());
        loop {
            tokio::select! {
                accepted = listener.accept() => {
                    let Ok((stream, _)) = accepted else { continue };
                    let (studio, door) = (Arc::clone(&studio), Arc::clone(&door));
                    tokio::spawn(async move {
                        let service = service_fn(|request| respond(Arc::clone(&studio), Arc::clone(&door), request));
                        let connection = hyper::server::conn::http1::Builder::new()
                            .timer(TokioTimer::new())
                            .serve_connection(TokioIo::new(stream), service);
                        // Whoever asked has gone; there is nobody to tell.
                        let _ = connection.await;
                    });
                }
                () = told_to_stop() => return Ok(()),
            }
        }
    })
}

async fn told_to_stop() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

async fn bound(address: &Address) -> Result<TcpListener> {
    let wanted = |port: u16| SocketAddr::new(address.ip, port);
    if let Some(port) = address.port {
        return TcpListener::bind(wanted(port)).await.with_context(|| {
            format!("cannot listen at {}; name another port with --port, or leave it out", wanted(port))
        });
    }
    for port in PORT..PORT + TRIES {
        if let Ok(listener) = TcpListener::bind(wanted(port)).await {
            return Ok(listener);
        }
    }
    TcpListener::bind(wanted(0)).await.with_context(|| format!("cannot listen at {}", address.ip))
}

/// Who is let in.
struct Door {
    local: SocketAddr,
    secret: String,
    hosts: Vec<String>,
}

impl Door {
    fn new(local: SocketAddr, secret: String) -> Self {
        let port = local.port();
        let mut hosts = vec![local.to_string()];
        if local.ip().is_loopback() {
            hosts.extend([format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")]);
        }
        Door { local, secret, hosts }
    }

    fn address(&self) -> String {
        let shown = if self.local.ip().is_unspecified() {
            SocketAddr::new(std::net::Ipv4Addr::LOCALHOST.into(), self.local.port())
        } else {
            self.local
        };
        format!("http://{shown}/{}/", self.secret)
    }

    /// A page of another site that has a name of its own point here, or that sends a form here, is not let in.
    fn refusal(&self, request: &hyper::Request<Incoming>) -> Option<(StatusCode, &'static str)> {
        let header = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let host = header(HOST).unwrap_or_default();
        // Whoever listens for others too is called what they call it.
        let is_for_others = self.local.ip().is_unspecified();
        if !is_for_others && !self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host)) {
            return Some((StatusCode::MISDIRECTED_REQUEST, "this is not the name of this server"));
        }
        let from = header(ORIGIN);
        let is_ours =
            |origin: &str| origin.strip_prefix("http://").is_some_and(|from| from.eq_ignore_ascii_case(host));
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
        if from.is_some_and(|origin| !is_ours(origin)) || changes && from.is_none() {
            return Some((StatusCode::FORBIDDEN, "this request comes from another page"));
        }
        let fetched_by = request.headers().get("sec-fetch-site").and_then(|value| value.to_str().ok());
        if fetched_by.is_some_and(|site| !matches!(site, "same-origin" | "none")) && !is_navigation(request) {
            return Some((StatusCode::FORBIDDEN, "this request comes from another page"));
        }
        let kind = header(CONTENT_TYPE).unwrap_or_default();
        if changes && !kind.starts_with("application/json") {
            return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "send JSON"));
        }
        None
    }
}

/// Somebody follows a link or opens a bookmark; what comes back shows itself to nobody else.
fn is_navigation(request: &hyper::Request<Incoming>) -> bool {
    let mode = request.headers().get("sec-fetch-mode").and_then(|value| value.to_str().ok());
    let to = request.headers().get("sec-fetch-dest").and_then(|value| value.to_str().ok());
    *request.method() == Method::GET && mode == Some("navigate") && to == Some("document")
}

async fn respond(
    studio: Arc<Studio>,
    door: Arc<Door>,
    request: hyper::Request<Incoming>,
) -> Result<hyper::Response<Full<Bytes>>, Infallible> {
    if let Some((status, why)) = door.refusal(&request) {
        return Ok(sent(Answer::refused(status, why)));
    }
    let Some(path) = behind_secret(request.uri().path(), &door.secret) else {
        return Ok(sent(Answer {
            status: StatusCode::NOT_FOUND,
            ..Answer::text("text/plain; charset=utf-8", "Open the address that `unsite studio` printed.\n")
        }));
    };
    let query = url::form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes());
    let query = query.into_owned().collect();
    let method = request.method().clone();
    let body = match Limited::new(request.into_body(), LARGEST).collect().await {
        Ok(body) => body.to_bytes().to_vec(),
        Err(_) => {
            return Ok(sent(Answer::refused(StatusCode::PAYLOAD_TOO_LARGE, "this is too much at once")));
        }
    };
    let request = Request { method, path, query, body };
    let answered = tokio::task::spawn_blocking(move || answer(&studio, &request)).await;
    Ok(sent(answered.unwrap_or_else(|_| {
        Answer::refused(StatusCode::INTERNAL_SERVER_ERROR, "something broke; the terminal says what")
    })))
}

/// The path behind the secret; `None` for those who do not know it. Takes as long for a guess that is nearly right.
fn behind_secret(path: &str, secret: &str) -> Option<Vec<String>> {
    let mut parts = path.strip_prefix('/')?.split('/');
    let given = parts.next()?;
    let differs = given.len() ^ secret.len();
    let differs = given.bytes().zip(secret.bytes()).fold(differs, |all, (a, b)| all | usize::from(a ^ b));
    let decoded = |part: &str| percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned();
    (differs == 0).then(|| parts.map(decoded).filter(|part| !part.is_empty()).collect())
}

fn sent(answer: Answer) -> hyper::Response<Full<Bytes>> {
    let mut response = hyper::Response::new(Full::new(Bytes::from(answer.body)));
    *response.status_mut() = answer.status;
    let policy = if answer.is_page { PAGE_POLICY } else { OWN_POLICY };
    let headers = response.headers_mut();
    let mut set = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    set("content-type", answer.kind);
    set("content-security-policy", policy);
    set("cache-control", "no-store");
    set("x-content-type-options", "nosniff");
    set("referrer-policy", "no-referrer");
    set("cross-origin-opener-policy", "same-origin");
    set("cross-origin-resource-policy", "same-origin");
    set("x-dns-prefetch-control", "off");
    if let Some(name) = answer.file {
        set("content-disposition", &format!("attachment; filename=\"{name}\""));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whoever_knows_the_secret_gets_behind_it() {
        assert_eq!(behind_secret("/abc/table/b%20c", "abc"), Some(vec!["table".into(), "b c".into()]));
        assert_eq!(behind_secret("/abc", "abc"), Some(Vec::new()));
        for path in ["/", "", "/ab/table", "/abcd", "/x/abc", "abc"] {
            assert_eq!(behind_secret(path, "abc"), None, "{path}");
        }
    }
}
