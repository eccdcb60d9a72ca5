//! Which addresses a crawl may talk to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address is not one of the public internet; `None` where it is.
///
/// Loopback, private, link-local (cloud metadata services live there), shared, multicast, documentation and reserved
/// ranges are refused, and so are IPv4 addresses dressed as IPv6 ones.
pub fn why_not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => why_not_public_v4(address),
        IpAddr::V6(address) => why_not_public_v6(address),
    }
}

fn why_not_public_v4(address: Ipv4Addr) -> Option<&'static str> {
    let [a, b, c, _] = address.octets();
    match (a, b, c) {
        (0, ..) => Some("this host"),
        (127, ..) => Some("loopback"),
        (10, ..) | (192, 168, _) => Some("private"),
        (172, 16..=31, _) => Some("private"),
        (169, 254, _) => Some("link-local, where cloud metadata is served"),
        (100, 64..=127, _) => Some("shared by a provider"),
        (192, 0, 0 | 2) | (198, 51, 100) | (203, 0, 113) | (192, 88, 99) => Some("reserved"),
        (198, 18..=19, _) => Some("reserved for measurements"),
        (224..=239, ..) => Some("multicast"),
        (240..=255, ..) => Some("reserved"),
        _ => None,
    }
}

fn why_not_public_v6(address: Ipv6Addr) -> Option<&'static str> {
    if let Some(inner) = embedded_v4(address) {
        return why_not_public_v4(inner);
    }
    let first = address.segments()[0];
    if address.is_loopback() {
        return Some("loopback");
    }
    match first {
        0xfe80..=0xfebf => Some("link-local"),
        0xfec0..=0xfeff | 0xfc00..=0xfdff => Some("private"),
        0xff00..=0xffff => Some("multicast"),
        0x2001 if address.segments()[1] == 0xdb8 => Some("reserved"),
        // Only 2000::/3 is handed out as public.
        0x2000..=0x3fff => None,
        _ => Some("reserved"),
    }
}

/// The IPv4 address inside a mapped, compatible, NAT64 (`64:ff9b::/96`), 6to4 or Teredo address.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let parts = address.segments();
    let join = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match parts {
        [0, 0, 0, 0, 0, 0xffff, high, low] => Some(join(high, low)),
        [0, 0, 0, 0, 0, 0, high, low] if (high, low) > (0, 1) => Some(join(high, low)),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(join(high, low)),
        [0x2002, high, low, ..] => Some(join(high, low)),
        // Teredo hides the client's address by turning its bits over.
        [0x2001, 0, _, _, _, _, high, low] => Some(join(!high, !low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> bool {
        why_not_public(text.parse().unwrap()).is_some()
    }

    #[test]
    fn what_is_not_public_is_refused() {
        for address in [
            "127.0.0.1",
            "127.255.1.2",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "198.18.0.1",
            "192.0.2.1",
            "224.0.0.1",
            "255.255.255.255",
            "240.0.0.1",
            "::",
            "::1",
            "fe80::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "2001:db8::1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::7f00:1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2001:0:1:2:3:4:80ff:fffe",
            "100::1",
            "4000::1",
        ] {
            assert!(refused(address), "{address}");
        }
    }

    #[test]
    fn what_is_public_is_allowed() {
        for address in
            ["1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::101:101"]
        {
            assert!(!refused(address), "{address}");
        }
    }
}
