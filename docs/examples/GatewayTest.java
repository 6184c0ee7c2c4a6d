// The image in a test of Java: org.testcontainers:testcontainers and JUnit 5. The page on CI says how the image is built.
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

class GatewayTest {
    static final GenericContainer<?> gateway =
            new GenericContainer<>(DockerImageName.parse("generation-gateway-emulator"))
                    .withCommand("--clock", "auto", "--seed", "7")
                    .withExposedPorts(8585)
                    .waitingFor(Wait.forHttp("/__emulator/health").forPort(8585));

    @BeforeAll
    static void start() {
        gateway.start();
    }

    @AfterAll
    static void stop() {
        gateway.stop();
    }

    @Test
    void aWorldOfItsOwn() throws Exception {
        var base = "http://" + gateway.getHost() + ":" + gateway.getMappedPort(8585);
        var request = HttpRequest.newBuilder(URI.create(base + "/api/v3/contents/generations/tasks"))
                .header("Authorization", "Bearer sk-test-java-1")
                .build();
        var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertEquals("{\"items\":[],\"total\":0}", reply.body());
    }
}
