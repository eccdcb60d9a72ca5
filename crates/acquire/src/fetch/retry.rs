//! When to ask again.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

use super::{Exchange, FetchError};

/// The first pause; each further one is twice as long. A restarting server is back after a few seconds.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// No pause of our own is longer.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A server that wants to be left alone for longer is not waited for; `--resume` goes on another day.
pub const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(600);

/// What to do with what came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// It is an answer, good or bad.
    Keep,
    /// Ask again after this pause.
    Again(Duration),
    /// It will not get better soon.
    GiveUp,
}

/// What to do after try number `tries` (the first is 1) of at most `most`.
pub fn advice(result: &Result<Exchange, FetchError>, tries: u32, most: u32) -> Advice {
    let pause = backoff(tries);
    match result {
        Ok(exchange) => {
            let busy = matches!(exchange.status, 429 | 502 | 503 | 504);
            let broken = exchange.truncated.is_some_and(|cut| cut.may_pass());
            if !busy && !broken {
                return Advice::Keep;
            }
            let asked = exchange.header("retry-after").and_then(|value| retry_after(value, exchange.date));
            match asked.filter(|_| busy) {
                Some(asked) if asked > LONGEST_RETRY_AFTER => Advice::GiveUp,
                _ if tries >= most => Advice::Keep,
                Some(asked) => Advice::Again(asked.max(pause)),
                None => Advice::Again(pause),
            }
        }
        Err(error) if error.is_transient() && tries < most => Advice::Again(pause),
        Err(_) => Advice::GiveUp,
    }
}

fn backoff(tries: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(1 << tries.saturating_sub(1).min(16)).min(LONGEST_PAUSE)
}

/// Seconds, or a date.
fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = DateTimeParser::new().parse_timestamp(value).ok()?;
    u64::try_from(date.as_second() - now.as_second()).ok().map(Duration::from_secs).or(Some(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_read_in_both_forms() {
        let now: Timestamp = "2026-11-15T08:00:00Z".parse().unwrap();
        let seconds = |value: &str| retry_after(value, now).map(|wait| wait.as_secs());
        assert_eq!(seconds(" 120 "), Some(120));
        assert_eq!(seconds("Sun, 15 Nov 2026 08:02:00 GMT"), Some(120));
        assert_eq!(seconds("Sun, 15 Nov 2026 07:00:00 GMT"), Some(0));
        assert_eq!(seconds("soon"), None);
        assert_eq!(seconds("-5"), None);
    }

    #[test]
    fn pauses_double_up_to_a_minute() {
        let pauses: Vec<u64> = (1..10).map(|tries| backoff(tries).as_secs()).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(backoff(u32::MAX).as_secs(), 60);
    }
}
