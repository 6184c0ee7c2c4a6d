"""A client of the Generation Gateway emulator for Python, with only the standard library."""

from .client import Emulator, EmulatorError, World, connect
from .explored import Case, ExploreError, explore
from .process import start

__all__ = ["Case", "Emulator", "EmulatorError", "ExploreError", "World", "connect", "explore", "start"]
