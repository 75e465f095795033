public import Basics
import HTTPSession
import Synchronization

/// A sender of metrics to an OpenTelemetry endpoint, on a task of its own.
///
/// Nothing waits for the endpoint until the load is over: while a request is in flight, only the newest metrics wait.
/// They replace older ones without loss, because all metrics are totals since the start.
public final class MetricsSender: Sendable {
    /// The time limit of a request, which OpenTelemetry defines.
    private static let timeout: Duration = .seconds(10)

    private let endpoint: MetricsEndpoint
    private let configuration: SessionConfiguration
    private let transport: (any Transport)?
    private let warn: @Sendable (MessageText) -> Void
    private let bodies: AsyncStream<[UInt8]>
    private let queue: AsyncStream<[UInt8]>.Continuation

    /// Creates a sender for a program of the given version.
    ///
    /// - Parameter warn: Called with a message when a request fails for the first time.
    public convenience init(
        _ endpoint: MetricsEndpoint, version: String, warn: @escaping @Sendable (MessageText) -> Void
    ) {
        self.init(endpoint, version: version, transport: nil, warn: warn)
    }

    /// Creates a sender with a transport; nil for connections over the network.
    init(
        _ endpoint: MetricsEndpoint, version: String, transport: (any Transport)?,
        warn: @escaping @Sendable (MessageText) -> Void
    ) {
        self.endpoint = endpoint
        self.transport = transport
        self.warn = warn
        configuration = SessionConfiguration(userAgent: "apitest/\(version)")
        (bodies, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Queues metrics, which replace those that wait.
    public func send(_ body: [UInt8]) { queue.yield(body) }

    /// Ends ``run()`` as soon as the waiting metrics are sent.
    public func finish() { queue.finish() }

    /// Sends the queued metrics until ``finish()`` is called.
    @concurrent public func run() async {
        let session = Session(configuration: configuration, transport: transport)
        var hasFailed = false
        for await body in bodies {
            guard let problem = await problem(of: body, with: session), !hasFailed else { continue }
            hasFailed = true
            warn("could not send metrics: \(problem)")
        }
        await session.close()
    }

    /// Sends metrics.
    ///
    /// - Returns: A description of the failure; nil if the endpoint has accepted them.
    private func problem(of body: [UInt8], with session: Session) async -> MessageText? {
        var request = Request(.post, url: endpoint.url, headers: endpoint.headers, body: .bytes(body))
        request.headers["Content-Type"] = "application/json"
        // No field may be sent to another origin, because any of them may be a credential.
        request.credentialFields = endpoint.headers.fields.map(\.name)
        request.timeouts.total = Self.timeout
        do throws(SessionError) {
            _ = try await session.request(request).validate().response()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
