//! A web site on loopback, made of one function.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What was asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    /// The path without the query.
    pub(crate) path: String,
    /// The query as it came.
    pub(crate) query: String,
    /// GET, POST, ...
    pub(crate) method: String,
    /// The body.
    pub(crate) body: String,
}

/// A running site. Its threads end with the test.
pub(crate) struct Site {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    pub(crate) count: Arc<AtomicUsize>,
}

impl Site {
    /// Serves what the function answers: a content type and a body.
    pub(crate) fn start(answer: impl Fn(&Request) -> (&'static str, String) + Send + Sync + 'static) -> Site {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback is there");
        let port = listener.local_addr().expect("has an address").port();
        let (asked, count) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
        let (all, number) = (Arc::clone(&asked), Arc::clone(&count));
        let answer = Arc::new(answer);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, all, number) = (Arc::clone(&answer), Arc::clone(&all), Arc::clone(&number));
                std::thread::spawn(move || {
                    let Some(request) = read(&stream) else { return };
                    number.fetch_add(1, Ordering::SeqCst);
                    all.lock().expect("is whole").push(request.path.clone());
                    let (kind, body) = answer(&request);
                    let head = format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                        body.len()
                    );
                    let _ = (&stream).write_all(format!("{head}{body}").as_bytes());
                });
            }
        });
        Site { port, asked, count }
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The paths that were asked for, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("is whole").clone()
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let body = String::from_utf8_lossy(&body).into_owned();
    Some(Request { path: path.to_owned(), query: query.to_owned(), method, body })
}
