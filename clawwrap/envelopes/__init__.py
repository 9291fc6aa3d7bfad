"""The shapes in which an outcome goes over the wire, by name."""

from clawwrap.envelopes import response

SHAPES = {response.NAME: response}
