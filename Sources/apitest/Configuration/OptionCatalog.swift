import ArgumentParser
import JSON
import SuiteLoader

/// The options of the commands that a configuration file may set.
struct OptionCatalog {
    /// An option as it is written.
    struct Spelling: Hashable {
        let long: String?
        let takesValue: Bool
    }

    /// The commands for which a configuration file counts.
    static let commands = ["run", "lint", "list", "lock"]

    /// The options by command.
    private(set) var options: [String: [ConfigurationOption]] = [:]
    /// For each command, its options by every name, with their hyphens.
    private(set) var spellings: [String: [String: Spelling]] = [:]

    /// The options without what they do, from a table: the parser takes long to say what it knows.
    init() {
        for command in Self.commands {
            for option in OptionTable.options(of: command) {
                let spelling = Spelling(long: option.name, takesValue: option.kind == .value || option.kind == .values)
                spellings[command, default: [:]]["--" + option.name] = spelling
                if let short = OptionTable.short[option.name] {
                    spellings[command, default: [:]]["-" + short] = spelling
                }
                options[command, default: []].append(option)
            }
        }
    }

    /// The options with what they do, as the argument parser describes them.
    static func described() -> OptionCatalog {
        var catalog = OptionCatalog(options: [:], spellings: [:])
        catalog.readDescription()
        return catalog
    }

    private init(options: [String: [ConfigurationOption]], spellings: [String: [String: Spelling]]) {
        self.options = options
        self.spellings = spellings
    }

    private mutating func readDescription() {
        // The parser has no other way to tell what it knows; the text is that of `--experimental-dump-help`.
        guard let dump = try? JSONValue(parsing: Array(Apitest._dumpHelp().utf8)),
            let subcommands = dump.objectValue?["command"]?.objectValue?["subcommands"]?.arrayValue
        else { return }
        for command in subcommands {
            guard let command = command.objectValue, let name = command["commandName"]?.stringValue,
                Self.commands.contains(name)
            else { continue }
            for argument in command["arguments"]?.arrayValue ?? [] {
                if let argument = argument.objectValue { add(argument, to: name) }
            }
        }
    }

    private mutating func add(_ argument: JSONObject, to command: String) {
        let kind = argument["kind"]?.stringValue
        guard kind == "option" || kind == "flag" else { return }
        var long: String?
        var names: [String] = []
        for name in argument["names"]?.arrayValue ?? [] {
            guard let text = name.objectValue?["name"]?.stringValue else { continue }
            if name.objectValue?["kind"]?.stringValue == "long" {
                long = long ?? text
                names.append("--" + text)
            } else {
                names.append("-" + text)
            }
        }
        for name in names {
            spellings[command, default: [:]][name] = Spelling(long: long, takesValue: kind == "option")
        }
        guard let long else { return }
        let isRepeated = argument["isRepeating"]?.boolValue == true
        let valueName = argument["valueName"]?.stringValue ?? ""
        options[command, default: []].append(
            ConfigurationOption(
                name: long, kind: kind == "flag" ? (isRepeated ? .count : .flag) : (isRepeated ? .values : .value),
                choices: argument["allValues"]?.arrayValue?.compactMap(\.stringValue) ?? [],
                path: Self.path(valueName), documentation: argument["abstract"]?.stringValue ?? ""))
    }

    /// Where a path stands in a value that is called so in the help.
    private static func path(_ valueName: String) -> ConfigurationOption.PathForm {
        switch valueName {
        case "file", "folder", "path", "report": .whole
        case "format[=path]": .behindEquals
        case "uri=file": .behindLastEquals
        default: .none
        }
    }
}
