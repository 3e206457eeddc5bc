"""Names of annotations that not every installation has."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._view import View
else:
    # Python 3.10 has no Unpack, and anywidget may be missing: `typing.get_type_hints` works nevertheless
    Unpack = getattr(typing, "Unpack", typing.Optional)
    View = Any

__all__ = ["Unpack", "View"]
