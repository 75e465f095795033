import Basics
import Diagnostics
import JSON
import YAML

/// Parses configuration files: long option names with their values, and mappings of them for individual commands.
struct ConfigurationReader {
    /// The options of each command, by command name.
    let options: [String: [ConfigurationOption]]
    /// The command whose options to return.
    let command: String
    /// The prefix for relative paths.
    let prefix: String
    private var bag = DiagnosticBag()
    private var entries: [ConfigurationEntry] = []

    /// The key for the paths of the command line.
    static let paths = "paths"
    /// The command whose options are at the top level.
    static let mainCommand = "run"
    /// Options that a configuration file cannot set.
    static let excluded: Set<String> = ["help", "version", "config", "no-config", "rules", "h"]

    init(options: [String: [ConfigurationOption]], command: String, prefix: String) {
        self.options = options
        self.command = command
        self.prefix = prefix
    }

    /// Parses a file.
    mutating func read(_ file: SourceFile) -> ConfigurationFile.Contents {
        let (documents, problems) = YAMLStream.parse(file)
        bag.add(contentsOf: problems)
        if !bag.hasErrors {
            if documents.count > 1 {
                bag.add(
                    Diagnostic(
                        id: "several-documents", message: "a configuration file must contain a single document",
                        range: documents[1].range))
            }
            if let root = documents.first, !root.isNull { read(root) }
        }
        return ConfigurationFile.Contents(entries: entries, diagnostics: bag.sorted)
    }

    private mutating func read(_ root: YAMLNode) {
        guard let mapping = root.mapping else {
            report(
                "wrong-type", "a configuration file must be a mapping, got \(root.typeDescription)", root,
                suggestion: "write \"option: value\"")
            return
        }
        let main = options[Self.mainCommand] ?? []
        for (key, value) in mapping {
            guard let name = key.scalar?.text, options[name] == nil, !name.hasPrefix("x-") else { continue }
            read(name, key, value, among: main)
        }
        for (key, value) in mapping {
            guard let name = key.scalar?.text, let own = options[name] else { continue }
            guard let members = value.mapping else {
                report("wrong-type", "\"\(name)\" must be a mapping of options, got \(value.typeDescription)", value)
                continue
            }
            for (key, value) in members {
                guard let option = key.scalar?.text else { continue }
                // The options of a command replace the general ones.
                let count = entries.count
                read(option, key, value, among: own, of: name)
                if name != command {
                    entries.removeLast(entries.count - count)
                } else if entries.count > count {
                    let replaced = entries[..<count].filter { $0.name != option }
                    entries = replaced + entries[count...]
                }
            }
        }
        // General options that this command does not have are for other commands.
        let known = Set((options[command] ?? []).map(\.name) + [Self.paths])
        entries.removeAll { !known.contains($0.name) }
    }

    private mutating func read(
        _ name: String, _ key: YAMLNode, _ value: YAMLNode, among options: [ConfigurationOption],
        of command: String? = nil
    ) {
        if name == Self.paths {
            let paths = strings(value, key: name)
            if paths.contains("") {
                report(
                    "invalid-option", "\"paths\" contains an empty path", value,
                    suggestion: "write \".\" for the directory of the file")
            }
            entries.append(ConfigurationEntry(name: name, arguments: paths.map(prefixed), range: value.range))
            return
        }
        guard !Self.excluded.contains(name), let option = options.first(where: { $0.name == name }) else {
            reportUnknown(name, key, among: options, of: command)
            return
        }
        let arguments: [String]
        switch option.kind {
        case .flag:
            guard case .bool(let isOn)? = value.scalar?.value else { return reportType(value, "a boolean", name) }
            arguments = isOn ? ["--\(name)"] : []
        case .count:
            guard let count = count(value) else { return reportType(value, "true, false or a small integer", name) }
            arguments = Array(repeating: "--\(name)", count: count)
        case .value:
            // `fail-fast: true` is the option without its number.
            if case .bool(let isOn)? = value.scalar?.value, name == "fail-fast" {
                arguments = isOn ? ["--fail-fast=1"] : []
                break
            }
            guard let text = text(value) else { return reportType(value, "a string or number", name) }
            guard let argument = argument(option, text, value) else { return }
            arguments = [argument]
        case .values:
            if name == "variable", let variables = value.mapping {
                arguments = variables.map { key, value in
                    "--variable=\(key.scalar?.text ?? ""):=\(value.json.serialized())"
                }
            } else {
                arguments = strings(value, key: name).compactMap { argument(option, $0, value) }
            }
        }
        entries.append(ConfigurationEntry(name: name, arguments: arguments, range: value.range))
    }

    // MARK: Values

    private func count(_ node: YAMLNode) -> Int? {
        switch node.scalar?.value {
        case .bool(let isOn): isOn ? 1 : 0
        case .number(let number): number.int64.flatMap { (0...9).contains($0) ? Int($0) : nil }
        default: nil
        }
    }

    /// Returns the text of a string or number; nil for any other value.
    private func text(_ node: YAMLNode) -> String? {
        guard let scalar = node.scalar else { return nil }
        if scalar.isString { return scalar.text }
        if case .number = scalar.value { return scalar.text }
        return nil
    }

    private mutating func strings(_ node: YAMLNode, key: String) -> [String] {
        guard let sequence = node.sequence else {
            guard let text = text(node) else {
                reportType(node, "a string or sequence", key)
                return []
            }
            return [text]
        }
        var texts: [String] = []
        for element in sequence {
            if let text = text(element) { texts.append(text) } else { reportType(element, "a string", key) }
        }
        return texts
    }

    private mutating func argument(_ option: ConfigurationOption, _ text: String, _ node: YAMLNode) -> String? {
        if !option.choices.isEmpty, !option.choices.contains(text) {
            report(
                "unknown-value", "unknown value \"\(text)\"", node,
                suggestion: Spelling.suggestion(for: text, among: option.choices)
                    ?? "write one of \(option.choices.joined(separator: ", "))")
            return nil
        }
        var value = text
        switch option.path {
        case .none: break
        case .whole: value = prefixed(text)
        case .afterEquals:
            if let equals = text.firstIndex(of: "=") { value = prefixed(text, after: equals) }
        case .afterLastEquals:
            if let equals = text.lastIndex(of: "=") { value = prefixed(text, after: equals) }
        }
        return "--\(option.name)=\(value)"
    }

    /// Returns a value in which the path after an `=` is relative to the working directory.
    private func prefixed(_ text: String, after equals: String.Index) -> String {
        text[...equals] + prefixed(String(text[text.index(after: equals)...]))
    }

    /// Returns a path of the file relative to the working directory.
    private func prefixed(_ path: String) -> String {
        if prefix.isEmpty || path.hasPrefix("/") { return path }
        if path == "." || path == "./" { return String(prefix.dropLast()) }
        return prefix + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
    }

    // MARK: Diagnostics

    private mutating func reportUnknown(
        _ name: String, _ key: YAMLNode, among options: [ConfigurationOption], of command: String?
    ) {
        let known = options.map(\.name).filter { !Self.excluded.contains($0) }
        let suggestion: MessageText
        if let nearest = Spelling.nearest(to: name, among: known + (command == nil ? [Self.paths] : [])) {
            suggestion = "did you mean \"\(nearest)\"?"
        } else if let owner = self.options.sorted(by: { $0.key < $1.key }).first(where: { _, options in
            options.contains { $0.name == name && !Self.excluded.contains(name) }
        }) {
            suggestion = "it is an option of \(owner.key) only: write it under \"\(owner.key)\""
        } else if Self.excluded.contains(name) {
            suggestion = "it is available only on the command line"
        } else {
            suggestion = "the keys are the long options of \"apitest \(command ?? Self.mainCommand)\", without \"--\""
        }
        report("unknown-key", "unknown key \"\(name)\"", key, suggestion: suggestion)
    }

    private mutating func reportType(_ node: YAMLNode, _ expected: MessageText, _ key: String) {
        report("wrong-type", "\"\(key)\" must be \(expected), got \(node.typeDescription)", node)
    }

    private mutating func report(_ id: String, _ message: MessageText, _ node: YAMLNode, suggestion: MessageText? = nil)
    {
        bag.add(Diagnostic(id: id, message: message, range: node.range, suggestion: suggestion))
    }
}
