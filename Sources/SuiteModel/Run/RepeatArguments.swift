/// The arguments of the program that a part of the run is repeated with.
public struct RepeatArguments: Sendable, Hashable {
    /// The paths of suites, as they were given.
    public var paths: [String]
    /// The options without which the tests would run otherwise, such as the environment, each with its value.
    public var options: [String]

    /// Creates arguments.
    public init(paths: [String] = [], options: [String] = []) {
        self.paths = paths
        self.options = options
    }
}
