import Reports

/// Reads the command line of a run without the argument parser.
///
/// The argument parser describes the whole program to itself before it reads an argument, which takes longer than a short run
/// does (`Documentation/start-up.md`). This one knows the options of `run` in their plain spelling and nothing else: it gives
/// up on everything that it is not sure of, and then the argument parser reads the same arguments, and says what is wrong.
struct QuickRunParser {
    /// What an option does with its value, false where it cannot take it.
    private typealias Assignment = (inout QuickRunParser, String) -> Bool

    /// What an option takes.
    private enum Option {
        case flag((inout QuickRunParser) -> Void)
        /// A value, once.
        case value(Assignment)
        /// A value each time.
        case values(Assignment)
    }

    private var suite = SuiteOptions.withDefaults
    private var schemas = SchemaFileOptions.withDefaults
    private var configuration = ConfigurationOptions.withDefaults
    private var selection = SelectionOptions.withDefaults
    private var execution = ExecutionOptions.withDefaults
    private var output = OutputOptions.withDefaults
    private var history = HistoryOptions.withDefaults
    private var coverage = CoverageOptions.withDefaults
    private var connection = ConnectionOptions.withDefaults
    private var command = RunCommand.withDefaults
    private var given: Set<String> = []

    private init() {}

    /// The command that arguments call.
    ///
    /// - Parameter arguments: The arguments without the program's name, with those of the project's defaults.
    /// - Returns: nil where the argument parser has to read them.
    static func command(_ arguments: [String]) -> RunCommand? {
        var parser = QuickRunParser()
        let rest = arguments.first == "run" ? arguments.dropFirst() : arguments[...]
        return parser.read(rest) ? parser.result() : nil
    }

    /// Takes all arguments; false when one is not plain.
    private mutating func read(_ arguments: ArraySlice<String>) -> Bool {
        var rest = arguments
        while let argument = rest.popFirst() {
            guard argument.utf8.first == UInt8(ascii: "-") else {
                guard !argument.isEmpty, !Self.isCommand(argument) else { return false }
                suite.paths.append(argument)
                continue
            }
            var name = argument
            var value: String?
            if let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) {
                let text = String(argument[argument.utf8.index(after: equals)...])
                guard argument.hasPrefix("--"), !text.isEmpty else { return false }
                name = String(argument[..<equals])
                value = text
            }
            switch Self.option(name) {
            case .flag(let set):
                guard value == nil else { return false }
                set(&self)
            case .value(let assign):
                guard given.insert(name).inserted, let value = value ?? Self.value(from: &rest),
                    assign(&self, value)
                else { return false }
            case .values(let assign):
                guard let value = value ?? Self.value(from: &rest), assign(&self, value) else { return false }
            case nil: return false
            }
        }
        return true
    }

    /// The argument behind an option; nil where it may be none of its value.
    private static func value(from rest: inout ArraySlice<String>) -> String? {
        guard let value = rest.popFirst(), !value.isEmpty, value.utf8.first != UInt8(ascii: "-"), !isCommand(value)
        else {
            return nil
        }
        return value
    }

    /// Whether an argument could call a command.
    private static func isCommand(_ argument: String) -> Bool {
        argument == "help" || OptionTable.commands.contains(argument)
    }

    /// The command with its options, unless one is refused.
    private func result() -> RunCommand? {
        var suite = suite
        suite.schemaOptions = schemas
        var output = output
        output.historyOptions = history
        var command = command
        command.suiteOptions = suite
        command.configurationOptions = configuration
        command.selectionOptions = selection
        command.executionOptions = execution
        command.outputOptions = output
        command.coverageOptions = coverage
        command.connectionOptions = connection
        do {
            try suite.validate()
            try schemas.validate()
            try configuration.validate()
            try selection.validate()
            try execution.validate()
            try history.validate()
            try coverage.validate()
            try connection.validate()
            try command.validate()
            return command
        } catch {
            return nil
        }
    }

    private static func option(_ name: String) -> Option? {
        switch name {
        case "--variable":
            .values {
                $0.suite.variable.append($1); return true
            }
        case "--variables-file":
            .values {
                $0.suite.variablesFile.append($1); return true
            }
        case "--environment":
            .value {
                $0.suite.environment = $1; return true
            }
        case "--contract":
            .value {
                $0.suite.contract = $1; return true
            }
        case "--schema":
            .values {
                $0.schemas.schema.append($1); return true
            }
        case "--file-root":
            .value {
                $0.suite.fileRoot = $1; return true
            }
        case "--color": .value { assign(ColorChoice(rawValue: $1), to: &$0.suite.color) }
        case "--config":
            .value {
                $0.configuration.config = $1; return true
            }
        case "--no-config": .flag { $0.configuration.noConfig = true }
        case "--tag":
            .values {
                $0.selection.tag.append($1); return true
            }
        case "--exclude-tag":
            .values {
                $0.selection.excludeTag.append($1); return true
            }
        case "--test":
            .values {
                $0.selection.test.append($1); return true
            }
        case "--failed":
            .value {
                $0.selection.failed = $1; return true
            }
        case "--shard":
            .value {
                $0.selection.shard = $1; return true
            }
        case "--durations":
            .value {
                $0.selection.durations = $1; return true
            }
        case "--jobs", "-j": .value { assign(Int($1), to: &$0.execution.jobs) }
        case "--fail-fast": .value { assign(Int($1), to: &$0.execution.failFast) }
        case "--retries": .value { assign(Int($1), to: &$0.execution.retries) }
        case "--timeout":
            .value {
                $0.execution.timeout = $1; return true
            }
        case "--repeat": .value { assign(Int($1), to: &$0.execution.repeat) }
        case "--shuffle": .flag { $0.execution.shuffle = true }
        case "--seed": .value { assign(UInt64($1), to: &$0.execution.seed) }
        case "--dry-run": .flag { $0.command.dryRun = true }
        case "--watch": .flag { $0.command.watch = true }
        case "--allow-only": .flag { $0.command.allowOnly = true }
        case "--locked": .flag { $0.command.locked = true }
        case "--baseline":
            .value {
                $0.command.baseline = $1; return true
            }
        case "--write-baseline":
            .value {
                $0.command.writeBaseline = $1; return true
            }
        default: outputOption(name)
        }
    }

    private static func outputOption(_ name: String) -> Option? {
        switch name {
        case "--report":
            .values {
                $0.output.report.append($1); return true
            }
        case "--update-snapshots": .flag { $0.output.updateSnapshots = true }
        case "--quiet", "-q": .flag { $0.output.quiet = true }
        case "--verbose", "-v": .flag { $0.output.verbose += 1 }
        case "--curl": .flag { $0.output.curl = true }
        case "--failure-output": .value { assign(FailureOutput(rawValue: $1), to: &$0.output.failureOutput) }
        case "--progress": .value { assign(ProgressChoice(rawValue: $1), to: &$0.output.progress) }
        case "--history":
            .value {
                $0.history.history = $1; return true
            }
        case "--revision":
            .value {
                $0.history.revision = $1; return true
            }
        case "--history-keep": .value { assign(Int($1), to: &$0.history.historyKeep) }
        case "--coverage": .flag { $0.coverage.coverage = true }
        case "--coverage-threshold": .value { assign(Double($1), to: &$0.coverage.coverageThreshold) }
        case "--insecure": .flag { $0.connection.insecure = true }
        case "--cacert":
            .value {
                $0.connection.authorities = $1; return true
            }
        case "--cert":
            .value {
                $0.connection.certificate = $1; return true
            }
        case "--key":
            .value {
                $0.connection.key = $1; return true
            }
        case "--proxy":
            .value {
                $0.connection.proxy = $1; return true
            }
        case "--resolve":
            .values {
                $0.connection.resolve.append($1); return true
            }
        default: nil
        }
    }

    private static func assign<Value>(_ value: Value?, to place: inout Value) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }

    private static func assign<Value>(_ value: Value?, to place: inout Value?) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }
}
