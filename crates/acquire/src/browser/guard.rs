//! A proxy between the browser and the network that connects only where connecting is allowed.
//!
//! # What it does
//! The browser is told to send everything through here. For each connection the host is looked up once, every address
//! is checked, and the connection goes to an address that was checked: a name that later turns into a private address
//! changes nothing.
//! # Assumes
//! Nothing in the browser goes past its proxy; flags forbid what could (QUIC, WebRTC).
//! # When it fails
//! Networks that can only be left through another proxy.
//! # Paper
//! RFC 9110 §9.3.6 (CONNECT), RFC 9112 §3.2.2 (absolute form).

use std::io::{self, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use url::Url;

use crate::sources::{FieldsEnd, read_line};

/// How long connecting may take, and how long a connection may be silent.
const CONNECT_TIME: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(60);

/// What one connection may bring, so that an endless answer ends.
const MAX_BYTES: u64 = 256 << 20;

/// The longest head of a request.
const MAX_HEAD: usize = 256 << 10;

/// Connections at a time. A browser opens six to a host.
const MAX_CONNECTIONS: usize = 256;

/// Whether connections to an address are allowed.
pub(super) type Allows = fn(IpAddr) -> bool;

/// The proxy. It ends when it is dropped.
pub(super) struct Guard {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    allows: Allows,
    ended: AtomicBool,
    open: AtomicUsize,
    refused: AtomicUsize,
}

impl Guard {
    /// Starts on a port of its own.
    pub(super) fn start(allows: Allows) -> io::Result<Guard> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            allows,
            ended: AtomicBool::new(false),
            open: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
        });
        let own = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if own.ended.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                if own.open.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
                    own.open.fetch_sub(1, Ordering::SeqCst);
                    continue;
                }
                let state = Arc::clone(&own);
                thread::spawn(move || {
                    // Whatever goes wrong here is seen by the browser as a connection that ends.
                    let _ = serve(stream, &state);
                    state.open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Ok(Guard { address, state })
    }

    /// Where the browser finds it.
    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many connections were refused because of their address.
    pub(super) fn refused(&self) -> usize {
        self.state.refused.load(Ordering::SeqCst)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.state.ended.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect_timeout(&self.address, CONNECT_TIME);
    }
}

/// What a request to a proxy asks for.
struct Asked {
    host: String,
    port: u16,
    /// What is sent on; empty for a tunnel.
    head: Vec<u8>,
}

fn serve(browser: TcpStream, state: &State) -> io::Result<()> {
    browser.set_read_timeout(Some(SILENCE))?;
    let mut reader = BufReader::new(browser.try_clone()?);
    let Some(asked) = read_head(&mut reader) else {
        return refuse(&browser, "400 Bad Request");
    };
    let addresses: Vec<SocketAddr> =
        (asked.host.as_str(), asked.port).to_socket_addrs().map(Iterator::collect).unwrap_or_default();
    if addresses.iter().any(|address| !(state.allows)(address.ip())) {
        state.refused.fetch_add(1, Ordering::SeqCst);
        return refuse(&browser, "403 Forbidden");
    }
    let connected =
        addresses.iter().find_map(|address| TcpStream::connect_timeout(address, CONNECT_TIME).ok());
    let Some(mut site) = connected else { return refuse(&browser, "502 Bad Gateway") };
    site.set_read_timeout(Some(SILENCE))?;
    if asked.head.is_empty() {
        (&browser).write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
    } else {
        site.write_all(&asked.head)?;
    }
    let (back_from, back_to) = (site.try_clone()?, browser.try_clone()?);
    let back = thread::spawn(move || pass_on(back_from, back_to));
    pass_on(reader, site);
    let _ = back.join();
    Ok(())
}

/// Copies until one side ends, and then ends the other.
fn pass_on(from: impl Read, mut to: TcpStream) {
    let _ = io::copy(&mut from.take(MAX_BYTES), &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

fn refuse(mut browser: &TcpStream, status: &str) -> io::Result<()> {
    browser
        .write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").as_bytes())
}

/// Reads the head of a request: `CONNECT host:port` or `GET http://host/path`.
fn read_head(reader: &mut impl io::BufRead) -> Option<Asked> {
    let mut budget = MAX_HEAD;
    let mut next = || {
        let mut line = Vec::new();
        (read_line(reader, &mut line, &mut budget) == FieldsEnd::Complete).then_some(line)
    };
    let first = String::from_utf8(next()?).ok()?;
    let mut words = first.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let mut lines = Vec::new();
    loop {
        let line = next()?;
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    if method == "CONNECT" {
        let url = Url::parse(&format!("https://{target}/")).ok()?;
        return Some(Asked { host: bare_host(&url)?, port: url.port_or_known_default()?, head: Vec::new() });
    }
    let url = Url::parse(target).ok().filter(|url| url.scheme() == "http")?;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut head = format!("{method} {}{query} {version}\r\n", url.path()).into_bytes();
    for line in lines {
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default().to_ascii_lowercase();
        if !matches!(name.as_slice(), b"connection" | b"proxy-connection" | b"keep-alive") {
            head.extend_from_slice(&line);
            head.extend_from_slice(b"\r\n");
        }
    }
    // One request for each connection: the next one may go to another host.
    head.extend_from_slice(b"Connection: close\r\n\r\n");
    Some(Asked { host: bare_host(&url)?, port: url.port_or_known_default()?, head })
}

/// The host without the brackets of an IPv6 address.
fn bare_host(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    Some(host.trim_start_matches('[').trim_end_matches(']').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(allows: Allows, request: &str) -> (String, usize) {
        let guard = Guard::start(allows).expect("starts");
        let mut stream = TcpStream::connect(("127.0.0.1", guard.port())).expect("connects");
        stream.write_all(request.as_bytes()).expect("is read");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        (answer, guard.refused())
    }

    /// A server that answers one request with the request itself.
    fn echo() -> u16 {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("binds");
        let port = listener.local_addr().expect("has an address").port();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("accepts");
            let mut buffer = [0; 4096];
            let read = stream.read(&mut buffer).unwrap_or(0);
            let _ = stream.write_all(&buffer[..read]);
        });
        port
    }

    #[test]
    fn addresses_that_are_not_allowed_are_refused() {
        for request in [
            "CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n",
            "CONNECT [::1]:1 HTTP/1.1\r\n\r\n",
            "GET http://127.0.0.1:1/x HTTP/1.1\r\nHost: example.test\r\n\r\n",
            "GET http://localhost:1/x HTTP/1.1\r\n\r\n",
            "GET http://2130706433/x HTTP/1.1\r\n\r\n",
        ] {
            let (answer, refused) = ask(|address| !address.is_loopback(), request);
            assert!(answer.starts_with("HTTP/1.1 403"), "{request} got {answer}");
            assert_eq!(refused, 1);
        }
    }

    #[test]
    fn requests_are_passed_on_as_the_site_expects_them() {
        let request = format!(
            "GET http://127.0.0.1:{}/a?b=c HTTP/1.1\r\nHost: x\r\nProxy-Connection: y\r\n\r\n",
            echo()
        );
        let (answer, refused) = ask(|_| true, &request);
        assert_eq!(answer, "GET /a?b=c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assert_eq!(refused, 0);
    }

    #[test]
    fn what_is_no_request_is_told_so() {
        for request in ["nonsense\r\n\r\n", "GET /x HTTP/1.1\r\n\r\n", "GET ftp://h/x HTTP/1.1\r\n\r\n"] {
            assert!(ask(|_| true, request).0.starts_with("HTTP/1.1 400"), "{request}");
        }
    }
}
