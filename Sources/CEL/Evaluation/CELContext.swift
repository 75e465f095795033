public import Basics
import Synchronization

/// The environment of an evaluation, which functions such as `now()`, `env()`, and `file()` use.
public struct CELContext: Sendable {
    /// The limits of one evaluation.
    public var budget: CELBudget
    /// A closure that returns the current time for `now()`.
    public var clock: @Sendable () -> CELTimestamp
    /// The source of random numbers for `random()`, `randomString()`, `uuid()`, and `fake.name()` and similar functions.
    public var random: CELRandomSource
    /// A closure that returns an environment variable for `env()`.
    public var environment: @Sendable (String) -> String?
    /// A closure that reads a file for `file()`. The description of a thrown error becomes the message.
    public var readFile: @Sendable (String) throws -> [UInt8]

    /// Creates a context; by default, it has no environment variables and no files.
    public init(
        budget: CELBudget = CELBudget(),
        random: CELRandomSource = CELRandomSource(),
        clock: @escaping @Sendable () -> CELTimestamp = { CELTimestamp.now },
        environment: @escaping @Sendable (String) -> String? = { _ in nil },
        readFile: @escaping @Sendable (String) throws -> [UInt8] = { _ in
            throw CELFileError("reading files is not allowed here")
        }
    ) {
        self.budget = budget
        self.clock = clock
        self.random = random
        self.environment = environment
        self.readFile = readFile
    }

    /// Returns a context in which an expression evaluates to the same value as it will in this one.
    ///
    /// The copy has its own random source in the same state, and a fixed time.
    public func repeatable() -> CELContext {
        var context = self
        let now = clock()
        context.random = random.copy()
        context.clock = { now }
        return context
    }
}

/// A scope with a fixed set of variables.
public struct CELVariables: CELScope, Sendable, ExpressibleByDictionaryLiteral {
    private var values: [String: CELValue]

    /// Creates a scope with variables.
    public init(_ values: [String: CELValue] = [:]) {
        self.values = values
    }

    /// Creates a scope with variables; if a name occurs several times, the last value wins.
    public init(dictionaryLiteral elements: (String, CELValue)...) {
        values = Dictionary(elements, uniquingKeysWith: { _, last in last })
    }

    /// The names of the variables, in no particular order.
    public var names: [String] { Array(values.keys) }

    /// Accesses the value of a variable.
    public subscript(_ name: String) -> CELValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Returns the value of a variable; nil if it does not exist.
    public func value(of name: String) -> CELValue? { values[name] }
}

/// A provider of the variables of an expression.
public protocol CELScope {
    /// The names of the variables, in any order. Used only to suggest a name for an unknown variable.
    ///
    /// The default is an empty array, for scopes that cannot list their variables.
    var names: [String] { get }

    /// Returns the value of a variable; nil if it does not exist.
    ///
    /// - Throws: ``CELEvaluationError`` if the variable exists but its value cannot be determined.
    func value(of name: String) throws(CELEvaluationError) -> CELValue?
}

extension CELScope {
    /// An empty array.
    public var names: [String] { [] }
}

/// The limits of an evaluation; exceeding them is an error.
public struct CELBudget: Sendable, Hashable {
    /// The maximum number of operations; operations on long strings and lists count as several.
    public var maximumSteps: Int
    /// The maximum total size of the strings and lists that the evaluation creates, in bytes.
    public var maximumMemory: Int

    /// Creates a budget; the defaults allow about one second of work and 64 MiB.
    public init(maximumSteps: Int = 10_000_000, maximumMemory: Int = 64 << 20) {
        self.maximumSteps = maximumSteps
        self.maximumMemory = maximumMemory
    }
}

/// A seeded, thread-safe random number generator that evaluations can share.
public final class CELRandomSource: Sendable {
    private let generator: Mutex<SplitMix64>

    /// Creates a source whose numbers depend only on the seed.
    public init(seed: UInt64) {
        generator = Mutex(SplitMix64(seed: seed))
    }

    /// Creates a source with a random seed.
    public convenience init() {
        var generator = SystemRandomNumberGenerator()
        self.init(seed: generator.next())
    }

    /// Returns a source that produces the same numbers as this one from now on.
    func copy() -> CELRandomSource { CELRandomSource(seed: generator.withLock { $0.state }) }

    /// The next 64 random bits.
    public func next() -> UInt64 { generator.withLock { $0.next() } }

    /// Returns a random UUID in lowercase (RFC 9562, version 4).
    package func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (position, word) in [high, low].enumerated() {
            for shift in stride(from: 60, through: 0, by: -4) {
                if (position == 0 && (shift == 28 || shift == 12)) || (position == 1 && (shift == 60 || shift == 44)) {
                    text.append(UInt8(ascii: "-"))
                }
                text.append(Hexadecimal.digit(UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 0xF))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns a uniformly distributed number below a bound; zero if the bound is zero.
    func next(below bound: UInt64) -> UInt64 {
        guard bound > 0 else { return 0 }
        // Rejecting the incomplete last range avoids modulo bias.
        let limit = UInt64.max - UInt64.max % bound
        while true {
            let bits = next()
            if bits < limit { return bits % bound }
        }
    }
}
