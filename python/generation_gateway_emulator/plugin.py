"""The pytest plugin: fixtures `gateway` and `world`, the marks `gateway` and `gateway_explore`, and the stories of a failed test's tasks."""

import itertools
import os
import re
import sys
import uuid

import pytest

from .client import EmulatorError, connect
from .explored import cases_of, left_out, report_of
from .process import start
from .virtual_time import tied

MARK = (
    "gateway(clock=, seed=, now=, scenario=): how the world of a test opens. clock: auto (default), manual, realtime or 60x; "
    "scenario: a name, a file, a YAML text, a document, or a list of them"
)
EXPLORE_MARK = (
    "gateway_explore(only=, skip=, limit=, ...): run the test undisturbed, then once for each thing that can go wrong with each of "
    "its calls, each as a test of its own; the options are those of generation_gateway_emulator.explore, and command= or system= explores that instead"
)
OPTIONS = ("clock", "seed", "now", "scenario")
MOST_STORIES = 5
WARNING = "gateway_warning"
STASH = pytest.StashKey()


def pytest_addoption(parser):
    group = parser.getgroup("generation gateway")
    group.addoption("--gateway-url", help="use the emulator there (also: GATEWAY_EMULATOR_URL) instead of starting one")


def pytest_configure(config):
    config.addinivalue_line("markers", MARK)
    config.addinivalue_line("markers", EXPLORE_MARK)
    config.pluginmanager.register(Warnings(config))


def pytest_generate_tests(metafunc):
    """Explores a marked test while tests are collected, because its cases become tests. Inside a run of explore it is a normal test."""
    mark = metafunc.definition.get_closest_marker("gateway_explore")
    if mark is None or "GATEWAY_EMULATOR_CASE" in os.environ:
        return
    metafunc.fixturenames.append("gateway_case")
    if metafunc.config.option.collectonly:
        metafunc.parametrize("gateway_case", [pytest.param(None, id="cases are known when it runs")])
        return
    itself = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", metafunc.definition.nodeid]
    driven = {} if "system" in mark.kwargs else {"command": itself}
    report = report_of(**{**driven, "cwd": str(metafunc.config.rootpath), **mark.kwargs})
    cases = [pytest.param(case, id=str(case)) for case in cases_of(report)]
    cases += [pytest.param(None, id=title, marks=pytest.mark.skip(reason=f"not tried: {reason}")) for title, reason in left_out(report)]
    metafunc.parametrize("gateway_case", cases)


def pytest_itemcollected(item):
    """The case of an explored test has already run, with its fixtures. Its check needs none, such as an emulator of its own."""
    if case_of(item):
        item.fixturenames = []


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """The case of an explored test has already run; this only checks its result."""
    case = case_of(pyfuncitem)
    if not case:
        return None
    warning = case.check()
    if warning:
        pyfuncitem.user_properties.append((WARNING, warning))
    return True


class Warnings:
    """Prints under each explored test what its program did wrong without failing."""

    def __init__(self, config):
        self.config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report):
        found = [text for name, text in report.user_properties if name == WARNING]
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if report.when == "call" and found and terminal:
            terminal.ensure_newline()
            for text in found:
                terminal.write_line(f"{report.nodeid}: {text}", yellow=True)


def case_of(item):
    """The case that a test checks; None for a test that is not explored."""
    spec = getattr(item, "callspec", None)
    return spec and spec.params.get("gateway_case")


@pytest.fixture(scope="session")
def gateway(request):
    """The emulator that the tests of a run share: a running one, else a new one on a free port."""
    url = request.config.getoption("--gateway-url") or os.environ.get("GATEWAY_EMULATOR_URL")
    with connect(url) if url else start() as emulator:
        emulator.health()
        yield emulator


@pytest.fixture
def world(request, gateway):
    """A world of the test's own. Its clock is `auto` unless the mark `gateway` says otherwise.

    Under `gateway-emulator explore` it is the world of the case, whose clock, seed and scenarios explore decides.
    """
    options = marked(request.node)
    named = os.environ.get("GATEWAY_EMULATOR_WORLD")
    if named:
        yield gateway.world_named(named)
        return
    opened = gateway.open_world(
        f"test-{uuid.uuid4().hex[:8]}",
        clock=options.get("clock", "auto"),
        seed=options.get("seed"),
        now=options.get("now"),
        scenarios=listed(options.get("scenario")),
    )
    request.node.stash[STASH] = opened
    yield opened
    opened.drop()


@pytest.fixture
def virtual_sleep(world):
    """During the test, sleeps and waits (`time`, asyncio, threads, time-outs of sockets) move the world's clock and return at once.
    For a world with a manual clock."""
    with tied(world.control_url):
        yield


def marked(node):
    """The options of all marks `gateway` on a test; the nearest mark is used first."""
    options = {}
    for mark in reversed(list(node.iter_markers("gateway"))):
        unknown = [name for name in mark.kwargs if name not in OPTIONS]
        if unknown or mark.args:
            wrong = ", ".join(unknown) or repr(mark.args[0])
            raise pytest.UsageError(f"The mark gateway knows {', '.join(OPTIONS)} by name, not {wrong}")
        options.update(mark.kwargs)
    return options


def listed(scenario):
    if scenario is None:
        return None
    return list(scenario) if isinstance(scenario, (list, tuple)) else [scenario]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    opened = item.stash.get(STASH, None)
    if report.when == "call" and report.failed and opened is not None:
        path = traced(opened, item.name)
        shown = f"{told(opened)}\n\nTrace: {path}" if path else told(opened)
        report.sections.append((f"Generation Gateway, world {opened.id}", shown))
        link_to(report, path)


def traced(opened, name):
    """Writes the run of a failed test as a page that needs no network, and returns its path; None when nothing reached the world.

    GATEWAY_EMULATOR_TRACES names another folder than gateway-traces; "off" writes none."""
    folder = os.environ.get("GATEWAY_EMULATOR_TRACES", "gateway-traces")
    try:
        if folder == "off" or not opened.requests(limit=1):
            return None
        os.makedirs(folder, exist_ok=True)
        words = re.findall("[a-z0-9]+", name.lower())
        path = os.path.join(folder, f"{'-'.join(words)[:80] or 'test'}-{opened.id}.html")
        opened.trace(out=path)
        return path
    except (EmulatorError, OSError) as error:
        return f"none: {error}"


def link_to(report, path):
    """A link in the report of pytest-html, where that is installed."""
    if not path or not path.endswith(".html"):
        return
    try:
        from pytest_html import extras
    except ImportError:
        return
    report.extras = [*getattr(report, "extras", []), extras.url(os.path.abspath(path), name="trace")]


def told(opened):
    """The last requests, and the stories of the newest tasks, oldest first."""
    try:
        lines = lines_of(opened)
        requests = "\n".join(["Last requests:", *lines]) if lines else strangers(opened)
        stories = [f"{task['id']}\n{opened.story(task['id'])}" for task in opened.tasks()[:MOST_STORIES][::-1]]
        return "\n\n".join([requests, *stories])
    except EmulatorError as error:
        return f"The emulator did not tell its stories: {error}"


def lines_of(world):
    """The last ten requests, as the JavaScript kits print them: equal ones in a row share a line."""
    counted = [(text, len(list(same))) for text, same in itertools.groupby(map(line_of, world.requests(limit=10)))]
    return [text if times == 1 else f"{text} ({times} times)" for text, times in counted]


def line_of(entry):
    done = ", ".join(entry[part] for part in ("connection", "media", "rule") if entry.get(part))
    line = f"{entry['method']} {entry['path'].split('?')[0]} ({entry['operation']}) -> {entry['status']}"
    return f"{line}: {done}" if done else line


def strangers(opened):
    """A client with another key uses another world, mostly `default`."""
    reached = len(opened.emulator.world.requests())
    said = f"No request reached this world ({opened.id}); {reached} reached default. Does the client use world.base_url and world.api_key?"
    return "\n".join([said, *lines_of(opened.emulator.world)])
