//! When a page was captured, to the second, as archives tell it.

use std::fmt;

/// The digits of a Wayback time stamp: `20190102030405`.
const STAMP_DIGITS: usize = 14;

/// Numbers above this are milliseconds: as seconds they would lie beyond the year 5000.
const MILLISECONDS_ABOVE: u64 = 100_000_000_000;

const SECONDS_A_DAY: i64 = 86_400;

/// A second of the calendar, in UTC. Its text, `2019-01-02T03:04:05Z`, sorts as time does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

impl Moment {
    /// Seconds since 1970, or milliseconds where the number is too large for seconds.
    pub fn from_unix(number: i64) -> Option<Moment> {
        let seconds =
            if number.unsigned_abs() > MILLISECONDS_ABOVE { number.div_euclid(1000) } else { number };
        // The calendar of archives has years of four digits.
        (days_of(1, 1, 1)? * SECONDS_A_DAY..days_of(9999, 12, 31)? * SECONDS_A_DAY + SECONDS_A_DAY)
            .contains(&seconds)
            .then_some(Moment(seconds))
    }

    /// Seconds since 1970.
    pub fn unix(self) -> i64 {
        self.0
    }

    /// Reads `2019-01-02T03:04:05Z` with any fraction and offset, `2019-01-02 03:04:05`, `2019-01-02`, or the fourteen
    /// digits of Wayback. Without an offset it is UTC.
    ///
    /// ```
    /// use unsite_dom::Moment;
    /// let moment = Moment::parse("2019-01-02T04:04:05.25+01:00").unwrap();
    /// assert_eq!(moment.to_string(), "2019-01-02T03:04:05Z");
    /// assert_eq!(Moment::parse("20190102030405"), Some(moment));
    /// assert_eq!(Moment::parse("last week"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Moment> {
        let text = text.trim();
        if text.len() == STAMP_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = |from: usize, to: usize| text[from..to].parse::<i64>().ok();
            let day = days_of(number(0, 4)?, number(4, 6)?, number(6, 8)?)?;
            return Some(Moment(
                day * SECONDS_A_DAY + time_of(number(8, 10)?, number(10, 12)?, number(12, 14)?)?,
            ));
        }
        let (date, rest) = text.split_at_checked("2019-01-02".len())?;
        let day = day(date)?;
        if rest.is_empty() {
            return Some(Moment(day * SECONDS_A_DAY));
        }
        let rest = rest.strip_prefix(['T', 't', ' '])?;
        let (time, zone) = rest.split_at_checked("03:04:05".len())?;
        let mut parts = time.split(':').map(digits::<2>);
        let time = time_of(parts.next()??, parts.next()??, parts.next()??)?;
        let zone = zone
            .strip_prefix('.')
            .map_or(zone, |fraction| fraction.trim_start_matches(|c: char| c.is_ascii_digit()));
        Some(Moment(day * SECONDS_A_DAY + time - offset(zone)?))
    }

    /// The day alone: `2019-01-02`.
    pub fn day(self) -> String {
        let (year, month, day) = civil(self.0.div_euclid(SECONDS_A_DAY));
        format!("{year:04}-{month:02}-{day:02}")
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.0.rem_euclid(SECONDS_A_DAY);
        write!(f, "{}T{:02}:{:02}:{:02}Z", self.day(), time / 3600, time / 60 % 60, time % 60)
    }
}

/// So many digits and nothing else.
fn digits<const COUNT: usize>(text: &str) -> Option<i64> {
    let plain = text.len() == COUNT && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

fn day(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    days_of(digits::<4>(year)?, digits::<2>(month)?, digits::<2>(day)?)
}

fn time_of(hour: i64, minute: i64, second: i64) -> Option<i64> {
    // A leap second is the last one of its minute.
    (hour < 24 && minute < 60 && second <= 60).then(|| hour * 3600 + minute * 60 + second.min(59))
}

/// Seconds that a zone is ahead of UTC.
fn offset(zone: &str) -> Option<i64> {
    let zone = zone.trim();
    if matches!(zone, "" | "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) = match zone.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let rest: String = rest.chars().filter(|c| *c != ':').collect();
    let (hours, minutes) = rest.split_at_checked(2)?;
    let minutes = if minutes.is_empty() { 0 } else { digits::<2>(minutes)? };
    Some(sign * time_of(digits::<2>(hours)?, minutes, 0)?)
}

/// Days since 1970-01-01 of a day that there is, counted in eras of 400 years that begin in March.
fn days_of(year: i64, month: i64, day: i64) -> Option<i64> {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let is_day = (1..=9999).contains(&year) && (1..=12).contains(&month) && day >= 1;
    (is_day && civil(days) == (year, month, day)).then_some(days)
}

/// The day that is so many days after 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_one_second() {
        let wanted = Moment(1_546_398_245);
        for text in [
            "2019-01-02T03:04:05Z",
            "2019-01-02t03:04:05.999z",
            "2019-01-02 03:04:05",
            "2019-01-02T03:04:05+00:00",
            "2019-01-01T22:34:05-0430",
            "2019-01-02T05:04:05+02",
            " 20190102030405 ",
        ] {
            assert_eq!(Moment::parse(text), Some(wanted), "{text}");
        }
        assert_eq!(wanted.to_string(), "2019-01-02T03:04:05Z");
        assert_eq!(Moment::from_unix(1_546_398_245_123), Some(wanted));
        assert_eq!(Moment::parse("2019-01-02").unwrap().to_string(), "2019-01-02T00:00:00Z");
    }

    #[test]
    fn what_is_no_moment() {
        for text in [
            "",
            "2019",
            "2019-1-2",
            "2019-02-30",
            "2019-13-01",
            "2019-00-01",
            "2019-01-02T25:00:00Z",
            "2019-01-02Tx",
            "2019-01-02T03:04:05 o'clock",
            "20190230000000",
            "20190102250000",
            "0000-01-01",
            "2019-01-02T03:04:05+99:00",
            "２０１９-01-02",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
        assert_eq!(Moment::from_unix(i64::MAX), None);
        assert_eq!(Moment::from_unix(i64::MIN), None);
    }

    #[test]
    fn every_day_is_read_as_it_is_written() {
        for days in (-719_162..2_932_896).step_by(97) {
            let moment = Moment(days * SECONDS_A_DAY + 12_345);
            assert_eq!(Moment::parse(&moment.to_string()), Some(moment));
        }
    }
}
