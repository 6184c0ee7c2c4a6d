"""Builds the package with only the standard library (PEP 517, PEP 660), so that `pip install PATH` needs no index and no setuptools."""

import base64
import hashlib
import io
import pathlib
import re
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = "generation_gateway_emulator"
PROJECT = (HERE / "pyproject.toml").read_text(encoding="utf-8")
# The same time for all files, so that equal sources give equal archives.
MOMENT = (1980, 1, 1, 0, 0, 0)


def field(name):
    """A text of the table `project`. tomllib came with Python 3.11, so the few lines are read by a pattern."""
    return re.search(rf'^{name} = "([^"]*)"$', PROJECT, re.MULTILINE).group(1)


NAME = field("name").replace("-", "_")
VERSION = field("version")
METADATA = f"""Metadata-Version: 2.1
Name: {field("name")}
Version: {VERSION}
Summary: {field("description")}
License: MIT
Requires-Python: {field("requires-python")}
Classifier: Framework :: Pytest
Classifier: Typing :: Typed
Project-URL: Repository, {field("Repository")}
Description-Content-Type: text/markdown

{(HERE / "README.md").read_text(encoding="utf-8")}"""
WHEEL = "Wheel-Version: 1.0\nGenerator: generation-gateway-emulator\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
# The plugin has the name of its module, so that pytest loads it once, also when `-p` names it as well.
ENTRY_POINTS = f"[pytest11]\n{PACKAGE}.plugin = {PACKAGE}.plugin\n"


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel


def sources_of():
    """The modules of the package, and the mark that says that they have type hints."""
    return [*sorted((HERE / PACKAGE).glob("*.py")), HERE / PACKAGE / "py.typed"]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    sources = {f"{PACKAGE}/{path.name}": path.read_bytes() for path in sources_of()}
    return write_wheel(wheel_directory, sources)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that contains only the path of this folder."""
    return write_wheel(wheel_directory, {f"{NAME}.pth": f"{HERE}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    root = f"{NAME}-{VERSION}"
    files = [HERE / "pyproject.toml", HERE / "README.md", HERE / "build_backend.py", *sources_of()]
    with tarfile.open(pathlib.Path(sdist_directory) / f"{root}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in files:
            archive.add(path, f"{root}/{path.relative_to(HERE).as_posix()}")
        info = tarfile.TarInfo(f"{root}/PKG-INFO")
        info.size = len(METADATA.encode())
        archive.addfile(info, io.BytesIO(METADATA.encode()))
    return f"{root}.tar.gz"


def write_wheel(folder, sources):
    info = f"{NAME}-{VERSION}.dist-info"
    files = {
        **sources,
        f"{info}/METADATA": METADATA.encode(),
        f"{info}/WHEEL": WHEEL.encode(),
        f"{info}/entry_points.txt": ENTRY_POINTS.encode(),
    }
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, MOMENT)
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    return name


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
