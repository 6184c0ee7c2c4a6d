"""The pytest plugin: fixtures `gateway` and `world`, the marks `gateway` and `gateway_explore`, and the stories of a failed test's tasks."""

import os
import sys
import uuid

import pytest

from .client import EmulatorError, connect
from .explored import explore
from .process import start
from .virtual_sleep import virtual_sleep as sleeping

MARK = (
    "gateway(clock=, seed=, now=, scenario=): how the world of a test opens. clock: auto (default), manual, realtime or 60x; "
    "scenario: a name, a document, or a list of them"
)
EXPLORE_MARK = (
    "gateway_explore(only=, skip=, limit=, ...): run the test undisturbed, then once for each thing that can go wrong with each of "
    "its calls, each as a test of its own; the options are those of generation_gateway_emulator.explore"
)
OPTIONS = ("clock", "seed", "now", "scenario")
MOST_STORIES = 5
STASH = pytest.StashKey()


def pytest_addoption(parser):
    group = parser.getgroup("generation gateway")
    group.addoption("--gateway-url", help="use the emulator there (also: GATEWAY_EMULATOR_URL) instead of starting one")


def pytest_configure(config):
    config.addinivalue_line("markers", MARK)
    config.addinivalue_line("markers", EXPLORE_MARK)


def pytest_generate_tests(metafunc):
    """Explores a marked test while tests are collected, because its cases become tests. Inside a run of explore it is a normal test."""
    mark = metafunc.definition.get_closest_marker("gateway_explore")
    if mark is None or "GATEWAY_EMULATOR_CASE" in os.environ:
        return
    metafunc.fixturenames.append("gateway_case")
    if metafunc.config.option.collectonly:
        metafunc.parametrize("gateway_case", [pytest.param(None, id="cases are known when it runs")])
        return
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", metafunc.definition.nodeid]
    cases = explore(command, cwd=str(metafunc.config.rootpath), **mark.kwargs)
    metafunc.parametrize("gateway_case", cases, ids=str)


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
    case.check()
    return True


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
    """During the test, `time.sleep` moves the world's clock and returns at once. For a world with a manual clock."""
    with sleeping(world.clock):
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
        report.sections.append((f"Generation Gateway, world {opened.id}", told(opened)))


def told(opened):
    """The stories of the newest tasks, oldest first; without tasks, the received requests."""
    try:
        tasks = opened.tasks()[:MOST_STORIES][::-1]
        if tasks:
            return "\n\n".join(f"{task['id']}\n{opened.story(task['id'])}" for task in tasks)
        requests = opened.requests(limit=10)
        lines = [f"{entry['method']} {entry['path']} {entry['status']}" for entry in requests]
        return "\n".join(lines) or "No request reached this world. Does the client use world.base_url and world.api_key?"
    except EmulatorError as error:
        return f"The emulator did not tell its stories: {error}"
