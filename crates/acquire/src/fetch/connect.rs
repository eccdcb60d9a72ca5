//! From a URL to a connection: name, address, TCP, TLS. Every address is looked at right before it is connected to,
//! so that neither a redirect nor a name that changes its mind leads into a private network.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};
use url::{Host, Url};

use super::address::why_not_public;
use super::{FetchError, FetchOptions, Protocol};

/// Addresses of one name that are tried; names with more have them for load, not for need.
const MOST_ADDRESSES: usize = 4;

pub(super) type Body = Full<Bytes>;

/// An open connection.
pub(super) struct Connection {
    pub(super) address: IpAddr,
    pub(super) sender: Sender,
}

pub(super) enum Sender {
    Http1(http1::SendRequest<Body>),
    Http2(http2::SendRequest<Body>),
}

impl Connection {
    pub(super) fn protocol(&self) -> Protocol {
        match self.sender {
            Sender::Http1(_) => Protocol::Http1,
            Sender::Http2(_) => Protocol::Http2,
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        match &self.sender {
            Sender::Http1(sender) => sender.is_closed(),
            Sender::Http2(sender) => sender.is_closed(),
        }
    }
}

/// The TLS set-up: the roots that browsers trust, and those that the user adds.
pub(super) fn tls(extra_roots: Option<&std::path::Path>) -> Result<TlsConnector, FetchError> {
    let setup = |message: String| FetchError::Setup { message };
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(path) = extra_roots {
        let certificates = CertificateDer::pem_file_iter(path).map_err(|error| {
            setup(format!("no certificates can be read from {}: {error}", path.display()))
        })?;
        for certificate in certificates {
            let added = certificate
                .map_err(|error| error.to_string())
                .and_then(|certificate| roots.add(certificate).map_err(|error| error.to_string()));
            added.map_err(|error| setup(format!("{} holds a bad certificate: {error}", path.display())))?;
        }
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| setup(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Opens a connection to the host of `url`.
pub(super) async fn connect(
    url: &Url,
    tls: &TlsConnector,
    options: &FetchOptions,
) -> Result<Connection, FetchError> {
    let not_web = || FetchError::NotWeb { url: url.to_string() };
    let host = url.host().ok_or_else(not_web)?;
    let port = url.port_or_known_default().ok_or_else(not_web)?;
    let name = host.to_string();
    let addresses = resolve(&host, port, options).await?;
    let stream = connect_tcp(&addresses, &name, options.connect_timeout).await?;
    let address = stream.peer_addr().map_err(|error| broken(&name, &error))?.ip();
    // Small requests go out at once; a failure here costs only time.
    let _ = stream.set_nodelay(true);
    if url.scheme() == "http" {
        return Ok(Connection { address, sender: http1_handshake(stream, &name, options).await? });
    }
    let server = match &host {
        Host::Domain(domain) => ServerName::try_from((*domain).to_owned()).map_err(|_| not_web())?,
        Host::Ipv4(ip) => ServerName::IpAddress(IpAddr::V4(*ip).into()),
        Host::Ipv6(ip) => ServerName::IpAddress(IpAddr::V6(*ip).into()),
    };
    let limit = options.connect_timeout;
    let stream = timeout(limit, tls.connect(server, stream))
        .await
        .map_err(|_| FetchError::Slow { host: name.clone(), what: "finish the TLS handshake", limit })?
        .map_err(|error| FetchError::Connect { host: name.clone(), message: error.to_string() })?;
    let sender = if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
        http2_handshake(stream, &name, options).await?
    } else {
        http1_handshake(stream, &name, options).await?
    };
    Ok(Connection { address, sender })
}

/// The addresses of a host that may be talked to.
async fn resolve(
    host: &Host<&str>,
    port: u16,
    options: &FetchOptions,
) -> Result<Vec<SocketAddr>, FetchError> {
    let name = host.to_string();
    let all: Vec<SocketAddr> = match host {
        Host::Ipv4(ip) => vec![(*ip, port).into()],
        Host::Ipv6(ip) => vec![(*ip, port).into()],
        Host::Domain(domain) => {
            let limit = options.connect_timeout;
            let found = timeout(limit, tokio::net::lookup_host((*domain, port))).await.map_err(|_| {
                FetchError::Slow { host: name.clone(), what: "get an address by its name", limit }
            })?;
            found
                .map_err(|error| FetchError::Unknown { host: name.clone(), message: error.to_string() })?
                .collect()
        }
    };
    if options.allow_private {
        return Ok(all);
    }
    let allowed: Vec<SocketAddr> =
        all.iter().copied().filter(|at| why_not_public(at.ip()).is_none()).collect();
    let refused = all.iter().find_map(|at| Some((at.ip(), why_not_public(at.ip())?)));
    match refused {
        Some((address, why)) if allowed.is_empty() => Err(FetchError::NotPublic { host: name, address, why }),
        _ if allowed.is_empty() => {
            Err(FetchError::Unknown { host: name, message: "the name has no address".to_owned() })
        }
        _ => Ok(allowed),
    }
}

async fn connect_tcp(addresses: &[SocketAddr], name: &str, limit: Duration) -> Result<TcpStream, FetchError> {
    let mut last =
        FetchError::Unknown { host: name.to_owned(), message: "the name has no address".to_owned() };
    for address in addresses.iter().take(MOST_ADDRESSES) {
        last = match timeout(limit, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => FetchError::Connect { host: name.to_owned(), message: error.to_string() },
            Err(_) => FetchError::Slow { host: name.to_owned(), what: "take the connection", limit },
        };
    }
    Err(last)
}

async fn http1_handshake<S>(stream: S, name: &str, options: &FetchOptions) -> Result<Sender, FetchError>
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let (sender, connection) = http1::Builder::new()
        .max_buf_size(options.max_header_bytes)
        .max_headers(options.max_headers)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| broken(name, &error))?;
    tokio::spawn(connection);
    Ok(Sender::Http1(sender))
}

async fn http2_handshake<S>(stream: S, name: &str, options: &FetchOptions) -> Result<Sender, FetchError>
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let largest = u32::try_from(options.max_header_bytes).unwrap_or(u32::MAX);
    let (sender, connection) = http2::Builder::new(TokioExecutor::new())
        .max_header_list_size(largest)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| broken(name, &error))?;
    tokio::spawn(connection);
    Ok(Sender::Http2(sender))
}

pub(super) fn broken(name: &str, error: &dyn std::error::Error) -> FetchError {
    FetchError::Broken { host: name.to_owned(), message: whole_message(error) }
}

/// An error with its causes.
pub(super) fn whole_message(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(&format!(": {error}"));
        cause = error.source();
    }
    message
}
