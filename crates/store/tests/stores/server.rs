//! A PostgreSQL server of our own, on a socket in a temporary folder.
#![allow(clippy::print_stderr)]

use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use postgres::{Client, NoTls};

/// How often a starting server is asked whether it is there yet, ten times a second.
const PATIENCE: usize = 600;

pub(crate) struct TestServer {
    folder: tempfile::TempDir,
    programs: PathBuf,
    user: Option<(u32, u32)>,
    port: u16,
    child: Child,
}

/// A certificate for `localhost` and the authority that signed it, both made for tests.
const CERTIFICATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../acquire/tests/tls");

impl TestServer {
    /// Starts one; `None`, and a line that says so, where there is no server to start.
    pub(crate) fn start() -> Option<TestServer> {
        let Some(programs) = programs() else {
            eprintln!("skipped: no PostgreSQL server here (Debian's package is called postgresql)");
            return None;
        };
        // The server refuses to be run by root.
        let folder = tempfile::Builder::new().prefix("pg").tempdir().unwrap();
        let is_root = std::fs::metadata(folder.path()).unwrap().uid() == 0;
        let user = if is_root { Some(other_user()?) } else { None };
        if let Some((uid, gid)) = user {
            chown(folder.path(), Some(uid), Some(gid)).unwrap();
        }
        let data = folder.path().join("data");
        let made = as_user(&programs.join("initdb"), user, folder.path())
            .args(["-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(&data)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        for name in ["server.pem", "server-key.pem"] {
            let copy = data.join(name);
            std::fs::copy(Path::new(CERTIFICATES).join(name), &copy).unwrap();
            std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o600)).unwrap();
            if let Some((uid, gid)) = user {
                chown(&copy, Some(uid), Some(gid)).unwrap();
            }
        }
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).unwrap().port();
        let child = as_user(&programs.join("postgres"), user, folder.path())
            .arg("-D")
            .arg(&data)
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "ssl=on"])
            .args(["-c", "log_connections=on"])
            .args(["-c", "ssl_cert_file=server.pem", "-c", "ssl_key_file=server-key.pem", "-c"])
            .arg(format!("port={port}"))
            .arg("-c")
            .arg(format!("unix_socket_directories={}", folder.path().display()))
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let server = TestServer { folder, programs, user, port, child };
        for _ in 0..PATIENCE {
            if Client::connect(&server.address(""), NoTls).is_ok() {
                return Some(server);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the server does not answer");
    }

    /// Its address, with parameters.
    pub(crate) fn address(&self, parameters: &str) -> String {
        let socket = self.folder.path().to_str().unwrap().replace('/', "%2F");
        format!("postgres://tester@{socket}:{}/postgres{parameters}", self.port)
    }

    /// Its address on the network of the machine.
    pub(crate) fn network_address(&self, host: &str, parameters: &str) -> String {
        format!("postgres://tester@{host}:{}/postgres{parameters}", self.port)
    }

    /// The file with the authority that signed its certificate.
    pub(crate) fn authority(&self) -> String {
        format!("{CERTIFICATES}/root.pem").replace('/', "%2F")
    }

    /// What the server wrote about connections of the program so far.
    pub(crate) fn connections(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap();
        log.lines().filter(|line| line.contains("application_name=unsite")).map(str::to_owned).collect()
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(&self.address(""), NoTls).unwrap()
    }

    /// Every row of a query as text, `|` between values.
    pub(crate) fn ask(&self, sql: &str) -> Vec<String> {
        let mut client = self.client();
        let sql = format!(
            "SELECT concat_ws('|', VARIADIC (SELECT array_agg(coalesce(v, 'NULL')) FROM unnest(x.a) v)) FROM (SELECT ARRAY(SELECT value FROM json_each_text(row_to_json(q))) AS a FROM ({sql}) q) x"
        );
        client
            .query(&sql, &[])
            .unwrap_or_else(|e| panic!("{sql}: {e:?}"))
            .iter()
            .map(|row| row.get(0))
            .collect()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let stopped = as_user(&self.programs.join("pg_ctl"), self.user, self.folder.path())
            .args(["stop", "-m", "immediate", "-D"])
            .arg(self.folder.path().join("data"))
            .output();
        if !stopped.is_ok_and(|output| output.status.success()) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

fn as_user(program: &Path, user: Option<(u32, u32)>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env_remove("PGHOST").env("LC_ALL", "C");
    if let Some((uid, gid)) = user {
        command.uid(uid).gid(gid);
    }
    command
}

/// Where the newest server stands: Debian keeps it out of the search path.
fn programs() -> Option<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    found.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    found
        .into_iter()
        .rev()
        .map(|(_, path)| path)
        .chain(std::env::split_paths(&path))
        .find(|folder| ["initdb", "postgres", "pg_ctl"].iter().all(|name| folder.join(name).is_file()))
}

/// Somebody who is not root.
fn other_user() -> Option<(u32, u32)> {
    let known = std::fs::read_to_string("/etc/passwd").ok()?;
    let id_of = |wanted: &str| {
        let line = known.lines().find(|line| line.split(':').next() == Some(wanted))?;
        let mut parts = line.split(':').skip(2);
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    };
    let found = ["postgres", "nobody"].iter().find_map(|name| id_of(name));
    if found.is_none() {
        eprintln!("skipped: there is no user to run a PostgreSQL server but root");
    }
    found
}
