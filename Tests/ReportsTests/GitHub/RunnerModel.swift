/// A simplified model of the processing of a step's output by GitHub's runner.
///
/// According to its source code, leading white space is removed. `::name key=value,key=value::text` is a command if the
/// name is known, and so is `##[name key=value;]text` anywhere in a line. After `stop-commands`, only the token is a
/// command.
struct RunnerModel {
    /// A command that the runner executes.
    struct Command: Equatable {
        var name: String
        var properties: [String: String] = [:]
        var text: String
    }

    private static let known: Set<String> = [
        "error", "warning", "notice", "debug", "group", "endgroup", "add-mask", "set-env", "add-path", "echo",
        "set-output", "save-state", "add-matcher", "remove-matcher", "internal-set-repo-path",
    ]

    /// The executed commands.
    private(set) var commands: [Command] = []
    /// The lines displayed in the log.
    private(set) var log: [String] = []
    /// The token that resumes commands.
    private(set) var stopToken: String?

    /// Creates a model that has processed a step's output.
    init(_ output: String) {
        let lines = output.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }
        for line in lines { read(String(line)) }
    }

    private mutating func read(_ line: String) {
        guard let command = Self.second(line) ?? Self.first(line) else { return log.append(line) }
        if let token = stopToken {
            if command.name == token { stopToken = nil } else { log.append(line) }
            return
        }
        if command.name == "stop-commands" {
            stopToken = command.text
        } else if Self.known.contains(command.name.lowercased()) {
            commands.append(command)
        } else {
            log.append(line)
        }
    }

    private static func second(_ line: String) -> Command? {
        let text = String(line.unicodeScalars.drop { $0.properties.isWhitespace })
        guard text.hasPrefix("::") else { return nil }
        let rest = text.dropFirst(2)
        guard let end = rest.firstRange(of: "::") else { return nil }
        let info = rest[..<end.lowerBound]
        let name = info.prefix { $0 != " " }
        var command = Command(name: String(name), text: unescaped(String(rest[end.upperBound...]), isProperty: false))
        for pair in info.dropFirst(name.count).drop(while: { $0 == " " }).split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { command.properties[String(parts[0])] = unescaped(String(parts[1]), isProperty: true) }
        }
        return command
    }

    private static func first(_ line: String) -> Command? {
        guard let start = line.firstRange(of: "##["), let end = line[start.upperBound...].firstIndex(of: "]") else {
            return nil
        }
        let name = line[start.upperBound..<end].prefix { $0 != " " }
        return Command(name: String(name), text: String(line[line.index(after: end)...]))
    }

    private static func unescaped(_ text: String, isProperty: Bool) -> String {
        var text = text.replacing("%0D", with: "\r").replacing("%0A", with: "\n")
        if isProperty { text = text.replacing("%3A", with: ":").replacing("%2C", with: ",") }
        return text.replacing("%25", with: "%")
    }
}
