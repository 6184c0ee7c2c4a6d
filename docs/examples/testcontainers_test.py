"""The image in a test of Python: `pip install testcontainers pytest`. The page on CI says how the image is built."""

import json
import urllib.request

import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.waiting_utils import wait_for_logs


@pytest.fixture(scope="session")
def gateway():
    container = DockerContainer("generation-gateway-emulator").with_command("--clock auto --seed 7")
    with container.with_exposed_ports(8585) as running:
        wait_for_logs(running, '"event":"ready"')
        yield f"http://{running.get_container_host_ip()}:{running.get_exposed_port(8585)}"


def test_a_world_of_its_own(gateway):
    request = urllib.request.Request(
        gateway + "/api/v3/contents/generations/tasks", headers={"Authorization": "Bearer sk-test-python-1"}
    )
    assert json.load(urllib.request.urlopen(request))["total"] == 0
