import Histogram
import JSON
import RunModel

/// The metrics of a load as the body of an OTLP request, in the JSON encoding of OpenTelemetry.
///
/// All metrics are totals since the start of the load, per step. 64-bit integers are strings, as in the JSON mapping of
/// Protocol Buffers.
struct OTLPMetrics {
    /// The upper bounds of the buckets, in seconds, which OpenTelemetry recommends for HTTP durations.
    static let bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

    /// The version of the program.
    let version: String
    /// The start of the load, in nanoseconds since 1970-01-01T00:00:00Z.
    let start: Int64
    /// The shard of the load; nil for a whole load.
    var shard: String?

    /// Returns the body of a request.
    ///
    /// - Parameter time: The time of the figures, in nanoseconds since 1970-01-01T00:00:00Z.
    func body(_ progress: LoadProgress, at time: Int64) -> JSONValue {
        var attributes = [
            attribute("service.name", "apitest"), attribute("service.version", version),
            attribute("apitest.load.profile", progress.profile),
        ]
        // Without it, collectors would take the totals of several shards for those of one process.
        if let shard { attributes.append(attribute("service.instance.id", shard)) }
        let metrics: JSONValue = [
            histogram(
                "http.client.request.duration", "Duration of HTTP client requests.", of: progress, at: time
            ) { $0.service },
            histogram(
                "apitest.load.response.duration", "Time from the intended start of requests to the end of responses.",
                of: progress, at: time
            ) { $0.response },
            sum("apitest.load.requests", "Finished requests.", of: progress, at: time) { $0.requests },
            sum(
                "apitest.load.failed", "Requests without a response or with a failed expectation.", of: progress,
                at: time
            ) { $0.failed },
            [
                "name": "apitest.load.in_flight", "description": "Iterations in flight.", "unit": "{iteration}",
                "gauge": ["dataPoints": [["timeUnixNano": text(time), "asInt": text(progress.inFlight)]]],
            ],
        ]
        return [
            "resourceMetrics": [
                [
                    "resource": ["attributes": .array(attributes)],
                    "scopeMetrics": [
                        ["scope": ["name": "apitest", "version": .string(version)], "metrics": metrics]
                    ],
                ]
            ]
        ]
    }

    /// Returns a metric that counts, by step.
    private func sum(
        _ name: String, _ description: String, of progress: LoadProgress, at time: Int64,
        _ count: (LoadStatistics) -> Int
    ) -> JSONValue {
        let points = progress.steps.map { step in
            point(of: step, at: time, adding: ["asInt": text(count(step.statistics))])
        }
        return [
            "name": .string(name), "description": .string(description), "unit": "{request}",
            "sum": ["aggregationTemporality": Self.cumulative, "isMonotonic": true, "dataPoints": .array(points)],
        ]
    }

    /// Returns a metric of durations, by step.
    private func histogram(
        _ name: String, _ description: String, of progress: LoadProgress, at time: Int64,
        _ durations: (LoadStatistics) -> Histogram
    ) -> JSONValue {
        let points = progress.steps.map { step in
            let histogram = durations(step.statistics)
            var members: JSONObject = [
                "count": text(histogram.count), "sum": seconds(Double(histogram.sum)),
                "bucketCounts": .array(Self.counts(of: histogram).map(text)),
                "explicitBounds": .array(Self.bounds.map { seconds($0 * 1e9) }),
            ]
            if let minimum = histogram.minimum, let maximum = histogram.maximum {
                members["min"] = seconds(Double(minimum))
                members["max"] = seconds(Double(maximum))
            }
            return point(of: step, at: time, adding: members)
        }
        return [
            "name": .string(name), "description": .string(description), "unit": "s",
            "histogram": ["aggregationTemporality": Self.cumulative, "dataPoints": .array(points)],
        ]
    }

    /// The value of `AGGREGATION_TEMPORALITY_CUMULATIVE`. The JSON encoding has no names of enumeration values.
    private static let cumulative: JSONValue = 2

    private func point(of step: LoadSummary.Step, at time: Int64, adding members: JSONObject) -> JSONValue {
        var point: JSONObject = [
            "attributes": [attribute("apitest.step", step.name)], "startTimeUnixNano": text(start),
            "timeUnixNano": text(time),
        ]
        for (name, value) in members { point[name] = value }
        return .object(point)
    }

    /// Returns the number of values in each bucket; the last bucket has no upper bound.
    ///
    /// A value of the histogram is known up to 0.1%, so one that close to a bound may count in the bucket below it.
    static func counts(of histogram: Histogram) -> [Int] {
        var counts = [Int](repeating: 0, count: bounds.count + 1)
        var index = 0
        for bucket in histogram.buckets {
            while index < bounds.count, Double(bucket.bounds.lowerBound) > bounds[index] * 1e9 { index += 1 }
            counts[index] += bucket.count
        }
        return counts
    }

    private func attribute(_ name: String, _ value: String) -> JSONValue {
        ["key": .string(name), "value": ["stringValue": .string(value)]]
    }

    private func text(_ number: some BinaryInteger) -> JSONValue { .string(String(number)) }

    private func seconds(_ nanoseconds: Double) -> JSONValue {
        JSONNumber(nanoseconds / 1e9).map(JSONValue.number) ?? .null
    }
}
