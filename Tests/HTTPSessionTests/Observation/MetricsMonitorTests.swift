import Synchronization
import Testing

@testable import HTTPSession

@Suite("Request metrics")
struct MetricsMonitorTests {
    private final class Summaries: RequestMetricsObserver {
        private let summaries = Mutex<[RequestSummary]>([])
        var all: [RequestSummary] { summaries.withLock { $0 } }
        func requestFinished(_ summary: RequestSummary) { summaries.withLock { $0.append(summary) } }
    }

    @Test("A summary totals the attempts, redirects, delays, and bytes of a request")
    func sums() async throws {
        let summaries = Summaries()
        let scripted = MeasuredTransport()
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.monitors = [MetricsMonitor(summaries)]
        configuration.retriers = [RetryPolicy(scale: .milliseconds(1))]
        let session = Session(configuration: configuration, transport: scripted)
        _ = try await session.get("start").response()
        let summary = try #require(summaries.all.first)
        #expect(summaries.all.count == 1)
        #expect(summary.status == 200)
        #expect(summary.method == .get)
        #expect(summary.url?.path == "/end")
        #expect(summary.attempts.count == 2)
        #expect(summary.redirects == 2)
        #expect(summary.delays == .milliseconds(1))
        #expect(summary.duration >= .milliseconds(1))
        // Two attempts with two hops each.
        #expect(summary.bytesSent == 4 * 10)
        #expect(summary.bytesReceived == 4 * 100)
        #expect(summary.error == nil && !summary.isFromCache && !summary.isCoalesced)
    }

    @Test("The summary of a failed request includes its error and the status of a rejected response")
    func failures() async throws {
        let summaries = Summaries()
        let transport = ScriptedTransport()
        transport.answer(.get, "/no", with: .response(404))
        transport.answer(.get, "/down", with: .failure(.connectionRefused, phase: .connect))
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.monitors = [MetricsMonitor { summaries.requestFinished($0) }]
        let session = Session(configuration: configuration, transport: transport)
        _ = await ExchangeTests.failure { try await session.get("no").validate().response() }
        _ = await ExchangeTests.failure { try await session.get("down").response() }
        _ = await ExchangeTests.failure { try await session.get("http://[").response() }
        let all = summaries.all
        try #require(all.count == 3)
        #expect(all[0].status == 404)
        #expect(all[0].error?.reason == .unacceptableResponse)
        #expect(all[1].status == nil)
        #expect(all[1].error?.reason == .connectionRefused)
        #expect(all[1].url?.path == "/down")
        #expect(all[2].error?.reason == .invalidURL)
        #expect(all[2].url == nil)
    }
}

/// A transport that redirects `/start` to `/end`, rejects the latter once, and reports the number of bytes.
private final class MeasuredTransport: Transport {
    private let count = Mutex(0)

    func send(_ request: TransportRequest) async throws(SessionError) -> TransportResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        request.observer?(.sent(SentRequest(request), bytes: 10))
        var metrics = ExchangeMetrics()
        metrics.bytesSent = 10
        metrics.bytesReceived = 100
        let isStart = request.url.path == "/start"
        let head = ResponseHead(
            status: isStart ? 302 : number < 4 ? 503 : 200, headers: isStart ? ["Location": "/end"] : [:])
        return TransportResponse(head: head, metrics: metrics)
    }
}
