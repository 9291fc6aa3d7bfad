"""Adapters that come with an installed package, found by its entry points.

A package that ships adapters for its own tool names the folder that holds them:

    [project.entry-points."clawwrap.adapters"]
    parcel = "parcel.adapters"

The folder is found without importing the package: an adapter is data and runs nothing.
"""

from __future__ import annotations

import os
from importlib.metadata import Distribution, EntryPoint, distributions

GROUP = "clawwrap.adapters"


def folders(site: str) -> list[str]:
    """The folders of adapters that the packages installed in `site` bring along."""
    found = {
        folder
        for package in distributions(path=[site])
        for entry in package.entry_points
        if entry.group == GROUP and (folder := _folder(package, entry))
    }
    return sorted(found)


def _folder(package: Distribution, entry: EntryPoint) -> str:
    folder = str(package.locate_file(entry.value.partition(":")[0].replace(".", "/")))
    return folder if os.path.isdir(folder) else ""
