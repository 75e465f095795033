import SuiteModel

/// The level of a load over time: the rate of iterations, or the number of users.
///
/// It is piecewise linear. The times of the iterations follow from it alone, not from the responses, so a slow server
/// does not delay the start of an iteration.
struct LoadSchedule {
    /// A part of the schedule.
    private struct Segment {
        /// The start, in seconds.
        var start: Double
        /// The duration, in seconds.
        var length: Double
        /// The level at the start.
        var from: Double
        /// The change of the level per second.
        var slope: Double
        /// The number of iterations that started before the segment, as a fraction.
        var before: Double

        /// Returns the number of iterations that start within a number of seconds.
        func iterations(in seconds: Double) -> Double { seconds * (from + slope * seconds / 2) }
    }

    private var segments: [Segment] = []
    /// The duration of the schedule, in nanoseconds.
    private(set) var duration: Int64 = 0
    /// The highest level.
    private(set) var maximum: Double = 0
    /// The number of iterations in the open model.
    private(set) var iterations: Int = 0

    /// Creates the schedule of a load.
    ///
    /// Before its first stage, a load whose first stage has a target is at 0, and any other at its level.
    ///
    /// - Parameters:
    ///   - level: The rate per second, or the number of users.
    ///   - stages: The stages, each with the target of its end.
    init(level: Double, stages: [LoadProfile.Stage]) {
        var current = stages.first?.target == nil ? level : 0
        var before = 0.0
        maximum = current
        for stage in stages where stage.duration > 0 {
            let length = Double(stage.duration) / 1e9
            let target = stage.target ?? current
            let segment = Segment(
                start: Double(duration) / 1e9, length: length, from: current, slope: (target - current) / length,
                before: before)
            segments.append(segment)
            before += segment.iterations(in: length)
            duration += stage.duration
            current = target
            maximum = max(maximum, target)
        }
        // An iteration that would start at the very end is not started. Rounding errors of the sum do not add one.
        iterations = Int(max(0, (before - 1e-6).rounded(.up)))
    }

    /// Returns the level at a time, in nanoseconds since the start.
    func level(at time: Int64) -> Double {
        let seconds = Double(time) / 1e9
        guard let segment = segments.last(where: { $0.start <= seconds }), time < duration else { return 0 }
        return segment.from + segment.slope * (seconds - segment.start)
    }

    /// Returns the time at which an iteration of the open model starts, in nanoseconds since the start; nil if the
    /// schedule has fewer iterations.
    ///
    /// - Parameter iteration: The index of the iteration, from 0.
    func start(of iteration: Int) -> Int64? {
        guard iteration < iterations else { return nil }
        let number = Double(iteration)
        guard let segment = segments.last(where: { $0.before <= number && $0.from + abs($0.slope) > 0 }) else {
            return nil
        }
        // The solution of the quadratic equation in the form that is exact for a slope of 0, too.
        let count = number - segment.before
        let root = max(0, segment.from * segment.from + 2 * segment.slope * count).squareRoot()
        let seconds = count == 0 ? 0 : 2 * count / (segment.from + root)
        return min(duration, Int64((segment.start + min(seconds, segment.length)) * 1e9))
    }

    /// Returns the earliest time, not before a given one, at which a user of the closed model runs; nil if there is none.
    ///
    /// - Parameter user: The index of the user, from 0. It runs while the level exceeds the index.
    func activation(ofUser user: Int, from time: Int64) -> Int64? {
        let threshold = Double(user)
        if level(at: time) > threshold { return time }
        let seconds = Double(time) / 1e9
        for segment in segments where segment.start + segment.length > seconds {
            let begin = max(segment.start, seconds)
            let level = segment.from + segment.slope * (begin - segment.start)
            if level > threshold { return Int64((begin * 1e9).rounded(.up)) }
            guard segment.slope > 0 else { continue }
            let end = segment.from + segment.slope * segment.length
            guard end > threshold else { continue }
            let crossing = segment.start + (threshold - segment.from) / segment.slope
            // A nanosecond later, so that the level exceeds the threshold.
            return Int64((crossing * 1e9).rounded(.up)) + 1
        }
        return nil
    }
}
