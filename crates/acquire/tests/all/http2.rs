//! HTTP/2 and the content encodings over TLS, against hyper's own server.
//!
//! The certificates in `tls/` were made for these tests alone; the root's key was thrown away.

use std::convert::Infallible;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper::{Request as HttpRequest, Response, body::Incoming};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto};
use unsite_acquire::fetch::{FetchError, FetchOptions, Fetcher, Protocol, Request, Stop};
use url::Url;

const PAGE: &str = "<title>Päge</title><p>the same however it is packed";

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "tls", name].iter().collect()
}

/// A server that speaks what `protocols` say.
fn serve(runtime: &Runtime, protocols: &[&[u8]]) -> SocketAddr {
    let certificates =
        CertificateDer::pem_file_iter(file("server.pem")).unwrap().map(Result::unwrap).collect();
    let key = PrivateKeyDer::from_pem_file(file("server-key.pem")).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .unwrap();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                let (stream, service) = (TokioIo::new(stream), service_fn(answer));
                if is_http2 {
                    let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                        .serve_connection(stream, service)
                        .await;
                } else {
                    let _ =
                        hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await;
                }
            });
        }
    });
    address
}

async fn answer(request: HttpRequest<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let encoding = request.uri().path().trim_start_matches('/').to_owned();
    let body = match encoding.as_str() {
        "gzip" => {
            let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            out.write_all(PAGE.as_bytes()).unwrap();
            out.finish().unwrap()
        }
        "br" => {
            let mut out = Vec::new();
            brotli::CompressorWriter::new(&mut out, 4096, 5, 22).write_all(PAGE.as_bytes()).unwrap();
            out
        }
        "zstd" => zstd::encode_all(PAGE.as_bytes(), 3).unwrap(),
        _ => PAGE.as_bytes().to_vec(),
    };
    let response = Response::builder().header("content-type", "text/html; charset=utf-8");
    let response = if encoding == "plain" { response } else { response.header("content-encoding", encoding) };
    Ok(response.body(Full::new(Bytes::from(body))).unwrap())
}

fn fetcher(ca_certificates: Option<PathBuf>) -> Fetcher {
    let options = FetchOptions {
        allow_private: true,
        delay: Duration::ZERO,
        ca_certificates,
        ..FetchOptions::default()
    };
    Fetcher::new(options, Stop::default()).unwrap()
}

#[test]
fn both_protocols_and_every_encoding() {
    let runtime = Runtime::new().unwrap();
    let fetcher = fetcher(Some(file("root.pem")));
    for (protocols, wanted) in
        [(&[&b"h2"[..], b"http/1.1"][..], Protocol::Http2), (&[&b"http/1.1"[..]], Protocol::Http1)]
    {
        let address = serve(&runtime, protocols);
        for encoding in ["plain", "gzip", "br", "zstd"] {
            let url = Url::parse(&format!("https://localhost:{}/{encoding}", address.port())).unwrap();
            let exchange = fetcher.exchange(&Request::get(url)).unwrap();
            assert_eq!((exchange.status, exchange.protocol), (200, wanted));
            assert_eq!(String::from_utf8(exchange.decoded(1 << 20).bytes).unwrap(), PAGE, "{encoding}");
            assert_eq!(exchange.decoded(10).bytes.len(), 10);
            assert!(exchange.response_head().starts_with(b"HTTP/1.1 200 OK\r\n"));
        }
    }
}

#[test]
fn strangers_are_not_trusted() {
    let runtime = Runtime::new().unwrap();
    let address = serve(&runtime, &[b"h2"]);
    let url = Url::parse(&format!("https://localhost:{}/plain", address.port())).unwrap();
    let error = fetcher(None).exchange(&Request::get(url)).unwrap_err();
    assert!(
        matches!(&error, FetchError::Connect { message, .. } if message.contains("certificate")),
        "{error}"
    );
    let missing =
        FetchOptions { ca_certificates: Some("no-such-file.pem".into()), ..FetchOptions::default() };
    assert!(Fetcher::new(missing, Stop::default()).is_err());
}
