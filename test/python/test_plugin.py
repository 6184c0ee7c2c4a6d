"""The pytest plugin, tried on a running emulator."""

import datetime
import inspect
import json
import pathlib
import re
import sys
import tarfile
import textwrap
import time
import urllib.request
import zipfile

import pytest

from generation_gateway_emulator import Case, Emulator, EmulatorError, ExploreError, World, connect, explore, start
from generation_gateway_emulator.client import Clock
from generation_gateway_emulator.process import NotInstalled, program

TASKS = "/api/v3/contents/generations/tasks"
CREATE = {"model": "model_a_25", "content": [{"type": "text", "text": "a lighthouse"}], "duration": 5}


def ask(world, path, body=None):
    headers = {"Authorization": f"Bearer {world.api_key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(world.base_url + path, data, headers)) as reply:
        return json.load(reply)


def create(world):
    return ask(world, TASKS, CREATE)["id"]


def test_each_test_has_a_world_of_its_own_whose_clock_skips(world):
    assert world.clock.get()["mode"] == "auto"
    assert world.tasks() == []
    task = create(world)
    states = [ask(world, f"{TASKS}/{task}")["status"] for _ in range(4)]
    assert states == ["queued", "running", "succeeded", "succeeded"]


def test_another_world_sees_nothing_of_it(world, gateway):
    create(world)
    assert gateway.open_world(clock="manual").tasks() == []


@pytest.mark.gateway(clock="manual", seed=7, now="2026-03-01T08:00:00Z", scenario="late-failure")
def test_the_mark_sets_clock_seed_moment_and_scenario(world):
    assert world.clock.get()["now"] == "2026-03-01T08:00:00.000Z"
    task = create(world)
    world.clock.advance_until("idle")
    assert world.task(task)["view"]["status"] == "failed"
    assert world._call.get("")["seed"] == 7


@pytest.mark.gateway(clock="manual", scenario={"name": "mine", "rules": [{"then": {"refuse": {"fault": "unavailable"}}}]})
def test_a_scenario_may_be_a_document(world):
    with pytest.raises(urllib.error.HTTPError) as refused:
        create(world)
    assert refused.value.code == 503


def test_a_scenario_may_be_a_file_or_a_text(world, tmp_path):
    text = "name: mine\nrules:\n  - then: { refuse: { fault: unavailable } }\n"
    file = tmp_path / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    for given in (file, str(file), text):
        assert world.use("happy-path", given) == ["happy-path", "mine"]
        world.use()
    with pytest.raises(EmulatorError, match="did you mean refuse"):
        world.use(text.replace("refuse", "refuze"))


@pytest.mark.gateway(clock="manual", now="2026-03-01T08:00:00Z")
def test_a_sleep_moves_the_clock_of_the_world_and_returns_at_once(world, virtual_sleep):
    before, started = time.time(), world.clock.get()["now_ms"]
    time.sleep(3600)
    assert world.clock.get()["now_ms"] - started == 3_600_000
    assert time.time() - before >= 3600


def test_verify_counts_and_says_what_came_instead(world):
    create(world)
    assert world.verify({"operation": "a.create"}, {"exactly": 1})["ok"]
    with pytest.raises(AssertionError, match="a.create"):
        world.must_have({"operation": "a.create", "model": "model_a_20"})


def test_findings_ledger_snapshots_and_force_reach_the_control_api(world):
    task = create(world)
    assert world.findings() == []
    assert [line["kind"] for line in world.ledger()["items"]] == ["reserved"]
    world.save("one-task")
    world.force(task, "failed", {"code": "InternalServiceError", "message": "no luck"})
    assert world.task(task)["view"]["status"] == "failed"
    world.restore("one-task")
    assert world.task(task)["view"]["status"] == "queued"
    world.reset()
    assert world.tasks() == []


def test_a_refusal_of_the_control_api_names_the_fault(world):
    with pytest.raises(EmulatorError) as refused:
        world.use("flaky-upstrem")
    assert "flaky-upstream" in str(refused.value)


@pytest.mark.parametrize("url", ["localhost:8585", "", "ftp://127.0.0.1"])
def test_an_address_without_a_scheme_is_refused_with_what_is_allowed(url):
    with pytest.raises(ValueError, match="must start with"):
        connect(url)


def test_a_name_that_no_key_can_carry_is_refused(world, gateway):
    with pytest.raises(ValueError, match="letters, digits"):
        world.key_for("a b")
    assert world.key_for(label="web") == f"{world.api_key}:web"
    with pytest.raises(ValueError, match="letters, digits"):
        gateway.world_named("a.b")


def test_an_emulator_that_is_gone_is_an_error_that_names_its_address():
    with pytest.raises(EmulatorError, match="127.0.0.1:9"):
        connect("http://127.0.0.1:9").health()


def test_without_the_npm_package_the_message_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pathlib.Path.exists", lambda self: False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("GATEWAY_EMULATOR_PROGRAM", raising=False)
    with pytest.raises(NotInstalled, match="npm install"):
        program()


CLIENT = '''
import json, os, time, urllib.request, urllib.error
import pytest

def ask(world, path, body=None):
    headers = {"Authorization": f"Bearer {world.api_key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(world.base_url + path, data, headers)
    with urllib.request.urlopen(request, timeout=5) as reply:
        return json.load(reply)

'''


@pytest.fixture
def inner(pytester, gateway, monkeypatch):
    """Runs a test file of its own against the emulator that runs already."""
    monkeypatch.setenv("GATEWAY_EMULATOR_URL", gateway.url)

    def run(text):
        pytester.makepyfile(text)
        return pytester.runpytest_inprocess("-p", "generation_gateway_emulator.plugin")

    return run


def test_the_report_of_a_failed_test_tells_the_story_of_its_tasks(inner):
    result = inner(
        """
        def test_fails(world):
            world._call.send("POST", "/tasks", {"family": "a", "kind": "a"})
            assert False
        """
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*Generation Gateway, world test-*", "cgt-*"])


def test_and_lists_the_last_requests_with_operation_and_rule(inner):
    result = inner(
        CLIENT + """
@pytest.mark.gateway(scenario={"name": "mine", "rules": [{"when": {"call": 1}, "then": {"refuse": {"fault": "unavailable"}}}]})
def test_fails(world):
    body = {"model": "model_a_25", "content": [{"type": "text", "text": "a kite"}], "duration": 4}
    with pytest.raises(urllib.error.HTTPError):
        ask(world, "/api/v3/contents/generations/tasks", body)
    made = ask(world, "/api/v3/contents/generations/tasks", body)
    for _ in range(2):
        ask(world, "/api/v3/contents/generations/tasks?page_size=1")
    assert False
"""
    )
    path = "/api/v3/contents/generations/tasks"
    result.stdout.fnmatch_lines(
        ["Last requests:", f"POST {path} (a.create) -> 503: mine/1", f"POST {path} (a.create) -> 200", f"GET {path} (a.list) -> 200 (2 times)", "", "cgt-*"]
    )


def test_start_takes_the_options_of_the_command_line_by_name():
    now = datetime.datetime(2026, 3, 1, 8, tzinfo=datetime.timezone.utc)
    with start(clock="manual", seed=7, now=now, scenarios=["late-failure"], strict=True, data_dir=None) as emulator:
        world = emulator.open_world()
        assert world.clock.get()["mode"] == "manual"
        assert world.clock.get()["now"] == "2026-03-01T08:00:00.000Z"
        task = create(world)
        world.clock.advance_until("idle")
        assert world.task(task)["view"]["status"] == "failed"


def test_start_says_why_an_emulator_did_not_start():
    with pytest.raises(RuntimeError, match="(?s)ended with 2 before it was ready:.*--clok"):
        start(clok="auto")
    with pytest.raises(RuntimeError, match="(?s)before it was ready:.*sideways"):
        start(clock="sideways")
    with pytest.raises(TypeError, match="open_world"):
        start(scenarios=[{"name": "mine", "rules": []}])


def test_the_examples_of_the_readme_work(inner, capfd):
    readme = pathlib.Path(__file__).parents[2] / "python" / "README.md"
    test, alone = re.findall(r"```python\n(.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)
    inner(test).assert_outcomes(passed=2)
    exec(compile(alone, "README.md", "exec"), {})
    assert "\nsucceeded http://127" in capfd.readouterr().out


def test_and_says_when_no_request_came(inner):
    result = inner("def test_fails(world): assert False")
    result.stdout.fnmatch_lines(["*No request reached this world*"])


def test_a_mark_with_an_unknown_word_is_refused(inner):
    result = inner(
        """
        import pytest
        @pytest.mark.gateway(clok="auto")
        def test_never_runs(world): pass
        """
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*clock, seed, now, scenario*not clok*"])


@pytest.fixture
def explored(pytester, monkeypatch):
    """Runs a test file of its own whose test is explored, in processes that load the plugin."""
    source = str(pathlib.Path(__file__).parents[2] / "python")
    monkeypatch.setenv("PYTHONPATH", source)
    monkeypatch.setenv("PYTEST_PLUGINS", "generation_gateway_emulator.plugin")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    # The folder of the inner test holds no npm package: the program is the one of this repository.
    monkeypatch.delenv("GATEWAY_EMULATOR_URL", raising=False)

    def run(text, *args):
        pytester.makepyfile(CLIENT + textwrap.dedent(text))
        return pytester.runpytest_subprocess(*args)

    return run


def test_a_marked_test_is_one_test_for_each_thing_that_can_go_wrong(explored):
    result = explored(
        """
        @pytest.fixture(autouse=True)
        def set_up_in_the_runs_alone():
            assert "GATEWAY_EMULATOR_CASE" in os.environ

        @pytest.mark.gateway_explore(only=["image.generate unavailable", "image.generate reply_lost"], limit="20s")
        def test_client(world):
            body = {"model": "model_image", "prompt": "a lighthouse"}
            try:
                ask(world, "/api/v3/images/generations", body)
            except urllib.error.HTTPError as refused:
                raise SystemExit(f"refused with {refused.code}")
            except OSError:
                ask(world, "/api/v3/images/generations", body)
        """,
        "-v",
    )
    # A refusal is told; a second order after a lost reply is paid twice.
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["*image.generate#1 unavailable* PASSED*", "*image.generate#1 reply_lost* FAILED*", "*paid_twice*"]
    )


def test_restarts_of_a_command_are_one_test_for_each_point(explored):
    result = explored(
        '''
        import sys, textwrap

        FORGETFUL = """
        import json, os, urllib.request
        body = {"model": "model_a_20", "content": [{"type": "text", "text": "a cat"}], "duration": 4}
        headers = {"Authorization": "Bearer " + os.environ["GATEWAY_EMULATOR_KEY"], "Content-Type": "application/json"}
        tasks = os.environ["GATEWAY_EMULATOR_URL"] + "/api/v3/contents/generations/tasks"
        urllib.request.urlopen(urllib.request.Request(tasks, json.dumps(body).encode(), headers)).read()
        """

        @pytest.mark.gateway_explore(command=[sys.executable, "-c", textwrap.dedent(FORGETFUL)], restarts=True, without_result=True)
        def test_client():
            pass
        ''',
        "-v",
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["*a.create#1 killed_before* PASSED*", "*a.create#1 killed_after* FAILED*", "*paid_again*"]
    )


def test_what_is_not_tried_is_a_skipped_test_with_its_reason(explored):
    result = explored(
        """
        @pytest.mark.gateway_explore(only=["a.list unavailable"], budget="1ms")
        def test_no_time(world):
            ask(world, "/api/v3/contents/generations/tasks")

        @pytest.mark.gateway_explore(only=["a.list unavailable"])
        def test_twice(world):
            for _ in range(3):
                ask(world, "/api/v3/contents/generations/tasks")
        """,
        "-v",
        "-rs",
    )
    result.assert_outcomes(passed=1, skipped=2)
    result.stdout.fnmatch_lines(["*test_no_time*a.list#1 unavailable* SKIPPED*", "*test_twice*later calls of a.list* SKIPPED*"])
    result.stdout.fnmatch_lines(["*not tried: budget*", "*not tried: a.list#2 to #3 repeats a.list#1*"])


WEB = """
import os, sys, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

class Web(BaseHTTPRequestHandler):
    def do_GET(self):
        headers = {"Authorization": "Bearer " + os.environ["LIST_KEY"]}
        try:
            status = urllib.request.urlopen(urllib.request.Request(os.environ["LIST_URL"], headers=headers)).status
        except urllib.error.HTTPError as refused:
            status = refused.code
        self.send_response(status)
        self.end_headers()

HTTPServer(("127.0.0.1", int(sys.argv[1])), Web).serve_forever()
"""
DRIVER = """
import os, time, urllib.error, urllib.request
while True:
    try:
        urllib.request.urlopen(os.environ["WEB_URL"])
        break
    except urllib.error.HTTPError as refused:
        raise SystemExit(f"the page shows {refused.code}")
    except OSError:
        time.sleep(1)
"""
SYSTEM = """
services:
  web: { command: "python3 web.py {port.web}", ready: tcp }
driver: { command: python3 drive.py, environment: { WEB_URL: "http://127.0.0.1:{port.web}" } }
"""
LISTS = 'env={"LIST_URL": "{url}/api/v3/contents/generations/tasks", "LIST_KEY": "{key}", "WEB_URL": "http://127.0.0.1:{port.web}"}'


@pytest.fixture
def system(pytester):
    """The files of a system: a web service that lists tasks, and its driver."""
    for name, text in {"web.py": WEB, "drive.py": DRIVER, "system.yaml": SYSTEM.replace("python3", sys.executable)}.items():
        (pytester.path / name).write_text(text, encoding="utf-8")


def test_cases_of_a_system_are_tests(explored, system):
    result = explored(
        f"""
        @pytest.mark.gateway_explore(system="system.yaml", {LISTS}, scale={{"web": 2}}, only=["a.list unavailable"])
        def test_serves():
            pass

        @pytest.mark.gateway_explore(system="system.yaml", {LISTS}, kill="web", restart_after="2s", only=["a.list killed_before"])
        def test_survives():
            pass
        """,
        "-v",
    )
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_serves*a.list#1 unavailable* PASSED*", "*test_survives*a.list#1 killed_before* PASSED*"])


def test_a_marked_test_drives_the_services_that_it_names(explored, system):
    result = explored(
        f"""
        import sys

        WEB = sys.executable + " web.py {{port.web}}"

        @pytest.mark.gateway_explore(service={{"web": WEB}}, ready={{"web": "tcp"}}, {LISTS}, only=["a.list unavailable"])
        def test_serves():
            try:
                urllib.request.urlopen(os.environ["WEB_URL"])
            except urllib.error.HTTPError as refused:
                pytest.fail(f"the page shows {{refused.code}}")
        """,
        "-v",
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*test_serves*a.list#1 unavailable* PASSED*"])


def test_a_system_and_a_command_together_are_refused(system):
    with pytest.raises(ExploreError, match="names all services and the driver"):
        explore(["true"], system="system.yaml")


def test_the_case_of_two_calls_that_overlap_names_both():
    row = {"operation": "a.get", "nth": 1, "id": "answered_after", "first": "a.list#1", "service": "web", "verdict": "told", "end": "told"}
    case = Case({**row, "bill": {}, "level": "good", "evidence": ""})
    assert (case.name, case.service) == ("a.get#1 answered_after a.list#1", "web")


RUDE = """
    @pytest.mark.gateway_explore(only=["image.generate rate_limited"], limit="20s"%s)
    def test_client(world):
        body = {"model": "model_image", "prompt": "a lighthouse"}
        try:
            ask(world, "/api/v3/images/generations", body)
        except urllib.error.HTTPError:
            ask(world, "/api/v3/images/generations", body)
    """


def test_a_rude_case_passes_and_prints_its_finding_under_the_test(explored):
    result = explored(RUDE % "")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*test_client*image.generate#1 rate_limited*: rude: *although the 429 reply asked*"])


def test_a_rude_case_fails_where_warnings_fail(explored):
    result = explored(RUDE % ', fail_on="warnings"')
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*rude: *although the 429 reply asked*"])


def test_an_undisturbed_run_that_fails_is_an_error_with_its_words(explored):
    result = explored(
        """
        @pytest.mark.gateway_explore()
        def test_client(world):
            raise AssertionError("the client is not ready")
        """
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the client is not ready*"])


def test_listing_tests_explores_nothing(explored):
    result = explored(
        """
        @pytest.mark.gateway_explore(only=["a.create"])
        def test_client(world):
            raise AssertionError("must not run")
        """,
        "--collect-only",
        "-q",
    )
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*test_client*cases are known when it runs*"])


def test_explore_refuses_an_option_that_it_does_not_know():
    with pytest.raises(TypeError, match="limit.*not lmit"):
        explore(["true"], lmit="1s")


def test_explore_takes_any_command_and_passes_flags_on(tmp_path):
    script = tmp_path / "client.py"
    script.write_text(
        "import os, json, urllib.request as u\n"
        "r = u.Request(os.environ['GATEWAY_EMULATOR_URL'] + '/api/v3/images/generations',\n"
        "    json.dumps({'model': 'model_image', 'prompt': 'x'}).encode(),\n"
        "    {'Authorization': 'Bearer ' + os.environ['GATEWAY_EMULATOR_KEY'], 'Content-Type': 'application/json'})\n"
        "try: u.urlopen(r, timeout=5).read()\n"
        "except Exception as refused: raise SystemExit(str(refused))\n"
    )
    cases = explore([sys.executable, str(script)], only=["image.generate internal", "image.generate moderated"], limit="20s")
    assert [str(case) for case in cases] == ["image.generate#1 internal", "image.generate#1 moderated"]
    for case in cases:
        case.check()


def test_the_package_is_built_without_an_index_and_has_the_version_of_the_npm_package(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(pathlib.Path(__file__).parents[2] / "python"))
    import build_backend

    name = build_backend.build_wheel(str(tmp_path))
    with zipfile.ZipFile(tmp_path / name) as wheel:
        names = wheel.namelist()
        info = next(entry for entry in names if entry.endswith("METADATA"))
        metadata = wheel.read(info).decode()
        points = wheel.read(info.replace("METADATA", "entry_points.txt")).decode()
    package = json.loads((pathlib.Path(__file__).parents[2] / "package.json").read_text(encoding="utf-8"))
    assert f"Version: {package['version']}\n" in metadata
    assert "Description-Content-Type: text/markdown\n" in metadata
    assert "# Generation Gateway emulator for pytest" in metadata
    assert "generation_gateway_emulator.plugin = generation_gateway_emulator.plugin" in points
    assert {"generation_gateway_emulator/plugin.py", "generation_gateway_emulator/explored.py", "generation_gateway_emulator/py.typed"} <= set(names)
    with tarfile.open(tmp_path / build_backend.build_sdist(str(tmp_path))) as archive:
        assert any(entry.endswith("/build_backend.py") for entry in archive.getnames())


@pytest.mark.parametrize("kind", [World, Clock, Emulator], ids=lambda kind: kind.__name__)
def test_every_public_method_has_a_docstring_and_type_hints(kind):
    methods = {name: value for name, value in vars(kind).items() if inspect.isfunction(value) and not name.startswith("_")}
    assert len(methods) > 3
    for name, method in methods.items():
        hints = inspect.signature(method)
        assert method.__doc__ or name == "close", name
        assert hints.return_annotation is not inspect.Signature.empty, name
        assert all(value.annotation is not inspect.Parameter.empty for key, value in hints.parameters.items() if key != "self"), name


def test_a_wrong_count_is_reported_where_the_test_asks(inner):
    result = inner("""
        def test_wrong(world):
            world.must_have({"operation": "a.create"}, {"exactly": 1})
    """)
    result.stdout.fnmatch_lines([">*world.must_have(*", "*No request reached this world*; * reached default*"])
    result.stdout.no_fnmatch_line("*verdict = self.verify*")


def test_the_family_of_a_task_follows_from_its_kind(world):
    assert world.create_task({"kind": "k.avatar"})["family"] == "k"
    with pytest.raises(EmulatorError, match="k.avatr"):
        world.create_task({"kind": "k.avatr"})
