import SuiteLoader

/// What the argument parser knows of the program's commands and their options, as far as it is needed at every start.
///
/// A test compares it with what the parser says.
enum OptionTable {
    /// The names of the commands.
    static let commands = [
        "run", "lint", "fmt", "list", "init", "eval", "lock", "mock", "contract", "report", "schema", "completions",
    ]

    /// The short names of options by the long ones.
    static let short = ["jobs": "j", "quiet": "q", "verbose": "v", "help": "h"]

    /// The options of a command for which a configuration file counts, in the order of its help.
    static func options(of command: String) -> [ConfigurationOption] {
        switch command {
        case "run": suite + selection + execution + run + output + coverage + connection + general
        case "lint": suite + lint + general
        case "list": suite + selection + list + general
        case "lock": suite + lock + selection + execution + [allowOnly] + output + connection + general
        default: []
        }
    }

    private static let suite: [ConfigurationOption] = [
        ConfigurationOption(name: "variable", kind: .values),
        ConfigurationOption(name: "variables-file", kind: .values, path: .whole),
        ConfigurationOption(name: "environment", kind: .value),
        ConfigurationOption(name: "contract", kind: .value, path: .whole),
        ConfigurationOption(name: "schema", kind: .values, path: .behindLastEquals),
        ConfigurationOption(name: "file-root", kind: .value, path: .whole),
        ConfigurationOption(name: "color", kind: .value, choices: ["auto", "always", "never"]),
        ConfigurationOption(name: "config", kind: .value, path: .whole),
        ConfigurationOption(name: "no-config", kind: .flag),
    ]

    private static let selection: [ConfigurationOption] = [
        ConfigurationOption(name: "tag", kind: .values),
        ConfigurationOption(name: "exclude-tag", kind: .values),
        ConfigurationOption(name: "test", kind: .values),
        ConfigurationOption(name: "failed", kind: .value, path: .whole),
        ConfigurationOption(name: "shard", kind: .value),
        ConfigurationOption(name: "durations", kind: .value, path: .whole),
    ]

    private static let execution: [ConfigurationOption] = [
        ConfigurationOption(name: "jobs", kind: .value),
        ConfigurationOption(name: "fail-fast", kind: .value),
        ConfigurationOption(name: "retries", kind: .value),
        ConfigurationOption(name: "timeout", kind: .value),
        ConfigurationOption(name: "repeat", kind: .value),
        ConfigurationOption(name: "shuffle", kind: .flag),
        ConfigurationOption(name: "seed", kind: .value),
    ]

    private static let allowOnly = ConfigurationOption(name: "allow-only", kind: .flag)

    private static let run: [ConfigurationOption] = [
        ConfigurationOption(name: "dry-run", kind: .flag),
        ConfigurationOption(name: "watch", kind: .flag),
        allowOnly,
        ConfigurationOption(name: "locked", kind: .flag),
        ConfigurationOption(name: "baseline", kind: .value, path: .whole),
        ConfigurationOption(name: "write-baseline", kind: .value, path: .whole),
    ]

    private static let output: [ConfigurationOption] = [
        ConfigurationOption(name: "report", kind: .values, path: .behindEquals),
        ConfigurationOption(name: "update-snapshots", kind: .flag),
        ConfigurationOption(name: "quiet", kind: .flag),
        ConfigurationOption(name: "verbose", kind: .count),
        ConfigurationOption(name: "curl", kind: .flag),
        ConfigurationOption(name: "progress", kind: .value, choices: ["auto", "always", "never"]),
        ConfigurationOption(name: "failure-output", kind: .value, choices: ["immediate", "final", "both"]),
        ConfigurationOption(name: "history", kind: .value, path: .whole),
        ConfigurationOption(name: "history-keep", kind: .value),
        ConfigurationOption(name: "revision", kind: .value),
    ]

    private static let coverage: [ConfigurationOption] = [
        ConfigurationOption(name: "coverage", kind: .flag),
        ConfigurationOption(name: "coverage-threshold", kind: .value),
    ]

    private static let connection: [ConfigurationOption] = [
        ConfigurationOption(name: "insecure", kind: .flag),
        ConfigurationOption(name: "cacert", kind: .value, path: .whole),
        ConfigurationOption(name: "cert", kind: .value, path: .whole),
        ConfigurationOption(name: "key", kind: .value, path: .whole),
        ConfigurationOption(name: "proxy", kind: .value),
        ConfigurationOption(name: "resolve", kind: .values),
    ]

    private static let lint: [ConfigurationOption] = [
        ConfigurationOption(name: "format", kind: .value, choices: ["text", "json", "github"]),
        ConfigurationOption(name: "strict", kind: .flag),
        ConfigurationOption(name: "enable", kind: .values),
        ConfigurationOption(name: "disable", kind: .values),
        ConfigurationOption(name: "rules", kind: .flag),
    ]

    private static let list: [ConfigurationOption] = [
        ConfigurationOption(name: "graph", kind: .flag),
        ConfigurationOption(name: "format", kind: .value, choices: ["text", "mermaid", "json"]),
        ConfigurationOption(name: "json", kind: .flag),
    ]

    private static let lock: [ConfigurationOption] = [
        ConfigurationOption(name: "update", kind: .flag),
        ConfigurationOption(name: "replace", kind: .flag),
    ]

    private static let general: [ConfigurationOption] = [
        ConfigurationOption(name: "version", kind: .flag),
        ConfigurationOption(name: "help", kind: .flag),
    ]
}
