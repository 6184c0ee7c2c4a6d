"""Ties a Python program that `gateway-emulator` runs to its world and to its proxy, then runs the program's own sitecustomize."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def ours(file):
    """A module of the package without the package, whose client would import much of the standard library before the program starts."""
    from importlib.machinery import SourceFileLoader

    path = os.path.join(os.path.dirname(HERE), "generation_gateway_emulator", file + ".py")
    name = "generation_gateway_emulator_" + file
    module = type(sys)(name)
    module.__file__ = path
    sys.modules[name] = module
    exec(SourceFileLoader(name, path).get_code(name), module.__dict__)
    return module


def run_own():
    """The sitecustomize that Python would have run without this one."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or os.curdir) != HERE]
    here = sys.modules.pop("sitecustomize")
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        # Python needs an entry of this name after the import.
        sys.modules.setdefault("sitecustomize", here)


IS_BEHIND_PROXY = bool(os.environ.get("GATEWAY_EMULATOR_AS"))
if os.environ.get("GATEWAY_EMULATOR_URL") and os.environ.get("GATEWAY_EMULATOR_WORLD"):
    try:
        change_imports = ours("imports").change_imports
        if os.environ.get("GATEWAY_EMULATOR_FILES"):
            ours("loaded_files").tell_files(os.environ["GATEWAY_EMULATOR_FILES"])
        if os.environ.get("GATEWAY_EMULATOR_COVERAGE"):
            ours("covered_lines").cover(os.environ["GATEWAY_EMULATOR_COVERAGE"])
        if not (IS_BEHIND_PROXY or os.environ.get("GATEWAY_EMULATOR_FILES")) or os.environ.get("GATEWAY_EMULATOR_TIME") == "virtual":
            ours("virtual_time").tie_program(os.environ, change_imports)
        if IS_BEHIND_PROXY:
            ours("as_host").lead_program(os.environ, change_imports)
    except Exception as error:  # A program must also run where it cannot be tied.
        sys.stderr.write(f"gateway-emulator: {type(error).__name__}: {error}\n")
run_own()
