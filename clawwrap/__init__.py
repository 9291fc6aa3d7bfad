"""clawwrap: run any command, get one envelope and one exit code an agent can act on."""

__version__ = "0.1.0"
