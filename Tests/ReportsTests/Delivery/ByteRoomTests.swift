import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports

/// Tests that the longest numbers in a result fit in the buffers that reports write without checks (``ByteWriter``).
struct ByteRoomTests {
    /// The longest duration in a record.
    private static let maximumLength: Int64 = 100_000_000_000_000_000

    private static let fixture = Fixture(index: Int(Int32.max))

    /// Returns a test with the largest possible numbers.
    private static func result(_ number: Int, steps: Int, exchange: Exchange?) -> TestResult {
        var result = fixture.result("test", .passed, position: Int(Int32.max) - number, exchange: exchange)
        result.start = maximumLength
        result.duration = maximumLength
        for index in result.steps.indices {
            result.steps[index].start = maximumLength
            result.steps[index].duration = maximumLength
        }
        result.steps = (0..<steps).flatMap { _ in result.steps }
        return result
    }

    private static let exchange: Exchange = {
        var exchange = Fixture.created
        exchange.start = maximumLength
        exchange.timings = Exchange.Timings(
            dns: maximumLength, connect: maximumLength, tls: maximumLength, firstByte: maximumLength,
            transfer: maximumLength, total: maximumLength)
        exchange.response?.status = 999
        return exchange
    }()

    private static let events: [RunEvent] = {
        let events = fixture.events([
            result(0, steps: 1, exchange: nil), result(1, steps: 1, exchange: exchange),
            result(2, steps: 3, exchange: exchange),
        ])
        return events.map { event in
            switch event {
            case .suiteFinished(var summary):
                summary.duration = maximumLength
                return .suiteFinished(summary)
            case .runFinished(var summary):
                summary.duration = maximumLength
                return .runFinished(summary)
            default: return event
            }
        }
    }()

    @Test(arguments: ReportRequest.Format.allCases.map(\.rawValue) + ["json:exchanges", "junit:strict"])
    func maximumNumbers(_ report: String) throws {
        let directory = try TemporaryDirectory()
        let request = try ReportRequest(report + "=" + directory.path + "/report")
        let fanOut = ReportFanOut([try ReporterFactory.reporter(for: request)])
        for event in Self.events { fanOut.send(event) }
        #expect(fanOut.finish() == [])
    }
}
