//! `postgres://user:password@host:port/database?schema=name&sslmode=require`

use std::fmt;
use std::path::Path;
use std::time::Duration;

use postgres::Config;

use super::tls::Trust;
use crate::StoreError;

/// How long to wait for a server, unless the address says otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where a server looks for clients of the same machine when the address names no host, as its own tools do.
const SOCKETS: &str = "/var/run/postgresql";

/// The address of a database server. It is shown without its password.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// As the driver understands it.
    url: String,
    /// Where the tables go.
    schema: Option<String>,
    /// Whose certificate is good enough.
    trust: Trust,
}

impl Address {
    /// `None` when it is not an address of a PostgreSQL server.
    pub(crate) fn parse(name: &str) -> Option<Result<Address, StoreError>> {
        let is_address = name.starts_with("postgres://") || name.starts_with("postgresql://");
        is_address.then(|| {
            let (base, query) = name.split_once('?').unwrap_or((name, ""));
            let mut kept: Vec<&str> = Vec::new();
            let mut schema = None;
            let (mut verified, mut authorities) = (false, None);
            for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
                match parameter.split_once('=') {
                    Some(("schema", value)) => schema = Some(decoded(value)),
                    // The driver knows whether to encrypt; whom to believe is ours.
                    Some(("sslmode", "verify-full" | "verify-ca")) => {
                        verified = true;
                        kept.push("sslmode=require");
                    }
                    Some(("sslrootcert", "system")) => verified = true,
                    Some(("sslrootcert", file)) => authorities = Some(decoded(file).into()),
                    _ => kept.push(parameter),
                }
            }
            let trust = match verified || authorities.is_some() {
                true => Trust::Verified(authorities),
                false => Trust::Anybody,
            };
            let marks = if kept.is_empty() { "" } else { "?" };
            let address = Address { url: format!("{base}{marks}{}", kept.join("&")), schema, trust };
            let bad_schema =
                |schema: &String| schema.is_empty() || schema.len() > 63 || schema.contains('\0');
            let reason = match address.url.parse::<Config>() {
                Err(error) => std::error::Error::source(&error)
                    .map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}")),
                Ok(_) if address.schema.as_ref().is_some_and(bad_schema) => {
                    "a schema has a name of 1 to 63 bytes".to_owned()
                }
                Ok(_) => return Ok(address),
            };
            Err(StoreError::Server { target: address.to_string(), reason })
        })
    }

    /// What the driver needs. A password that is not in the address may be in `PGPASSWORD`, a host in `PGHOST`.
    pub(crate) fn config(&self) -> Config {
        let mut config: Config = self.url.parse().unwrap_or_default();
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            let host = std::env::var("PGHOST").ok().filter(|host| !host.is_empty());
            let local = if Path::new(SOCKETS).is_dir() { SOCKETS } else { "localhost" };
            config.host(host.as_deref().unwrap_or(local));
        }
        if let (None, Ok(password)) = (config.get_password(), std::env::var("PGPASSWORD")) {
            config.password(password);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        config.application_name("unsite");
        config
    }

    pub(super) fn trust(&self) -> &Trust {
        &self.trust
    }

    pub(crate) fn schema(&self) -> Option<&str> {
        self.schema.as_deref()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = self.url.split('?').next().unwrap_or_default();
        let (kind, rest) = bare.split_once("://").unwrap_or(("postgres", bare));
        let (user, place) = rest.rsplit_once('@').map_or((None, rest), |(user, place)| (Some(user), place));
        write!(f, "{kind}://")?;
        if let Some(user) = user {
            write!(f, "{}@", user.split(':').next().unwrap_or_default())?;
        }
        f.write_str(place)?;
        match &self.schema {
            Some(schema) => write!(f, "?schema={schema}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

/// Undoes `%20` and its like.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| byte == b'%') {
            Some(value) => {
                bytes.push(value);
                rest = &tail[2..];
            }
            None => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
