//! The secret in the address of the studio: whoever does not know it is not let in.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};

/// Letters of the secret: 128 bits.
const LENGTH: usize = 32;

/// The secret of this user, so that addresses can be bookmarked; a fresh one where it cannot be kept.
pub(super) fn secret() -> Result<String> {
    let Some(path) = place() else { return fresh() };
    if let Some(kept) =
        fs::read_to_string(&path).ok().map(|text| text.trim().to_owned()).filter(|text| is_one(text))
    {
        return Ok(kept);
    }
    let new = fresh()?;
    // Where it cannot be kept it is another one the next time.
    let _ = keep(&path, &new);
    Ok(new)
}

fn keep(path: &PathBuf, secret: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let _ = fs::remove_file(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)?.write_all(secret.as_bytes())
}

/// Where the secret is kept: with what programs remember of their user.
fn place() -> Option<PathBuf> {
    let given = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = given("XDG_STATE_HOME")
        .or_else(|| given("HOME").map(|home| home.join(".local").join("state")))
        .or_else(|| given("LOCALAPPDATA"))?;
    Some(folder.join("unsite").join("studio-secret"))
}

fn fresh() -> Result<String> {
    let mut bytes = [0u8; LENGTH / 2];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow!("{error}"))
        .context("the system gives no random numbers")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn is_one(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_and_never_the_same() {
        let (a, b) = (fresh().unwrap(), fresh().unwrap());
        assert!(is_one(&a) && is_one(&b) && a != b);
        assert!(!is_one("abc") && !is_one(&"g".repeat(LENGTH)));
    }
}
