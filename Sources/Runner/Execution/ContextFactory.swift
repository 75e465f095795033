import Basics
import CEL
import RunModel
import SuiteModel

/// A factory for the contexts in which a run's expressions are evaluated.
///
/// Each test has its own random source, seeded with the run's seed and the position of the test. With the same seed, a
/// test therefore gets the same values regardless of the order in which the tests run.
struct ContextFactory: Sendable {
    private let seed: UInt64
    /// The lookup of `env()` in each suite: first the environment of the process, then the suite's dotenv files.
    private let environments: [@Sendable (String) -> String?]
    private let files: FileAccess
    /// The reader of files relative to each suite, which all of its tests share.
    private let readers: [@Sendable (String) throws -> [UInt8]]
    /// For each suite, a number derived from its path and document index.
    private let suiteSeeds: [UInt64]

    /// Creates a factory for the suites of a plan.
    init(options: RunOptions, files: FileAccess, suites: [Suite]) {
        let variables = options.environment
        seed = options.seed
        environments = suites.map { suite in
            let dotenv = suite.dotenv
            if dotenv.isEmpty { return { variables[$0] } }
            return { variables[$0] ?? dotenv[$0] }
        }
        self.files = files
        readers = suites.map { Self.reader(of: files, directory: $0.directory) }
        suiteSeeds = suites.map { suite in
            // Combines the path and the document's index.
            (Self.hash(suite.path) ^ UInt64(suite.documentIndex)) &* 0x0000_0100_0000_01B3
        }
    }

    /// Returns the context of one attempt of a test. Each attempt and each repetition has its own random values.
    ///
    /// - Parameter attempt: The number of the attempt, starting at 1.
    func context(for entry: TestPlan.Entry, attempt: Int) -> CELContext {
        let row = UInt64(truncatingIfNeeded: entry.row ?? 0) &* 0xA24B_AED4_963E_E407
        let retry = UInt64(truncatingIfNeeded: attempt &- 1) &* 0xBF58_476D_1CE4_E5B9
        let round = UInt64(truncatingIfNeeded: entry.round) &* 0x94D0_49BB_1331_11EB
        return context(
            suite: entry.suite,
            seed: suiteSeeds[entry.suite] &+ UInt64(entry.test) &* SplitMix64.increment ^ row ^ retry ^ round,
            reader: readers[entry.suite])
    }

    /// Returns the context of expressions that belong to the suite rather than a test: the base URL and the server.
    func context(forSuite index: Int, directory: String) -> CELContext {
        context(suite: index, seed: suiteSeeds[index] ^ 0xA5A5_A5A5_A5A5_A5A5, directory: directory)
    }

    /// Returns the context of a suite's variable.
    func context(forSuite index: Int, variable: Int, directory: String) -> CELContext {
        context(
            suite: index, seed: suiteSeeds[index] ^ (UInt64(variable) &+ 1) &* 0xD6E8_FEB8_6659_FD93,
            directory: directory)
    }

    /// Returns the context of a fragment: the caller's context, but with files of another directory.
    func context(_ base: CELContext, directory: String) -> CELContext {
        var context = base
        context.readFile = Self.reader(of: files, directory: directory)
        return context
    }

    /// Returns the context of a shared call, whose random values depend on the call and not on the caller.
    ///
    /// - Parameter text: The text that identifies the call.
    func context(forShared text: String, suite: Int, directory: String) -> CELContext {
        context(suite: suite, seed: Self.hash(text), directory: directory)
    }

    /// Returns the 64-bit FNV-1a hash of a string.
    private static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    private func context(suite: Int, seed suiteSeed: UInt64, directory: String) -> CELContext {
        context(suite: suite, seed: suiteSeed, reader: Self.reader(of: files, directory: directory))
    }

    private func context(
        suite: Int, seed suiteSeed: UInt64, reader: @escaping @Sendable (String) throws -> [UInt8]
    ) -> CELContext {
        CELContext(
            random: CELRandomSource(seed: seed ^ suiteSeed), environment: environments[suite], readFile: reader)
    }

    private static func reader(of files: FileAccess, directory: String) -> @Sendable (String) throws -> [UInt8] {
        { path in
            do throws(FileAccess.Failure) {
                return try files.read(path, relativeTo: directory)
            } catch {
                throw CELFileError(error.message)
            }
        }
    }
}

/// The evaluation of an `if` condition.
enum ConditionCheck {
    /// The result of a condition.
    enum Result {
        /// The condition is true.
        case met
        /// The condition is false, so the test or step is skipped.
        case unmet(reason: String)
        /// The evaluation failed, or the value is not a Boolean.
        case failed(Finding)
    }

    /// Evaluates a condition.
    static func result(
        _ condition: EmbeddedExpression, scope: some CELScope, context: CELContext
    ) -> Result {
        let source = condition.expression.source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        do {
            switch try condition.value(in: scope, context: context) {
            case .bool(true): return .met
            case .bool(false): return .unmet(reason: "if: \(source) is false")
            case let value:
                return .failed(
                    Finding(
                        kind: .error, subject: "if", type: .init("type"),
                        message: "\(source) must be true or false, got a value of type \(value.typeName)",
                        range: condition.range))
            }
        } catch {
            return .failed(
                Finding(
                    kind: .error, subject: "if", type: .expression, message: error.message,
                    range: error.range))
        }
    }
}
