/** What a stand-in of Testcontainers says on standard output, so that a test can look at it. */
export interface AskedContainer {
  image: string
  command: string[]
  port: number
  /** The path, or the words in the log, by which it is known to be ready. */
  ready: string
}

/**
 * Stand-ins for the part of Testcontainers and JUnit that the examples use, with the signatures of the real ones: path and text.
 * Instead of starting a container they print what was asked for, and give the host and port of an emulator that runs already.
 */
const saying = 'ASKED '

export const forJava: Readonly<Record<string, string>> = {
  'org/junit/jupiter/api/Test.java': 'package org.junit.jupiter.api; public @interface Test {}',
  'org/junit/jupiter/api/BeforeAll.java': 'package org.junit.jupiter.api; public @interface BeforeAll {}',
  'org/junit/jupiter/api/AfterAll.java': 'package org.junit.jupiter.api; public @interface AfterAll {}',
  'org/junit/jupiter/api/Assertions.java': `package org.junit.jupiter.api;
public class Assertions {
  public static void assertEquals(Object expected, Object actual) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", was " + actual);
  }
}`,
  'org/testcontainers/utility/DockerImageName.java': `package org.testcontainers.utility;
public final class DockerImageName {
  public final String name;
  private DockerImageName(String name) { this.name = name; }
  public static DockerImageName parse(String name) { return new DockerImageName(name); }
}`,
  'org/testcontainers/containers/wait/strategy/WaitStrategy.java':
    'package org.testcontainers.containers.wait.strategy; public interface WaitStrategy {}',
  'org/testcontainers/containers/wait/strategy/HttpWaitStrategy.java': `package org.testcontainers.containers.wait.strategy;
public class HttpWaitStrategy implements WaitStrategy {
  public final String path;
  HttpWaitStrategy(String path) { this.path = path; }
  public HttpWaitStrategy forPort(int port) { return this; }
}`,
  'org/testcontainers/containers/wait/strategy/Wait.java': `package org.testcontainers.containers.wait.strategy;
public class Wait {
  public static HttpWaitStrategy forHttp(String path) { return new HttpWaitStrategy(path); }
}`,
  'org/testcontainers/containers/GenericContainer.java': `package org.testcontainers.containers;
import org.testcontainers.containers.wait.strategy.*;
import org.testcontainers.utility.DockerImageName;
public class GenericContainer<SELF extends GenericContainer<SELF>> {
  private final String image;
  private String command = "";
  private int port;
  private String ready = "";
  public GenericContainer(DockerImageName image) { this.image = image.name; }
  @SuppressWarnings("unchecked") private SELF self() { return (SELF) this; }
  public SELF withCommand(String... parts) { command = "\\"" + String.join("\\",\\"", parts) + "\\""; return self(); }
  public SELF withExposedPorts(Integer... ports) { port = ports[0]; return self(); }
  public SELF waitingFor(WaitStrategy wait) { ready = ((HttpWaitStrategy) wait).path; return self(); }
  public void start() {
    System.out.println("${saying}{\\"image\\":\\"" + image + "\\",\\"command\\":[" + command + "],\\"port\\":" + port + ",\\"ready\\":\\"" + ready + "\\"}");
  }
  public void stop() {}
  public String getHost() { return System.getenv("HOST_OF_IT"); }
  public Integer getMappedPort(int port) { return Integer.valueOf(System.getenv("PORT_OF_IT")); }
}`,
  'RunIt.java': `class RunIt {
  public static void main(String[] args) throws Exception {
    GatewayTest.start();
    try { new GatewayTest().aWorldOfItsOwn(); } finally { GatewayTest.stop(); }
  }
}`,
}

export const forGo: Readonly<Record<string, string>> = {
  'go.mod': `module gateway

go 1.18

require github.com/testcontainers/testcontainers-go v0.0.0

replace github.com/testcontainers/testcontainers-go => ./testcontainers
`,
  'testcontainers/go.mod': 'module github.com/testcontainers/testcontainers-go\n\ngo 1.18\n',
  'testcontainers/wait/http.go': `package wait

type Strategy interface{ Ready() string }

type HTTPStrategy struct{ path string }

func ForHTTP(path string) *HTTPStrategy { return &HTTPStrategy{path} }

func (ws *HTTPStrategy) WithPort(port string) *HTTPStrategy { return ws }

func (ws *HTTPStrategy) Ready() string { return ws.path }
`,
  'testcontainers/generic.go': `package testcontainers

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/testcontainers/testcontainers-go/wait"
)

type ContainerRequest struct {
	Image        string
	ExposedPorts []string
	Cmd          []string
	WaitingFor   wait.Strategy
}

type GenericContainerRequest struct {
	ContainerRequest
	Started bool
}

type TerminateOption func()

type Container interface {
	PortEndpoint(ctx context.Context, port string, proto string) (string, error)
}

type running struct{}

func (running) PortEndpoint(ctx context.Context, port string, proto string) (string, error) {
	return proto + "://" + os.Getenv("HOST_OF_IT") + ":" + os.Getenv("PORT_OF_IT"), nil
}

func GenericContainer(ctx context.Context, req GenericContainerRequest) (Container, error) {
	port, _ := strconv.Atoi(strings.TrimSuffix(req.ExposedPorts[0], "/tcp"))
	asked, err := json.Marshal(map[string]any{"image": req.Image, "command": req.Cmd, "port": port, "ready": req.WaitingFor.Ready()})
	fmt.Println("${saying}" + string(asked))
	return running{}, err
}

func CleanupContainer(tb testing.TB, ctr Container, options ...TerminateOption) {}
`,
}

export const forPython: Readonly<Record<string, string>> = {
  'testcontainers/__init__.py': '',
  'testcontainers/core/__init__.py': '',
  'testcontainers/core/container.py': `import os
class DockerContainer:
    def __init__(self, image):
        self.asked = {"image": image}
    def with_command(self, command):
        self.asked["command"] = command.split()
        return self
    def with_exposed_ports(self, *ports):
        self.asked["port"] = ports[0]
        return self
    def __enter__(self):
        return self
    def __exit__(self, *_):
        pass
    def get_container_host_ip(self):
        return os.environ["HOST_OF_IT"]
    def get_exposed_port(self, port):
        return int(os.environ["PORT_OF_IT"])
`,
  'testcontainers/core/waiting_utils.py': `import json
def wait_for_logs(container, predicate):
    print("\\n${saying}" + json.dumps({**container.asked, "ready": predicate}))
`,
}

/** What the stand-in in this output was asked for. */
export function askedIn(output: string): AskedContainer {
  const line = output.split(/\r?\n/).find(one => one.startsWith(saying))
  if (line === undefined) throw new Error(`No container was asked for: ${output}`)
  return JSON.parse(line.slice(saying.length))
}
