import Histogram
import RunModel

/// The sum of the results of a load's shards, as if one process had counted all requests.
struct SummedLoad {
    private struct CauseKey: Hashable {
        var step: String
        var message: String

        init(_ cause: LoadSummary.Cause) {
            step = cause.step
            message = cause.finding.message
        }
    }

    private struct StepKey: Hashable {
        var name: String
        /// The number of steps of the same name before it.
        var repetition: Int
    }

    /// The maximum number of causes. Further failures are counted together.
    private static let maximumCauses = 200
    /// The number of slowest requests that are kept.
    private static let slowest = 10

    private var sum: LoadSummary
    /// The earliest start and the latest end of the measured part, in nanoseconds since the start of the whole load.
    private var (start, end): (Int64, Int64)
    private var causes: [CauseKey: Int] = [:]

    /// Creates the sum of one part.
    ///
    /// - Parameter offset: Nanoseconds from the start of the whole load to the start of the part.
    init(_ summary: LoadSummary, offset: Int64) {
        sum = summary
        (start, end) = (offset, offset.plus(summary.duration))
        for (index, cause) in summary.causes.enumerated() { causes[CauseKey(cause)] = index }
        for index in sum.causes.indices { sum.causes[index].exchange?.move(by: offset) }
        for index in sum.slowest.indices { sum.slowest[index].move(by: offset) }
    }

    /// The result of the whole load.
    var summary: LoadSummary {
        var summary = sum
        summary.duration = max(0, end - start)
        // The order of equal counts is that of the records.
        summary.causes = sum.causes.enumerated()
            .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map(\.element)
        if summary.total.requests > 0 { summary.invalidities.removeAll { $0 == .empty } }
        if summary.total.requests == 0, !summary.invalidities.contains(.empty) { summary.invalidities.append(.empty) }
        return summary
    }

    /// Adds the result of another part.
    ///
    /// - Parameter offset: Nanoseconds from the start of the whole load to the start of the part.
    mutating func add(_ other: LoadSummary, _ offset: Int64) {
        sum.startTime = min(sum.startTime, other.startTime)
        start = min(start, offset)
        end = max(end, offset.plus(other.duration))
        sum.iterations += other.iterations
        sum.failedIterations += other.failedIterations
        // The reader accepts only histograms of one configuration, so merging them does not fail.
        try? sum.total.merge(other.total)
        try? sum.iterationDurations.merge(other.iterationDurations)
        try? sum.lateness.merge(other.lateness)
        sum.processorTime = sum.processorTime.plus(other.processorTime)
        sum.loops += other.loops
        sum.isCutShort = sum.isCutShort || other.isCutShort
        sum.isAborted = sum.isAborted || other.isAborted
        sum.otherFailures += other.otherFailures
        add(other.steps)
        for cause in other.causes { add(cause, offset) }
        add(other.slowest, offset)
        for invalidity in other.invalidities { add(invalidity) }
    }

    /// Adds figures to those of the same steps, with new steps after those that precede them.
    private mutating func add(_ steps: [LoadSummary.Step]) {
        let known = Self.keys(of: sum.steps)
        var indices = Dictionary(uniqueKeysWithValues: zip(known, known.indices))
        var next = 0
        for (key, step) in zip(Self.keys(of: steps), steps) {
            if let index = indices[key] {
                try? sum.steps[index].statistics.merge(step.statistics)
                next = index + 1
            } else {
                sum.steps.insert(step, at: next)
                for (other, index) in indices where index >= next { indices[other] = index + 1 }
                indices[key] = next
                next += 1
            }
        }
    }

    private static func keys(of steps: [LoadSummary.Step]) -> [StepKey] {
        var counts: [String: Int] = [:]
        return steps.map { step in
            defer { counts[step.name, default: 0] += 1 }
            return StepKey(name: step.name, repetition: counts[step.name] ?? 0)
        }
    }

    private mutating func add(_ cause: LoadSummary.Cause, _ offset: Int64) {
        let key = CauseKey(cause)
        if let index = causes[key] {
            sum.causes[index].count += cause.count
        } else if sum.causes.count < Self.maximumCauses {
            causes[key] = sum.causes.count
            var cause = cause
            cause.exchange?.move(by: offset)
            sum.causes.append(cause)
        } else {
            sum.otherFailures += cause.count
        }
    }

    private mutating func add(_ requests: [LoadSummary.SlowRequest], _ offset: Int64) {
        let moved = requests.map { request in
            var request = request
            request.move(by: offset)
            return request
        }
        // The sort is stable, so that equal times stay in the order of the records.
        sum.slowest = Array((sum.slowest + moved).sorted { $0.response > $1.response }.prefix(Self.slowest))
    }

    /// Adds a reason for which the figures of a part are invalid, and keeps the worse of two of one kind.
    private mutating func add(_ invalidity: LoadSummary.Invalidity) {
        for (index, known) in sum.invalidities.enumerated() {
            switch (known, invalidity) {
            case (.late(let left, _), .late(let right, _)):
                if right > left { sum.invalidities[index] = invalidity }
                return
            case (.busy(let left), .busy(let right)):
                if right > left { sum.invalidities[index] = invalidity }
                return
            case (.empty, .empty): return
            case (.late, _), (.busy, _), (.empty, _): continue
            }
        }
        sum.invalidities.append(invalidity)
    }
}

extension LoadSummary.SlowRequest {
    /// Shifts all times by a number of nanoseconds.
    fileprivate mutating func move(by offset: Int64) {
        time = time.plus(offset)
        exchange.move(by: offset)
    }
}

extension Exchange {
    /// Shifts the start by a number of nanoseconds.
    fileprivate mutating func move(by offset: Int64) {
        start = start.plus(offset)
    }
}
