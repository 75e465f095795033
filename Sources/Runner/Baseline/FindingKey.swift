import SuiteModel

/// What makes two findings the same from run to run: where they are and what they say, without what changes by itself.
public struct FindingKey: Sendable, Hashable {
    /// The path of the suite's file, relative to the folder of the baseline.
    public var suite: String
    /// The index of the suite's document in its file, from 0.
    public var document = 0
    /// The test's name, without a round.
    public var test: String
    /// The step's name; nil for a test that is a single exchange.
    public var step: String?
    /// What was looked at.
    public var subject: String
    /// The kind of the expectation or error.
    public var type: String
    /// What is wrong, with numbers and identifiers replaced.
    public var message: String

    /// What people are shown: `list books › status: expected 200, got 500`.
    var title: String {
        let place = step.map { "\(test) › \($0)" } ?? test
        return "\(place) › \(subject): \(message)"
    }
}
