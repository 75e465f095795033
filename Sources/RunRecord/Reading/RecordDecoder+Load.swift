import Histogram
import JSON
package import RunModel

/// A line of a load without its figures, which take nearly all of the time to decode.
package enum LoadOutline {
    /// A second, with the nanoseconds from the start of the load to its middle.
    case second(middle: Int64)
    /// The result. Only its suite, profile, load, start and thresholds are decoded.
    case result(LoadSummary)
}

/// The decoding of the lines of a load.
extension RecordDecoder {
    /// Returns the nanoseconds from the start of the load to the middle of a second.
    static func middle(_ fields: RecordFields) throws(RecordProblem) -> Int64 {
        try fields.nanoseconds("time") - fields.nanoseconds("duration") / 2
    }

    /// Decodes the figures of a second.
    func loadSecond(_ fields: RecordFields) throws(RecordProblem) -> LoadSecond {
        var second = LoadSecond(time: try fields.nanoseconds("time"), duration: try fields.nanoseconds("duration"))
        second.started = try fields.count("started")
        second.inFlight = try fields.count("inFlight")
        second.isWarmup = try fields.flag("warmup")
        second.statistics = try fields.statistics()
        return second
    }

    /// Decodes the properties of a result that identify the load and its thresholds.
    mutating func loadOutline(_ fields: RecordFields) throws(RecordProblem) -> LoadSummary {
        var summary = LoadSummary(
            profile: try fields.string("profile"), load: try fields.string("load"),
            range: try range(try fields.object("range")))
        summary.suite = try fields.count("suite")
        summary.startTime = try fields.time("startTime")
        for element in try fields.array("thresholds") {
            summary.thresholds.append(try condition(try RecordFields(element, member: "thresholds")))
        }
        return summary
    }

    /// Decodes the result of a load.
    mutating func load(_ fields: RecordFields) throws(RecordProblem) -> LoadSummary {
        var summary = try loadOutline(fields)
        summary.duration = try fields.nanoseconds("duration")
        summary.iterations = try fields.total("iterations")
        summary.failedIterations = try fields.total("failedIterations")
        summary.total = try fields.statistics()
        summary.iterationDurations = try fields.histogram("iterationDurations")
        summary.lateness = try fields.histogram("lateness")
        summary.processorTime = try fields.integer("processorTime")
        summary.loops = try fields.count("eventLoops")
        if let abort = try fields.optionalObject("abort") { summary.abort = try condition(abort) }
        summary.isCutShort = try fields.flag("cutShort")
        summary.isAborted = try fields.flag("aborted")
        // A newer version may have more reasons.
        summary.invalidities = try fields.objects("invalid", Self.invalidity).compactMap(\.self)
        summary.steps = try fields.objects("steps") { fields throws(RecordProblem) in
            var step = LoadSummary.Step(test: try fields.string("test"), step: try fields.optionalString("step"))
            step.statistics = try fields.statistics()
            return step
        }
        for element in try fields.array("causes") {
            let fields = try RecordFields(element, member: "causes")
            guard let finding = try findings(fields).first else {
                throw RecordProblem("a cause has no finding", member: "causes")
            }
            summary.causes.append(
                LoadSummary.Cause(
                    finding: finding, step: try fields.string("step"), count: try fields.total("count"),
                    exchange: try fields.optionalObject("exchange")?.exchangeWithSizes()))
        }
        summary.otherFailures = try fields.optionalInteger("otherFailures") == nil ? 0 : fields.total("otherFailures")
        summary.slowest = try fields.objects("slowest") { fields throws(RecordProblem) in
            LoadSummary.SlowRequest(
                step: try fields.string("step"), response: try fields.nanoseconds("response"),
                time: try fields.nanoseconds("time"), exchange: try fields.object("exchange").exchangeWithSizes())
        }
        return summary
    }

    private mutating func condition(_ fields: RecordFields) throws(RecordProblem) -> LoadSummary.Condition {
        LoadSummary.Condition(source: try fields.string("source"), range: try range(try fields.object("range")))
    }

    private static func invalidity(_ fields: RecordFields) throws(RecordProblem) -> LoadSummary.Invalidity? {
        switch try fields.string("reason") {
        case "late": .late(p99: try fields.nanoseconds("lateness"), response: try fields.nanoseconds("response"))
        case "busy": .busy(share: try fields.number("share"))
        case "empty": .empty
        default: nil
        }
    }
}

extension RecordFields {
    fileprivate func statistics() throws(RecordProblem) -> LoadStatistics {
        var statistics = LoadStatistics()
        statistics.requests = try total("requests")
        statistics.failed = try total("failed")
        statistics.response = try histogram("response")
        statistics.service = try histogram("service")
        return statistics
    }

    /// Returns a number of requests or iterations, which can exceed `Int32`.
    fileprivate func total(_ name: String) throws(RecordProblem) -> Int {
        let value = try integer(name)
        guard (0...1 << 50).contains(value) else {
            throw RecordProblem("\"\(name)\" is out of range: \(value)", member: name)
        }
        return Int(value)
    }

    fileprivate func histogram(_ name: String) throws(RecordProblem) -> Histogram {
        let fields = try object(name)
        do throws(HistogramDecodingError) {
            var histogram = try Histogram(
                base64Encoded: try fields.encodedHistogram(), configuration: Histogram.ofLatencies.configuration)
            guard histogram.count > 0 else { return histogram }
            guard let exact = fields.exactFigures() else { throw .inconsistentStatistics }
            try histogram.restore(minimum: exact.minimum, maximum: exact.maximum, sum: exact.sum)
            return histogram
        } catch {
            throw RecordProblem("\"\(name)\" is not a valid histogram: \(error)", member: name)
        }
    }

    private func encodedHistogram() throws(HistogramDecodingError) -> String {
        guard case .string(let text)? = self["histogram"] else { throw .invalidBase64 }
        return text
    }

    private func exactFigures() -> (minimum: Int64, maximum: Int64, sum: Int128)? {
        guard case .number(let minimum)? = self["min"], case .number(let maximum)? = self["max"],
            case .number(let sum)? = self["sum"], let minimum = minimum.int64, let maximum = maximum.int64,
            let sum = Int128(sum.literal)
        else { return nil }
        return (minimum, maximum, sum)
    }

    fileprivate func number(_ name: String) throws(RecordProblem) -> Double {
        guard case .number(let number)? = self[name], number.double.isFinite else {
            throw RecordProblem("\"\(name)\" is not a number", member: name)
        }
        return number.double
    }

    /// Decodes an exchange that carries the original sizes of its bodies itself.
    fileprivate func exchangeWithSizes() throws(RecordProblem) -> Exchange {
        var sizes = BodySizes.Pair()
        var exchange = try exchange(sizes: &sizes)
        exchange.request.wholeSize = sizes.request
        exchange.response?.wholeSize = sizes.response
        return exchange
    }
}
