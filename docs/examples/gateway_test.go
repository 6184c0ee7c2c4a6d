// The image in a test of Go: go get github.com/testcontainers/testcontainers-go. The page on CI says how the image is built.
package gateway

import (
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

func TestAWorldOfItsOwn(t *testing.T) {
	ctx := context.Background()
	gateway, err := testcontainers.GenericContainer(ctx, testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{
			Image:        "generation-gateway-emulator",
			Cmd:          []string{"--clock", "auto", "--seed", "7"},
			ExposedPorts: []string{"8585/tcp"},
			WaitingFor:   wait.ForHTTP("/__emulator/health").WithPort("8585/tcp"),
		},
		Started: true,
	})
	testcontainers.CleanupContainer(t, gateway)
	if err != nil {
		t.Fatal(err)
	}
	base, err := gateway.PortEndpoint(ctx, "8585/tcp", "http")
	if err != nil {
		t.Fatal(err)
	}
	request, _ := http.NewRequest("GET", base+"/api/v3/contents/generations/tasks", nil)
	request.Header.Set("Authorization", "Bearer sk-test-go-1")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if body, _ := io.ReadAll(reply.Body); string(body) != `{"items":[],"total":0}` {
		t.Fatalf("unexpected list: %s", body)
	}
}
