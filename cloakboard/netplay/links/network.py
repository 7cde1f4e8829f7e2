"""Opening the way to other machines, the one part of Cloakboard that may be missing."""

from __future__ import annotations

from collections.abc import Sequence

from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.links.near import Near
from cloakboard.netplay.links.transport import Patience, Transport
from cloakboard.netplay.settings import PUBLIC_RELAYS


class NetworkMissing(NetplayError):
    """iroh is not installed, or does not load on this machine."""


async def open_network(
    secret: bytes,
    port: int | None = None,
    local: bool = False,
    relays: Sequence[str] = (PUBLIC_RELAYS,),
    patience: Patience | None = None,
    near: Near | None = None,
) -> Transport:
    """This machine's transport, for the running event loop; see `IrohTransport.open`.

    iroh is loaded here and not before, so the program starts without it. Raises
    `NetworkMissing` if it cannot be loaded.
    """
    try:
        from cloakboard.netplay.links.iroh_transport import IrohTransport
    except (ImportError, OSError, AttributeError) as error:
        raise NetworkMissing(
            "playing with other machines needs the package iroh, which does not load here "
            f"({error}); games on this machine work without it"
        ) from error
    return await IrohTransport.open(secret, port, local, relays, patience, near)
