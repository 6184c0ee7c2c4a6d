"""The Generation Gateway emulator, driven from Python with the standard library alone."""

from .client import Emulator, EmulatorError, World, connect
from .process import start

__all__ = ["Emulator", "EmulatorError", "World", "connect", "start"]
