import Synchronization

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

/// A scope of given values.
public struct CELVariables: CELScope, Sendable, ExpressibleByDictionaryLiteral {
    private var values: [String: CELValue]

    /// Makes a scope.
    public init(_ values: [String: CELValue] = [:]) {
        self.values = values
    }

    /// Makes a scope; of several values of one name the last one counts.
    public init(dictionaryLiteral elements: (String, CELValue)...) {
        values = Dictionary(elements, uniquingKeysWith: { _, last in last })
    }

    /// The names of the variables, in no particular order.
    public var names: [String] { Array(values.keys) }

    /// The value of a variable.
    public subscript(_ name: String) -> CELValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The value of a variable, or nil when there is none of that name.
    public func value(of name: String) -> CELValue? { values[name] }
}

/// Gives the variables of an expression their values.
public protocol CELScope {
    /// The names of the variables, in any order; only asked for to say which one an unknown name was probably meant to be.
    ///
    /// None by default, for scopes that cannot list them.
    var names: [String] { get }

    /// The value of a variable, or nil when there is none of that name.
    ///
    /// - Throws: Why a variable that is there has no value.
    func value(of name: String) throws(CELEvaluationError) -> CELValue?
}

extension CELScope {
    /// No names.
    public var names: [String] { [] }
}

/// How much an evaluation may do before it ends in an error.
public struct CELBudget: Sendable, Hashable {
    /// The number of operations; long texts and lists count as many.
    public var maximumSteps: Int
    /// The size of the text and of the lists that the evaluation makes, in bytes.
    public var maximumMemory: Int

    /// Makes a budget; the defaults allow about a second's work and 64 MiB.
    public init(maximumSteps: Int = 10_000_000, maximumMemory: Int = 64 << 20) {
        self.maximumSteps = maximumSteps
        self.maximumMemory = maximumMemory
    }
}

/// A repeatable source of random numbers that several evaluations can share.
public final class CELRandomSource: Sendable {
    private let state: Mutex<UInt64>

    /// Makes a source that gives the same numbers for the same seed.
    public init(seed: UInt64) {
        state = Mutex(seed)
    }

    /// Makes a source that gives other numbers every time.
    public convenience init() {
        var generator = SystemRandomNumberGenerator()
        self.init(seed: generator.next())
    }

    /// A source that gives the same numbers as this one from now on.
    func copy() -> CELRandomSource { CELRandomSource(seed: state.withLock { $0 }) }

    /// The next 64 random bits (SplitMix64).
    public func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }

    /// A number below the bound, all of them being equally likely; zero for a bound of zero.
    func next(below bound: UInt64) -> UInt64 {
        guard bound > 0 else { return 0 }
        // Numbers of the incomplete last stretch are thrown away, so that none is more likely.
        let limit = UInt64.max - UInt64.max % bound
        while true {
            let bits = next()
            if bits < limit { return bits % bound }
        }
    }
}
