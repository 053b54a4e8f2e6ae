//! The addresses of the server, as a browser on another device needs them.

use crate::names::{HostName, host_text};
use std::io;
use std::net::{IpAddr, SocketAddr};

/// Returns the origins at which a browser reaches the server: the proxy, then one for each
/// address of this machine, those that only this machine reaches last.
///
/// # Errors
///
/// Returns an error if the system does not tell its addresses.
pub fn origins(listening: SocketAddr, proxy: Option<&HostName>) -> io::Result<Vec<String>> {
    let addresses = if listening.ip().is_unspecified() {
        let interfaces = if_addrs::get_if_addrs()?;
        let addresses = interfaces.iter().map(if_addrs::Interface::ip);
        reached(listening.ip(), addresses.collect())
    } else {
        vec![listening.ip()]
    };
    let port = match listening.port() {
        80 => String::new(),
        port => format!(":{port}"),
    };
    let own = addresses
        .iter()
        .map(|address| format!("http://{}{port}", host_text(*address)));
    let proxy = proxy.map(|name| format!("https://{name}"));
    Ok(proxy.into_iter().chain(own).collect())
}

/// Returns the addresses of the interfaces that a server at `0.0.0.0` or `[::]` answers at.
fn reached(listening: IpAddr, mut interfaces: Vec<IpAddr>) -> Vec<IpAddr> {
    interfaces.retain(|address| match address {
        IpAddr::V4(_) => true,
        // A link-local address needs the name of an interface, which no browser takes.
        IpAddr::V6(address) => listening.is_ipv6() && !address.is_unicast_link_local(),
    });
    // Addresses of the fourth version are short, and known to every device.
    interfaces.sort_by_key(|address| (address.is_loopback(), address.is_ipv6()));
    interfaces.dedup();
    interfaces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(texts: &[&str]) -> Vec<IpAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn every_interface_has_an_address_and_the_one_for_other_devices_comes_first() {
        let interfaces = [
            "127.0.0.1",
            "::1",
            "fd00::2",
            "fe80::1",
            "192.168.1.5",
            "10.0.0.1",
        ];
        let all = reached("::".parse().unwrap(), parsed(&interfaces));
        let expected = ["192.168.1.5", "10.0.0.1", "fd00::2", "127.0.0.1", "::1"];
        assert_eq!(all, parsed(&expected));
        let fourth = reached("0.0.0.0".parse().unwrap(), parsed(&interfaces));
        assert_eq!(fourth, parsed(&["192.168.1.5", "10.0.0.1", "127.0.0.1"]));
    }

    #[test]
    fn an_origin_is_written_as_browsers_write_it() {
        let proxy = "anqi.example.org".parse().unwrap();
        let origins = |listening: &str, proxy| {
            origins(listening.parse().unwrap(), proxy).expect("no interface is asked")
        };
        assert_eq!(
            origins("127.0.0.1:8080", Some(&proxy)),
            ["https://anqi.example.org", "http://127.0.0.1:8080"]
        );
        assert_eq!(origins("[fd00::2]:80", None), ["http://[fd00::2]"]);
    }
}
