import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
pytest_plugins = ["pytester", "generation_gateway_emulator.plugin"]
