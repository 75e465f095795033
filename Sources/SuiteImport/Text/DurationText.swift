/// The notation of durations in suites.
enum DurationText {
    /// Returns milliseconds as a duration.
    ///
    /// Longer ones than a suite can have, which is about 300 years, become about 30 years.
    static func milliseconds(_ milliseconds: Int) -> String {
        let milliseconds = min(milliseconds, 1_000_000_000_000)
        return milliseconds >= 1_000 && milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
    }

    /// Returns seconds as a duration; nil for less than a millisecond, or for a million seconds or more.
    static func seconds(_ seconds: Double) -> String? {
        (0.001..<1_000_000).contains(seconds) ? milliseconds(Int((seconds * 1_000).rounded())) : nil
    }
}
