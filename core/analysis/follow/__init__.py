"""Follow a buffer, a variable, a value or an operation through the passes, renames included."""

from core.analysis.follow.trail import Place, Role, Stop, Trail
from core.analysis.follow.walk import follow

__all__ = ["Place", "Role", "Stop", "Trail", "follow"]
