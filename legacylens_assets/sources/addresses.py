"""Which hosts a fetch may talk to: public addresses only, unless private ones are allowed."""

from __future__ import annotations

import ipaddress
import re
import socket
import urllib.request
from urllib.parse import urlsplit

from legacylens_assets.errors import SourceError


def public_addresses(url: str) -> tuple[str, int, tuple[str, ...]]:
    """Return (host, port, addresses) of ``url``; raises SourceError when it does not resolve or any address is not public."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    try:
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
    except ValueError:
        raise SourceError(f"{without_secrets(url)}: the port is no number between 1 and 65535") from None
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise SourceError(f"host {host!r} cannot be resolved: {error}") from error
    addresses = tuple(sorted({str(item[4][0]) for item in found}))
    for address in addresses:
        refuse_private(host, address)
    return host, port, addresses


def refuse_private(host: str, address: str) -> None:
    """Raise SourceError unless ``address`` is a public one.

    >>> refuse_private("example", "93.184.216.34")
    """
    parsed = ipaddress.ip_address(address.split("%")[0])
    inner = getattr(parsed, "ipv4_mapped", None) or getattr(parsed, "sixtofour", None) or parsed
    if not inner.is_global or inner.is_multicast or (inner is parsed and not parsed.is_global):
        raise SourceError(f"host {host!r} has the private or loopback address {address}; set git_allow_private to allow it")


def literal_address(host: str) -> str:
    """Return ``host`` when it is an IP address or a name that always is local, as an address, else "".

    >>> literal_address("127.1"), literal_address("localhost"), literal_address("example.org")
    ('127.0.0.1', '127.0.0.1', '')
    """
    if host.rstrip(".").lower() == "localhost" or host.lower().endswith(".localhost"):
        return "127.0.0.1"
    try:
        return str(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return ""


def goes_through_proxy(url: str) -> bool:
    """Return whether the environment names a proxy for ``url``: the proxy then resolves the host."""
    parts = urlsplit(url)
    proxies = urllib.request.getproxies()
    return bool(proxies.get(parts.scheme) or proxies.get("all")) and not urllib.request.proxy_bypass(parts.hostname or "")


def without_secrets(text: str) -> str:
    """Return ``text`` with the user and password of any URL masked.

    >>> without_secrets("https://me:pw@example.org/x")
    'https://***@example.org/x'
    """
    return re.sub(r"(?<=://)[^/@\s]+@", "***@", text)
