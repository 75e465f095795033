import Histogram
import JSON
import Output
import RunModel

/// The lines of a load.
extension RecordWriter {
    /// Writes the members of a second: its figures, with the response times as a histogram.
    mutating func write(_ second: LoadSecond) {
        line.member("time", second.time)
        line.member("duration", second.duration)
        line.member("started", second.started)
        line.member("inFlight", second.inFlight)
        if second.isWarmup { line.member("warmup", true) }
        write(second.statistics)
    }

    /// Writes the members of a result.
    mutating func write(_ summary: LoadSummary) {
        line.member("profile", summary.profile)
        line.member("load", summary.load)
        line.member("duration", summary.duration)
        line.member("iterations", summary.iterations)
        line.member("failedIterations", summary.failedIterations)
        write(summary.total)
        line.member("iterationDurations", summary.iterationDurations.base64Encoded())
        line.member("lateness", summary.lateness.base64Encoded())
        line.member("processorTime", summary.processorTime)
        line.member("eventLoops", summary.loops)
        if summary.isCutShort { line.member("cutShort", true) }
        if !summary.invalidities.isEmpty {
            line.member("invalid", summary.invalidities.map(Self.word))
        }
        line.beginArray("steps")
        for step in summary.steps {
            line.beginObject()
            line.member("test", step.test)
            if let name = step.step { line.member("step", name) }
            write(step.statistics)
            line.endObject()
        }
        line.endArray()
        line.beginArray("causes")
        for cause in summary.causes {
            line.beginObject()
            line.member("step", cause.step)
            line.member("count", cause.count)
            line.member("message", cause.finding.message)
            if let trace = cause.exchange?.request.traceID { line.member("traceId", trace) }
            line.endObject()
        }
        line.endArray()
        if summary.otherFailures > 0 { line.member("otherFailures", summary.otherFailures) }
    }

    private static func word(_ invalidity: LoadSummary.Invalidity) -> String {
        switch invalidity {
        case .late: "late"
        case .busy: "busy"
        case .empty: "empty"
        }
    }

    private mutating func write(_ statistics: LoadStatistics) {
        line.member("requests", statistics.requests)
        line.member("failed", statistics.failed)
        line.member("response", statistics.response.base64Encoded())
        line.member("service", statistics.service.base64Encoded())
    }
}
