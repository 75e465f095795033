import Basics
import CEL
import RunModel
import SuiteModel

/// Runs the programs that provide the values of secrets, each once per run.
struct SecretCommands: Sendable {
    private let plan: TestPlan
    private let suites: [SuiteRun]
    private let contexts: ContextFactory
    private let renderer: CommandRenderer
    /// The results so far, by the program that was run.
    private var results: [CommandProcess.Identity: CommandProcess.Result] = [:]

    /// The maximum number of lines of the standard error in a finding.
    private static let maximumLines = 10

    /// Creates a runner of the programs of a plan.
    init(plan: TestPlan, suites: [SuiteRun], contexts: ContextFactory, renderer: CommandRenderer) {
        self.plan = plan
        self.suites = suites
        self.contexts = contexts
        self.renderer = renderer
    }

    /// Returns the secrets of each suite that its planned tests need, by the index of the suite.
    static func needed(by plan: TestPlan, given variables: [String: CELValue]) -> [Int: [SecretCommand]] {
        var needed: [Int: Set<String>] = [:]
        for suite in plan.suites.indices where !plan.suites[suite].secretCommands.isEmpty { needed[suite] = [] }
        if needed.isEmpty { return [:] }
        for entry in plan.tests {
            guard needed[entry.suite] != nil else { continue }
            needed[entry.suite]?.formUnion(plan.suites[entry.suite].tests[entry.test].neededSecrets)
        }
        var commands: [Int: [SecretCommand]] = [:]
        for (suite, names) in needed {
            let chosen = plan.suites[suite].secretCommands.filter { secret in
                (secret.isAlwaysNeeded || names.contains(secret.name)) && variables[secret.name] == nil
            }
            if !chosen.isEmpty { commands[suite] = chosen }
        }
        // Suites that share a server start together, when all of their secrets are known.
        let sharing = plan.suites.indices.filter { plan.suites[$0].sharesServer }
        if sharing.contains(where: { commands[$0] != nil }) {
            for suite in sharing where commands[suite] == nil { commands[suite] = [] }
        }
        return commands
    }

    /// Runs programs of a suite, and sets its variables to their output.
    ///
    /// - Returns: The finding for the first program that fails; nil if all secrets have a value.
    mutating func resolve(_ secrets: [SecretCommand], ofSuite index: Int) async -> Finding? {
        let run = suites[index]
        let directory = run.suite.directory
        let context = contexts.context(forSuite: index, directory: directory)
        for secret in secrets {
            let process: CommandProcess
            let execution: CommandExecution
            do {
                (process, execution) = try renderer.process(
                    secret.command, in: SuiteVariableScope(run: run), context: context, directory: directory)
            } catch {
                return Finding(
                    kind: .error, subject: "secrets", type: .expression, message: error.message,
                    range: error.range)
            }
            let result: CommandProcess.Result
            if let known = results[process.identity] {
                result = known
            } else {
                result = await process.run()
                results[process.identity] = result
            }
            let value = CommandExecution.trimmed(String(decoding: result.output.bytes, as: UTF8.self))
            if let problem = problem(result, value) {
                let errors = String(decoding: result.errors.bytes, as: UTF8.self).split(separator: "\n")
                return Finding(
                    kind: .error, subject: "secrets", type: .init("secret-command"),
                    message: "the secret \"\(secret.name)\" has no value: \(problem): \(execution.line)",
                    range: secret.command.range,
                    details: errors.suffix(Self.maximumLines).map { MessageText(String($0)) })
            }
            run.variables.set(.string(value), of: secret.name)
            run.registerSecret(.string(value), of: secret.name)
        }
        return nil
    }

    /// Returns the reason why a result is not the value of a secret; nil if it is.
    private func problem(_ result: CommandProcess.Result, _ value: String) -> MessageText? {
        switch result.ending {
        case .notStarted(let message): message
        case .timedOut: "the command did not exit in time"
        case .cancelled: "the run was interrupted"
        case .ended(.signal(let signal)): "the command was terminated by signal \(signal)"
        case .ended(.exit(let status)) where status != 0: "the command exited with status \(status)"
        case .ended: value.isEmpty ? "the command wrote nothing to its standard output" : nil
        }
    }
}

extension CommandProcess {
    /// The properties that determine the output of a program.
    struct Identity: Hashable, Sendable {
        fileprivate var arguments: [String]
        fileprivate var environment: Set<String>
        fileprivate var directory: String
        fileprivate var input: [UInt8]
    }

    /// The properties that determine the output of the program.
    var identity: Identity {
        Identity(arguments: arguments, environment: Set(environment), directory: directory, input: input)
    }
}
