"""Play between machines: identity, transport, transcript, the veil over what is hidden, audit."""
