import Histogram
import JSON
import Output
import RunModel

/// The lines of a load.
extension RecordWriter {
    /// Writes the members of a second: its figures, with the times of requests as histograms.
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
        line.member("suite", summary.suite)
        line.member("profile", summary.profile)
        line.member("load", summary.load)
        line.write(summary.range)
        line.member("startTime", JSONNumber(summary.startTime) ?? 0)
        line.member("duration", summary.duration)
        line.member("iterations", summary.iterations)
        line.member("failedIterations", summary.failedIterations)
        write(summary.total)
        write("iterationDurations", summary.iterationDurations)
        write("lateness", summary.lateness)
        line.member("processorTime", summary.processorTime)
        line.member("eventLoops", summary.loops)
        if !summary.thresholds.isEmpty {
            line.beginArray("thresholds")
            for threshold in summary.thresholds {
                line.beginObject()
                write(threshold)
                line.endObject()
            }
            line.endArray()
        }
        if let abort = summary.abort {
            line.beginObject("abort")
            write(abort)
            line.endObject()
        }
        if summary.isCutShort { line.member("cutShort", true) }
        if summary.isAborted { line.member("aborted", true) }
        write(summary.invalidities)
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
            line.write([cause.finding])
            if let exchange = cause.exchange { line.write(exchange, sizes: BodySizes.Pair(of: exchange)) }
            line.endObject()
        }
        line.endArray()
        if summary.otherFailures > 0 { line.member("otherFailures", summary.otherFailures) }
        line.beginArray("slowest")
        for slow in summary.slowest {
            line.beginObject()
            line.member("step", slow.step)
            line.member("response", slow.response)
            line.member("time", slow.time)
            line.write(slow.exchange, sizes: BodySizes.Pair(of: slow.exchange))
            line.endObject()
        }
        line.endArray()
    }

    private mutating func write(_ condition: LoadSummary.Condition) {
        line.whole("source", condition.source)
        line.write(condition.range)
    }

    private mutating func write(_ invalidities: [LoadSummary.Invalidity]) {
        if invalidities.isEmpty { return }
        line.beginArray("invalid")
        for invalidity in invalidities {
            line.beginObject()
            switch invalidity {
            case .late(let p99, let response):
                line.member("reason", word: "late")
                line.member("lateness", p99)
                line.member("response", response)
            case .busy(let share):
                line.member("reason", word: "busy")
                line.member("share", JSONNumber(share) ?? 1)
            case .empty:
                line.member("reason", word: "empty")
            }
            line.endObject()
        }
        line.endArray()
    }

    private mutating func write(_ statistics: LoadStatistics) {
        line.member("requests", statistics.requests)
        line.member("failed", statistics.failed)
        write("response", statistics.response)
        write("service", statistics.service)
    }

    /// Writes a histogram with the exact figures that its encoding lacks.
    private mutating func write(_ name: StaticString, _ histogram: Histogram) {
        line.beginObject(name)
        line.whole("histogram", histogram.base64Encoded())
        if let minimum = histogram.minimum, let maximum = histogram.maximum {
            line.member("min", minimum)
            line.member("max", maximum)
            line.member("sum", JSONNumber(literal: String(histogram.sum)) ?? 0)
        }
        line.endObject()
    }
}
