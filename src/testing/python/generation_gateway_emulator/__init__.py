"""The Generation Gateway emulator, driven from Python with the standard library alone."""

from .client import Emulator, EmulatorError, World, connect
from .explored import Case, ExploreError, explore
from .process import start

__all__ = ["Case", "Emulator", "EmulatorError", "ExploreError", "World", "connect", "explore", "start"]
