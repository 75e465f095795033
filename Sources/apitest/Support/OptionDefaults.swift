// What the options are when none is given, for the command lines that are read without the argument parser. A test compares
// these values with the parser's.

import Reports

extension SuiteOptions {
    /// The options when none is given, without those of schemas.
    static var withDefaults: SuiteOptions {
        var options = SuiteOptions()
        options.paths = []
        options.variable = []
        options.variablesFile = []
        options.environment = nil
        options.contract = nil
        options.fileRoot = nil
        options.color = .auto
        return options
    }
}

extension SchemaFileOptions {
    /// The options when none is given.
    static var withDefaults: SchemaFileOptions {
        var options = SchemaFileOptions()
        options.schema = []
        return options
    }
}

extension ConfigurationOptions {
    /// The options when none is given.
    static var withDefaults: ConfigurationOptions {
        var options = ConfigurationOptions()
        options.config = nil
        options.noConfig = false
        return options
    }
}

extension SelectionOptions {
    /// The options when none is given.
    static var withDefaults: SelectionOptions {
        var options = SelectionOptions()
        options.tag = []
        options.excludeTag = []
        options.test = []
        options.failed = nil
        options.shard = nil
        options.durations = nil
        return options
    }
}

extension ExecutionOptions {
    /// The options when none is given.
    static var withDefaults: ExecutionOptions {
        var options = ExecutionOptions()
        options.jobs = 16
        options.failFast = nil
        options.retries = nil
        options.timeout = nil
        options.repeat = nil
        options.shuffle = false
        options.seed = nil
        return options
    }
}

extension OutputOptions {
    /// The options when none is given, without those of the history.
    static var withDefaults: OutputOptions {
        var options = OutputOptions()
        options.report = []
        options.updateSnapshots = false
        options.quiet = false
        options.verbose = 0
        options.curl = false
        options.progress = .auto
        options.failureOutput = .immediate
        return options
    }
}

extension HistoryOptions {
    /// The options when none is given.
    static var withDefaults: HistoryOptions {
        var options = HistoryOptions()
        options.history = nil
        options.historyKeep = nil
        options.revision = nil
        return options
    }
}

extension CoverageOptions {
    /// The options when none is given.
    static var withDefaults: CoverageOptions {
        var options = CoverageOptions()
        options.coverage = false
        options.coverageThreshold = nil
        return options
    }
}

extension ConnectionOptions {
    /// The options when none is given.
    static var withDefaults: ConnectionOptions {
        var options = ConnectionOptions()
        options.insecure = false
        options.authorities = nil
        options.certificate = nil
        options.key = nil
        options.proxy = nil
        options.resolve = []
        return options
    }
}

extension RunCommand {
    /// The command when no option is given, without the options of its groups.
    static var withDefaults: RunCommand {
        var command = RunCommand()
        command.dryRun = false
        command.watch = false
        command.allowOnly = false
        command.locked = false
        command.baseline = nil
        command.writeBaseline = nil
        return command
    }
}
