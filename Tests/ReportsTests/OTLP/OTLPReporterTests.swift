import Histogram
import JSON
import RunModel
import Synchronization
import Testing

@testable import Reports

@Suite("Metrics for OpenTelemetry")
struct OTLPReporterTests {
    /// Returns the bodies that a reporter writes for events, one second apart.
    private func bodies(_ events: [RunEvent]) throws -> [JSONValue] {
        let bodies = Mutex<[[UInt8]]>([])
        let seconds = Mutex<Int64>(1_700_000_000)
        let reporter = OTLPReporter(
            version: "1.2",
            time: {
                seconds.withLock { seconds in
                    defer { seconds += 1 }
                    return seconds * 1_000_000_000
                }
            }, output: { body in bodies.withLock { $0.append(body) } })
        for event in events { reporter.receive(event) }
        return try bodies.withLock { $0 }.map { try JSONValue(parsing: $0) }
    }

    private func metric(_ name: String, in body: JSONValue?) -> JSONValue? {
        let scope = body?["resourceMetrics"]?[0]?["scopeMetrics"]?[0]
        return scope?["metrics"]?.arrayValue?.first { $0["name"]?.stringValue == name }
    }

    private var steps: [LoadSummary.Step] {
        var step = LoadSummary.Step(test: "checkout", step: "pay")
        step.statistics.record(response: 2_000_000_000, service: 20_000_000, isFailed: true)
        step.statistics.record(response: 4_000_000, service: 4_000_000, isFailed: false)
        step.statistics.record(response: 30_000_000_000, service: 30_000_000_000, isFailed: false)
        return [step]
    }

    private var start: RunEvent {
        .suiteStarted(SuiteInfo(index: 0, name: "Shop", path: "shop.yaml", documentIndex: 0, testCount: 1))
    }

    @Test("Each interval and the end write all metrics, with the same start")
    func intervals() throws {
        var summary = LoadSummary(profile: "peak", load: "1/s", range: Fixture().range("name"))
        summary.steps = steps
        let bodies = try bodies([
            start, .load(.second(LoadSecond(time: 1, duration: 1))),
            .load(.progress(LoadProgress(profile: "peak", inFlight: 7, steps: steps))), .load(.finished(summary)),
        ])
        #expect(bodies.count == 2)
        let points = bodies.map { metric("apitest.load.requests", in: $0)?["sum"]?["dataPoints"]?[0] }
        #expect(points.map { $0?["startTimeUnixNano"] } == ["1700000000000000000", "1700000000000000000"])
        #expect(points.map { $0?["timeUnixNano"] } == ["1700000001000000000", "1700000002000000000"])
        let gauges = bodies.map { metric("apitest.load.in_flight", in: $0)?["gauge"]?["dataPoints"]?[0]?["asInt"] }
        #expect(gauges == ["7", "0"])
    }

    @Test("The resource names the program and the profile")
    func resource() throws {
        let body = try bodies([start, .load(.progress(LoadProgress(profile: "peak", inFlight: 0, steps: [])))]).first
        let attributes = body?["resourceMetrics"]?[0]?["resource"]?["attributes"]?.arrayValue ?? []
        #expect(attributes.map { $0["key"] } == ["service.name", "service.version", "apitest.load.profile"])
        #expect(attributes.map { $0["value"]?["stringValue"] } == ["apitest", "1.2", "peak"])
    }

    @Test("The metrics of a shard have an identity of their own")
    func shard() throws {
        let info = RunInfo(
            suites: [], testCount: 0, seed: 1, jobs: 1, version: "1.2", startTime: 1_700_000_000, shard: "2/5")
        let progress = LoadProgress(profile: "peak", inFlight: 0, steps: [])
        let body = try bodies([.runStarted(info), start, .load(.progress(progress))]).first
        let attributes = body?["resourceMetrics"]?[0]?["resource"]?["attributes"]?.arrayValue ?? []
        let identity = attributes.first { $0["key"] == "service.instance.id" }
        #expect(identity?["value"]?["stringValue"] == "2/5")
    }

    @Test("Counts are monotonic, cumulative sums by step, written as strings")
    func counts() throws {
        let body = try bodies([start, .load(.progress(LoadProgress(profile: "peak", inFlight: 0, steps: steps)))]).first
        for (name, count) in [("apitest.load.requests", "3"), ("apitest.load.failed", "1")] {
            let sum = metric(name, in: body)?["sum"]
            #expect(sum?["aggregationTemporality"] == 2 && sum?["isMonotonic"] == true)
            let point = sum?["dataPoints"]?[0]
            #expect(point?["asInt"] == .string(count))
            #expect(
                point?["attributes"] == [["key": "apitest.step", "value": ["stringValue": "checkout › pay"]]])
        }
    }

    @Test("Durations are histograms in seconds with the recommended bounds")
    func durations() throws {
        let body = try bodies([start, .load(.progress(LoadProgress(profile: "peak", inFlight: 0, steps: steps)))]).first
        let histogram = metric("http.client.request.duration", in: body)?["histogram"]
        #expect(histogram?["aggregationTemporality"] == 2)
        let point = histogram?["dataPoints"]?[0]
        #expect(point?["count"] == "3")
        #expect(point?["sum"]?.numberValue?.double == 30.024)
        #expect(point?["max"]?.numberValue?.double == 30)
        let bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
        #expect(point?["explicitBounds"]?.arrayValue?.map { $0.numberValue?.double } == bounds)
        let counts = point?["bucketCounts"]?.arrayValue?.compactMap(\.stringValue)
        #expect(counts == ["1", "0", "1", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "1"])
        let response = metric("apitest.load.response.duration", in: body)?["histogram"]?["dataPoints"]?[0]
        #expect(response?["sum"]?.numberValue?.double == 32.004)
    }

    @Test("A value at a bound counts in the bucket that the bound ends")
    func bounds() {
        var histogram = Histogram.ofLatencies
        for bound in OTLPMetrics.bounds { histogram.record(Int64(bound * 1e9)) }
        #expect(OTLPMetrics.counts(of: histogram) == [Int](repeating: 1, count: OTLPMetrics.bounds.count) + [0])
    }
}
