//! One tab, and how a page is rendered in it.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use url::Url;

use super::process::{Failure, Process, answer, receive};
use super::requests::{Request, objection};
use super::snapshot::Snapshot;
use super::{Document, Rendered, WINDOW_HEIGHT, WINDOW_WIDTH};

/// How long a command that does no work may take.
const PROMPTLY: Duration = Duration::from_secs(10);

/// How long the snapshot may take after the page's own time is over.
const SNAPSHOT_TIME: Duration = Duration::from_secs(10);

/// The page counts as finished when it has not changed for this long after the network has gone quiet.
const STILL: Duration = Duration::from_millis(250);

/// Documents that a page may load in its own place: pages forward by script once or twice, loops go on for ever.
const MAX_FORWARDS: usize = 5;

/// A number that changes when the page does.
const CHANGE: &str = "(document.body ? document.body.innerText.length : 0) * 100000 + \
                      document.getElementsByTagName('*').length";

/// A tab.
pub(super) struct Tab {
    process: Arc<Process>,
    target: String,
    session: String,
    messages: Receiver<Value>,
    /// Of the page that is being rendered.
    page: Page,
}

/// What is known of the page that is being rendered.
#[derive(Default)]
struct Page {
    url: Option<Url>,
    /// What the site answered, until the browser has asked for it.
    document: Option<Value>,
    frame: String,
    /// The load that counts: the last one of the page's own frame.
    loader: String,
    quiet: bool,
    forwards: usize,
    crashed: bool,
    blocked: usize,
}

impl Tab {
    /// Opens a tab.
    pub(super) fn open(process: Arc<Process>) -> Result<Tab, Failure> {
        let opened = process.call("Target.createTarget", json!({"url": "about:blank"}), PROMPTLY)?;
        let target = text(&opened["targetId"]);
        let attach = json!({"targetId": target, "flatten": true});
        let session = text(&process.call("Target.attachToTarget", attach, PROMPTLY)?["sessionId"]);
        let messages = process.listen(&session);
        let mut tab = Tab { process, target: target.clone(), session, messages, page: Page::default() };
        tab.page.frame = target;
        let window = json!({
            "width": WINDOW_WIDTH, "height": WINDOW_HEIGHT, "deviceScaleFactor": 1, "mobile": false
        });
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Inspector.enable", json!({})),
            ("Page.setLifecycleEventsEnabled", json!({"enabled": true})),
            ("Network.enable", json!({})),
            ("Network.setBypassServiceWorker", json!({"bypass": true})),
            ("Fetch.enable", json!({"patterns": [{"urlPattern": "*"}]})),
            ("DOMSnapshot.enable", json!({})),
            ("Emulation.setDeviceMetricsOverride", window),
            ("Browser.setDownloadBehavior", json!({"behavior": "deny"})),
        ] {
            tab.call(method, params, Instant::now() + PROMPTLY)?;
        }
        Ok(tab)
    }

    /// Renders one page: the document that was fetched is handed to the browser, which asks the network only for the rest.
    pub(super) fn render(&mut self, document: &Document<'_>, limit: Duration) -> Result<Rendered, Failure> {
        let end = Instant::now() + limit;
        self.page = Page {
            url: Url::parse(document.url).ok(),
            document: Some(fulfilment(document)),
            frame: std::mem::take(&mut self.page.frame),
            ..Page::default()
        };
        let navigated = self.call("Page.navigate", json!({"url": document.url}), end)?;
        if let Some(error) = navigated["errorText"].as_str() {
            return Err(Failure::Refused(error.to_owned()));
        }
        let finished = match self.wait_until_still(end) {
            Ok(()) => true,
            Err(Failure::Late) => false,
            Err(failure) => return Err(failure),
        };
        let asked = json!({"computedStyles": []});
        let grace = Instant::now() + SNAPSHOT_TIME;
        let snapshot = self.call("DOMSnapshot.captureSnapshot", asked, grace)?;
        let snapshot: Snapshot = serde_json::from_value(snapshot)
            .map_err(|error| Failure::Refused(format!("the snapshot cannot be read: {error}")))?;
        let (html, layout) = snapshot.write(WINDOW_WIDTH);
        Ok(Rendered { html, layout, finished, blocked: self.page.blocked })
    }

    /// Ends the tab's own process, which may be deaf.
    pub(super) fn crash(&self) {
        let _ = self.process.send(&self.session, "Page.crash", json!({}));
    }

    /// Whether the browser has ended.
    pub(super) fn is_gone(&self) -> bool {
        self.process.is_gone()
    }

    /// Waits until the network is quiet and the page does not change any more.
    fn wait_until_still(&mut self, end: Instant) -> Result<(), Failure> {
        while !self.page.quiet {
            self.step(end)?;
        }
        let mut before = self.change(end)?;
        loop {
            self.pass(Instant::now() + STILL, end)?;
            let now = self.change(end)?;
            if now == before {
                return Ok(());
            }
            before = now;
        }
    }

    fn change(&mut self, end: Instant) -> Result<Value, Failure> {
        let params = json!({"expression": CHANGE, "returnByValue": true});
        Ok(self.call("Runtime.evaluate", params, end)?["result"]["value"].take())
    }

    /// Handles events until a moment; late if that is after the end.
    fn pass(&mut self, until: Instant, end: Instant) -> Result<(), Failure> {
        loop {
            match self.step(until.min(end)) {
                Ok(()) => {}
                Err(Failure::Late) if until <= end => return Ok(()),
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Sends a command and handles events until it is answered.
    fn call(&mut self, method: &str, params: Value, end: Instant) -> Result<Value, Failure> {
        let id = self.process.send(&self.session, method, params)?;
        loop {
            let message = receive(&self.messages, end)?;
            if message["id"] == id {
                return answer(message);
            }
            self.handle(&message)?;
        }
    }

    fn step(&mut self, end: Instant) -> Result<(), Failure> {
        let message = receive(&self.messages, end)?;
        self.handle(&message)
    }

    fn handle(&mut self, message: &Value) -> Result<(), Failure> {
        let params = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "Fetch.requestPaused" => self.decide(params)?,
            "Page.javascriptDialogOpening" => {
                let accept = params["type"] == "beforeunload";
                self.process.send(&self.session, "Page.handleJavaScriptDialog", json!({"accept": accept}))?;
            }
            "Page.lifecycleEvent" if params["frameId"] == self.page.frame.as_str() => {
                match params["name"].as_str().unwrap_or_default() {
                    // The empty page that a tab starts with goes quiet too.
                    "init" if self.page.document.is_none() => {
                        self.page.loader = text(&params["loaderId"]);
                        self.page.quiet = false;
                    }
                    "networkIdle" if params["loaderId"] == self.page.loader.as_str() => {
                        self.page.quiet = true
                    }
                    _ => {}
                }
            }
            "Inspector.targetCrashed" | "Target.detachedFromTarget" => self.page.crashed = true,
            _ => {}
        }
        if self.page.crashed { Err(Failure::Gone) } else { Ok(()) }
    }

    /// Lets a request through, answers it, or fails it.
    fn decide(&mut self, params: &Value) -> Result<(), Failure> {
        let id = &params["requestId"];
        let kind = params["resourceType"].as_str().unwrap_or_default();
        let is_page = kind == "Document" && params["frameId"] == self.page.frame.as_str();
        if is_page && let Some(mut answer) = self.page.document.take() {
            answer["requestId"] = id.clone();
            return self.process.send(&self.session, "Fetch.fulfillRequest", answer).map(drop);
        }
        self.page.forwards += usize::from(is_page);
        let request = Request { url: params["request"]["url"].as_str().unwrap_or_default(), kind, is_page };
        let objects = self.page.forwards > MAX_FORWARDS
            || self.page.url.as_ref().is_none_or(|page| objection(&request, page).is_some());
        if objects {
            self.page.blocked += 1;
            // A page whose way elsewhere is aborted stays; one that is blocked would be replaced by a message.
            let reason = if is_page { "Aborted" } else { "BlockedByClient" };
            let params = json!({"requestId": id, "errorReason": reason});
            self.process.send(&self.session, "Fetch.failRequest", params).map(drop)
        } else {
            self.process.send(&self.session, "Fetch.continueRequest", json!({"requestId": id})).map(drop)
        }
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.process.forget(&self.session);
        // Not waited for: a tab that hangs is closed by the browser all the same, and one that is gone is gone.
        let _ = self.process.send("", "Target.closeTarget", json!({"targetId": self.target}));
    }
}

/// The answer of the site as the browser wants it.
fn fulfilment(document: &Document<'_>) -> Value {
    let headers: Vec<Value> = document
        .headers
        .iter()
        .filter(|(name, _)| !dropped(name))
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect();
    json!({"responseCode": document.status, "responseHeaders": headers, "body": base64(document.body)})
}

/// Header fields that are about the transport, which is over.
fn dropped(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["content-encoding", "transfer-encoding", "content-length", "connection"].contains(&name.as_str())
}

/// Bytes as base64 (RFC 4648 §4).
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_the_rfc() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(&[0xff, 0xef, 0xbe]), "/+++");
    }
}
