//! A web server on loopback that behaves as badly as it is told to.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What was asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) target: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub(crate) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }
}

/// What is answered.
pub(crate) enum Answer {
    /// Status, header fields, body; the length is sent along.
    Whole(u16, Vec<(String, String)>, Vec<u8>),
    /// These bytes and nothing else; then the connection is closed.
    Raw(Vec<u8>),
    /// These bytes, and then nothing more while the connection stays open.
    Hang(Vec<u8>),
    /// The first bytes, and then the second ones again and again.
    Endless(Vec<u8>, Vec<u8>),
}

impl Answer {
    pub(crate) fn html(body: impl Into<String>) -> Answer {
        Answer::Whole(
            200,
            vec![("Content-Type".into(), "text/html; charset=utf-8".into())],
            body.into().into_bytes(),
        )
    }

    pub(crate) fn text(body: impl Into<String>) -> Answer {
        Answer::Whole(200, vec![("Content-Type".into(), "text/plain".into())], body.into().into_bytes())
    }

    pub(crate) fn xml(body: impl Into<Vec<u8>>) -> Answer {
        Answer::Whole(200, vec![("Content-Type".into(), "application/xml".into())], body.into())
    }

    pub(crate) fn status(status: u16) -> Answer {
        Answer::Whole(
            status,
            vec![("Content-Type".into(), "text/html".into())],
            format!("<p>{status}").into_bytes(),
        )
    }

    pub(crate) fn redirect(to: &str) -> Answer {
        Answer::Whole(302, vec![("Location".into(), to.into())], Vec::new())
    }

    pub(crate) fn with(self, name: &str, value: &str) -> Answer {
        match self {
            Answer::Whole(status, mut headers, body) => {
                headers.push((name.to_owned(), value.to_owned()));
                Answer::Whole(status, headers, body)
            }
            other => other,
        }
    }
}

/// A running server; it stops when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    stopped: Arc<AtomicBool>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let stopped = Arc::new(AtomicBool::new(false));
        let answer = Arc::new(answer);
        let (log, end) = (asked.clone(), stopped.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                if end.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (answer, log, end) = (answer.clone(), log.clone(), end.clone());
                // A client that goes away in the middle is part of the game.
                thread::spawn(move || serve(stream, answer.as_ref(), &log, &end));
            }
        });
        Server { address, asked, stopped }
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// Everything that was asked for, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The targets that were asked for, in order.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|asked| asked.target.clone()).collect()
    }

    pub(crate) fn forget(&self) {
        self.asked.lock().unwrap().clear();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Wakes the one who waits for connections.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(
    stream: TcpStream,
    answer: &(dyn Fn(&Asked) -> Answer + Send + Sync),
    log: &Mutex<Vec<Asked>>,
    end: &AtomicBool,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut out = stream;
    while let Some(asked) = read_request(&mut reader)? {
        log.lock().unwrap().push(asked.clone());
        match answer(&asked) {
            Answer::Whole(status, headers, body) => {
                let mut message = format!("HTTP/1.1 {status} Status\r\nContent-Length: {}\r\n", body.len());
                for (name, value) in headers {
                    message.push_str(&format!("{name}: {value}\r\n"));
                }
                message.push_str("\r\n");
                let mut message = message.into_bytes();
                message.extend_from_slice(&body);
                out.write_all(&message)?;
            }
            Answer::Raw(bytes) => return out.write_all(&bytes),
            Answer::Hang(bytes) => {
                out.write_all(&bytes)?;
                while !end.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(20));
                }
                return Ok(());
            }
            Answer::Endless(first, again) => {
                out.write_all(&first)?;
                while !end.load(Ordering::Relaxed) {
                    out.write_all(&again)?;
                }
                return Ok(());
            }
        }
    }
    Ok(())
}

fn read_request(reader: &mut impl BufRead) -> io::Result<Option<Asked>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let mut asked = Asked {
        method: words.next().unwrap_or_default().to_owned(),
        target: words.next().unwrap_or_default().to_owned(),
        ..Asked::default()
    };
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            asked.headers.insert(name.trim().to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    let length = asked.header("content-length").parse().unwrap_or(0);
    asked.body = vec![0; length];
    reader.read_exact(&mut asked.body)?;
    Ok(Some(asked))
}
