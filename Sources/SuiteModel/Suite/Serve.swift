public import Diagnostics

/// What a suite starts for its run and stops afterwards.
public enum Serve: Sendable {
    /// The built-in mock server, in process, from a mock file.
    case mock(MockDefinition, range: SourceRange)
    /// A child process.
    case command(Command)

    /// A child process that serves what is tested.
    public struct Command: Sendable {
        /// The program and its arguments; `${port}` is the free port chosen for the run.
        public var arguments: [Template]
        /// Variables added to the process's environment.
        public var environment: [(name: String, value: Template)]
        /// The request that answers with a 2xx status once the server is ready; nil waits for the port to accept.
        public var ready: (method: String, url: Template)?
        /// How long readiness may take, in nanoseconds.
        public var within: Int64
        /// The file (absolute path) that takes the process's output; nil keeps the end of it in memory.
        public var log: String?
        /// The working folder, absolute: the suite's.
        public var folder: String
        /// The place of the `command` key's value.
        public var range: SourceRange

        /// Creates a command.
        public init(
            arguments: [Template], environment: [(name: String, value: Template)] = [],
            ready: (method: String, url: Template)? = nil, within: Int64 = 30_000_000_000, log: String? = nil,
            folder: String, range: SourceRange
        ) {
            self.arguments = arguments
            self.environment = environment
            self.ready = ready
            self.within = within
            self.log = log
            self.folder = folder
            self.range = range
        }
    }
}
