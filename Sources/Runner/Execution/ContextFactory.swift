import Basics
import CEL
import RunModel
import SuiteModel

/// Makes the contexts in which a run's expressions are evaluated.
///
/// Each test has a random source of its own, seeded by the run's seed and the test's place, so that a seed gives every
/// test the same values whatever order the tests run in.
struct ContextFactory: Sendable {
    private let seed: UInt64
    /// What `env()` gives in each suite: the process's environment, then the suite's files.
    private let environments: [@Sendable (String) -> String?]
    private let files: FileAccess
    /// For each suite, a number that tells it from the others by its path.
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
        suiteSeeds = suites.map { suite in
            // Over the path and the document's index.
            (Self.hash(suite.path) ^ UInt64(suite.documentIndex)) &* 0x0000_0100_0000_01B3
        }
    }

    /// The context of an attempt of a test; each attempt and each round has random values of its own.
    ///
    /// - Parameter attempt: the number of the attempt, from 1.
    func context(for entry: TestPlan.Entry, attempt: Int, folder: String) -> CELContext {
        let row = UInt64(truncatingIfNeeded: entry.row ?? 0) &* 0xA24B_AED4_963E_E407
        let retry = UInt64(truncatingIfNeeded: attempt &- 1) &* 0xBF58_476D_1CE4_E5B9
        let round = UInt64(truncatingIfNeeded: entry.round) &* 0x94D0_49BB_1331_11EB
        return context(
            suite: entry.suite,
            seed: suiteSeeds[entry.suite] &+ UInt64(entry.test) &* SplitMix64.increment ^ row ^ retry ^ round,
            folder: folder)
    }

    /// The context of what belongs to a suite and no test: its base URL and its server.
    func context(forSuite index: Int, folder: String) -> CELContext {
        context(suite: index, seed: suiteSeeds[index] ^ 0xA5A5_A5A5_A5A5_A5A5, folder: folder)
    }

    /// The context of a suite's variable.
    func context(forSuite index: Int, variable: Int, folder: String) -> CELContext {
        context(
            suite: index, seed: suiteSeeds[index] ^ (UInt64(variable) &+ 1) &* 0xD6E8_FEB8_6659_FD93, folder: folder)
    }

    /// The context of a fragment: that of its caller, with files of another folder.
    func context(_ base: CELContext, folder: String) -> CELContext {
        var context = base
        context.readFile = reader(of: folder)
        return context
    }

    /// The context of a call that a run makes once: its random values depend on the call, and not on who makes it.
    ///
    /// - Parameter text: What tells the call from others.
    func context(forShared text: String, suite: Int, folder: String) -> CELContext {
        context(suite: suite, seed: Self.hash(text), folder: folder)
    }

    /// FNV-1a.
    private static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    private func context(suite: Int, seed suiteSeed: UInt64, folder: String) -> CELContext {
        CELContext(
            random: CELRandomSource(seed: seed ^ suiteSeed), environment: environments[suite],
            readFile: reader(of: folder))
    }

    private func reader(of folder: String) -> @Sendable (String) throws -> [UInt8] {
        let files = files
        return { path in
            do throws(FileAccess.Failure) {
                return try files.read(path, relativeTo: folder)
            } catch {
                throw CELFileError(error.message)
            }
        }
    }
}

/// The check of an `if`.
enum ConditionCheck {
    /// What becomes of what has the condition.
    enum Result {
        /// It is done.
        case met
        /// It is skipped.
        case unmet(reason: String)
        /// The condition has no value, or one that is neither true nor false.
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
                        message: "\(source) gives a value of type \(value.typeName), where true or false is needed",
                        range: condition.range))
            }
        } catch {
            return .failed(
                Finding(kind: .error, subject: "if", type: .expression, message: error.message, range: error.range))
        }
    }
}
