/// What functions like `now()`, `env()` and `file()` use of the world outside.
public struct CELContext: Sendable {
    /// How much one evaluation may do.
    public var budget: CELBudget
    /// The present time, for `now()`.
    public var clock: @Sendable () -> CELTimestamp
    /// Where `random()`, `randomString()` and `uuid()` take their numbers from.
    public var random: CELRandomSource
    /// Looks up an environment variable for `env()`.
    public var environment: @Sendable (String) -> String?
    /// Reads a file for `file()`; the thrown error's description is the message.
    public var readFile: @Sendable (String) throws -> [UInt8]

    /// Makes a context; without arguments there is no environment and no file.
    public init(
        budget: CELBudget = CELBudget(),
        random: CELRandomSource = CELRandomSource(),
        clock: @escaping @Sendable () -> CELTimestamp = { CELTimestamp.now },
        environment: @escaping @Sendable (String) -> String? = { _ in nil },
        readFile: @escaping @Sendable (String) throws -> [UInt8] = { _ in throw CELFileError("no files here") }
    ) {
        self.budget = budget
        self.clock = clock
        self.random = random
        self.environment = environment
        self.readFile = readFile
    }

    /// A context in which an expression has the value that it will have in this one: with a random source of its own that
    /// gives the same numbers, and a clock that stands still.
    public func repeatable() -> CELContext {
        var context = self
        let now = clock()
        context.random = random.copy()
        context.clock = { now }
        return context
    }
}
