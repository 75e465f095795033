import Basics
import HTTPSession
import Synchronization
import Testing

@testable import Runner

@Testing.Suite("Sending metrics")
struct MetricsSenderTests {
    private let transport = ScriptedTransport()

    /// Sends the bodies one after another, and returns the warnings.
    private func warnings(sending bodies: [String]) async throws -> [String] {
        let warnings = Mutex<[String]>([])
        let environment = ["OTEL_EXPORTER_OTLP_HEADERS": "api-key=s3cr3t"]
        let endpoint = try #require(try MetricsEndpoint(option: "http://otel.test", environment: environment))
        let sender = MetricsSender(endpoint, version: "1", transport: transport) { warning in
            warnings.withLock { $0.append(warning.text) }
        }
        await withTaskGroup { tasks in
            tasks.addTask { await sender.run() }
            for (index, body) in bodies.enumerated() {
                sender.send(Array(body.utf8))
                while transport.requests.count <= index { await Task.yield() }
            }
            sender.finish()
        }
        return warnings.withLock { $0 }
    }

    private func text(_ request: TransportRequest) -> String? {
        if case .bytes(let bytes) = request.body { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    @Test("Metrics are posted as JSON, with the headers of the endpoint")
    func request() async throws {
        transport.answer(with: .response(200))
        #expect(try await warnings(sending: ["{}"]).isEmpty)
        let request = try #require(transport.requests.first)
        #expect(request.method == .post && request.url.description == "http://otel.test/v1/metrics")
        #expect(request.headers["Content-Type"] == "application/json" && request.headers["api-key"] == "s3cr3t")
        #expect(text(request) == "{}")
    }

    @Test("Failures are one warning, and later metrics are sent nevertheless")
    func failures() async throws {
        transport.answer(with: .failure(.connectionRefused, phase: .connect), .response(503), .response(200))
        let warnings = try await warnings(sending: ["1", "2", "3"])
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("could not send metrics: POST http://otel.test/v1/metrics: ") == true)
        #expect(transport.requests.map(text) == ["1", "2", "3"])
    }

    @Test("A status other than 2xx is a failure")
    func status() async throws {
        transport.answer(with: .response(401))
        #expect(try await warnings(sending: ["1"]).count == 1)
    }

    @Test("Credentials do not follow a redirect to another origin")
    func redirect() async throws {
        transport.answer(.post, "/v1/metrics", with: .response(307, ["Location": "http://other.test/"]))
        transport.answer(.post, "/", with: .response(200))
        #expect(try await warnings(sending: ["1"]).isEmpty)
        #expect(transport.requests.map { $0.headers["api-key"] } == ["s3cr3t", nil])
    }

    @Test("While a request is in flight, only the newest metrics wait")
    func newest() async throws {
        let gate = AsyncStream<Void>.makeStream()
        transport.answer(
            with: .when({ for await _ in gate.stream { return } }, .response(200)), .response(200))
        let endpoint = try #require(try MetricsEndpoint(option: "http://otel.test", environment: [:]))
        let sender = MetricsSender(endpoint, version: "1", transport: transport) { _ in }
        await withTaskGroup { tasks in
            tasks.addTask { await sender.run() }
            sender.send(Array("1".utf8))
            while transport.requests.isEmpty { await Task.yield() }
            for number in 2...9 { sender.send(Array("\(number)".utf8)) }
            sender.finish()
            gate.continuation.yield()
        }
        #expect(transport.requests.map(text) == ["1", "9"])
    }
}
