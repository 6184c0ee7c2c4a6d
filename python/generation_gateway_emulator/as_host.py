"""Leads the connections of a Python program that runs behind `--as HOST` to the proxy, also those of libraries that use no proxy, and
makes its libraries trust the authority of the run."""

import json
import os
import re
import sys

# Stands for the proxy whatever the port: of the answer to a name, some libraries take only the address. anyio does, and so httpx in asyncio.
PROXY = "127.103.97.116"
OWN = re.compile(r"^(localhost|.*\.localhost|127(\.\d+){3}|::1|0\.0\.0\.0|::)$")


def place_of(name, told):
    host = name.lower().strip("[]").rstrip(".")
    if host == "" or OWN.match(host):
        return "direct"

    def covers(pattern):
        if pattern.startswith("*."):
            return host.endswith(pattern[1:])
        return host in (pattern, "results." + pattern)

    if any(covers(pattern) for pattern in told["emulated"]):
        return "emulated"
    return "direct" if any(covers(pattern) for pattern in told["allowed"]) else "refused"


def lead_names(socket, told):
    """Names of hosts lead to the proxy. Almost every library asks for the addresses of a name before it connects."""
    plain = socket.getaddrinfo

    def getaddrinfo(host, port, *args, **kwargs):
        name = host.decode() if isinstance(host, (bytes, bytearray)) else host
        place = place_of(name or "", told)
        if place == "direct":
            return plain(host, port, *args, **kwargs)
        if place == "refused":
            with open(told["refused"], "a") as file:
                file.write(f"{name}:{port}\n")
            raise socket.gaierror(socket.EAI_NONAME, f"{name} is refused by gateway-emulator; --allow lets the program reach it")
        kind = kwargs.get("type", args[1] if len(args) > 1 else 0) or socket.SOCK_STREAM
        # On Windows, asyncio connects without `socket.connect`.
        address = "127.0.0.1" if sys.platform == "win32" else PROXY
        return [(socket.AF_INET, kind, socket.IPPROTO_TCP, "", (address, told["port"]))]

    def leading(real):
        def connect(self, address):
            is_led = isinstance(address, tuple) and address[0] == PROXY
            return real(self, ("127.0.0.1", told["port"]) if is_led else address)

        return connect

    socket.getaddrinfo = getaddrinfo
    for name in ("connect", "connect_ex"):
        setattr(socket.socket, name, leading(getattr(socket.socket, name)))


def trust_certifi(certifi, told):
    """Libraries that bring the roots of certifi along name its file themselves."""
    for module in (certifi, sys.modules.get("certifi.core")):
        if module is not None and hasattr(module, "where"):
            module.where = lambda: told["bundle"]


def forget_proxies(request, told):
    """The proxy is for the programs that this one starts: through it, a library would raise other errors than without it."""
    request.getproxies = request.getproxies_environment = dict


def ask_python(resolver, told):
    """aiohttp asks a library of its own for the addresses of names where it is installed."""
    resolver.DefaultResolver = resolver.ThreadedResolver


CHANGES = {
    "socket": lead_names,
    "certifi": trust_certifi,
    "urllib.request": forget_proxies,
    "aiohttp.resolver": ask_python,
}


def lead_program(environment, change_imports):
    """Leads this whole process, for as long as it runs."""
    told = json.loads(environment["GATEWAY_EMULATOR_AS"])
    change_imports({name: lambda module, change=change: change(module, told) for name, change in CHANGES.items()})
