//! The encrypted way to a server, as `sslmode` asks for it.

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use postgres::Socket;
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{self, CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// Whom to believe.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Trust {
    /// Anybody: what is sent is encrypted, who reads it is not checked. What `sslmode=require` means to `psql`.
    #[default]
    Anybody,
    /// Whoever has a certificate for its name from a known authority, or from one of this file.
    Verified(Option<PathBuf>),
}

/// Makes connections encrypted.
#[derive(Clone)]
pub(super) struct Tls {
    connector: TlsConnector,
}

impl Tls {
    pub(super) fn new(trust: &Trust) -> Result<Tls, String> {
        let provider = Arc::new(crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?;
        let config = match trust {
            Trust::Anybody => {
                builder.dangerous().with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
            }
            Trust::Verified(file) => builder.with_root_certificates(roots(file.as_deref())?),
        };
        Ok(Tls { connector: TlsConnector::from(Arc::new(config.with_no_client_auth())) })
    }
}

fn roots(file: Option<&Path>) -> Result<RootCertStore, String> {
    let Some(file) = file else {
        return Ok(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() });
    };
    let bad = |error: String| format!("no certificates can be read from {}: {error}", file.display());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| bad(error.to_string()))? {
        let certificate = certificate.map_err(|error| bad(error.to_string()))?;
        roots.add(certificate).map_err(|error| bad(error.to_string()))?;
    }
    if roots.is_empty() { Err(bad("it holds none".into())) } else { Ok(roots) }
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Encrypted;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, domain: &str) -> io::Result<Handshake> {
        Ok(Handshake { connector: self.connector.clone(), domain: domain.to_owned() })
    }
}

/// One connection about to be encrypted.
pub(super) struct Handshake {
    connector: TlsConnector,
    domain: String,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, stream: Socket) -> Self::Future {
        Box::pin(async move {
            let name = ServerName::try_from(self.domain)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
            Ok(Encrypted(self.connector.connect(name, stream).await?))
        })
    }
}

/// An encrypted connection.
pub(super) struct Encrypted(tokio_rustls::client::TlsStream<Socket>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, data)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// Takes every certificate, and still insists that the server has the key that belongs to it.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
