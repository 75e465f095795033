import Basics
import Diagnostics
import JSON
import YAML

/// The `case.yaml` of a scenario: its purpose and the call of the program.
///
/// ```yaml
/// proves: A refused connection is reported as an error of the test.
/// arguments: [suite.yaml, --report, junit=report.xml]
/// exit: 1
/// ```
struct CaseFile: Sendable {
    /// A signal sent to the program during the run.
    struct Signal: Sendable, Equatable {
        /// The numbers of the supported signals.
        static let numbers: [String: Int32] = ["SIGHUP": 1, "SIGINT": 2, "SIGTERM": 15]

        /// The number of the signal.
        var number: Int32
        /// The request line after which the signal is sent, once the server has read it.
        var request: String
    }

    /// The errors in a file.
    struct Failure: Error, CustomStringConvertible {
        /// The errors with file, line and column, in the program's own format.
        var description: String
    }

    private static let keys = ["proves", "requires", "environment", "arguments", "signal", "exit"]

    /// The purpose of the scenario, in one sentence.
    private(set) var proves = ""
    /// The arguments of the program.
    private(set) var arguments = ["suite.yaml"]
    /// The variables added to the environment.
    private(set) var environment: [String: String] = [:]
    /// The programs required by the scenario, which is skipped without them.
    private(set) var requires: [String] = []
    /// The expected exit status.
    private(set) var exit: Int32 = 0
    /// The signal to send, and its time.
    private(set) var signal: Signal?

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - name: The name of the file in messages.
    /// - Throws: ``Failure`` with all unknown keys and invalid values.
    init(_ text: [UInt8], name: String) throws(Failure) {
        let file = SourceFile(name: name, text: text)
        let (documents, diagnostics) = YAMLStream.parse(file)
        var problems = diagnostics
        if let root = documents.first?.mapping {
            for (key, value) in root { read(key, value, into: &problems) }
            if root["proves"] == nil { problems.append(Self.problem("\"proves\" is missing", at: nil, in: file)) }
        } else if problems.isEmpty {
            problems.append(Self.problem("expected a mapping", at: documents.first, in: file))
        }
        guard problems.isEmpty else { throw Failure(description: TextRenderer(color: false).render(problems)) }
    }

    private mutating func read(_ key: YAMLNode, _ value: YAMLNode, into problems: inout [Diagnostic]) {
        let name = key.scalar?.text ?? ""
        let expected: String
        switch name {
        case "proves":
            expected = "one sentence of one line that begins with a capital letter or a quote and ends with a full stop"
            if let text = Self.text(value), Self.isSentence(text) { return proves = text }
        case "requires":
            expected = "an array of strings"
            if let texts = Self.texts(value) { return requires = texts }
        case "environment":
            expected = "a mapping of strings"
            if let members = value.mapping, members.allSatisfy({ Self.text($0.value) != nil }) {
                for (name, text) in members { environment[name.scalar?.text ?? ""] = Self.text(text) }
                return
            }
        case "arguments":
            expected = "an array of strings"
            if let texts = Self.texts(value) { return arguments = texts }
        case "signal":
            expected =
                "\"send\", one of \(Signal.numbers.keys.sorted().joined(separator: ", ")), and \"after\", a request line"
            if value.mapping?.count == 2, let number = value["send"].flatMap(Self.text).flatMap({ Signal.numbers[$0] }),
                let request = value["after"].flatMap(Self.text)
            {
                return signal = Signal(number: number, request: request)
            }
        case "exit":
            expected = "an exit status from 1 to 255"
            if case .number(let number)? = value.scalar?.value, let status = number.int64, 1...255 ~= status {
                return exit = Int32(status)
            }
        default:
            let hint = Spelling.nearest(to: name, among: Self.keys)
            problems.append(
                Self.problem(
                    "unknown key \"\(name)\"", at: key, in: key.file,
                    hint: hint.map { "did you mean \"\($0)\"?" } ?? "the keys are \(Self.keys.joined(separator: ", "))")
            )
            return
        }
        problems.append(Self.problem("\"\(name)\": expected \(expected)", at: value, in: key.file))
    }

    private static func problem(
        _ message: MessageText, at node: YAMLNode?, in file: SourceFile, hint: MessageText? = nil
    ) -> Diagnostic {
        let start = SourcePosition(line: 1, column: 1)
        let range = node?.range ?? SourceRange(file: file, start: start, end: start)
        return Diagnostic(id: "invalid-case", message: message, range: range, suggestion: hint)
    }

    private static func text(_ node: YAMLNode) -> String? {
        node.form == .string ? node.scalar?.text : nil
    }

    private static func texts(_ node: YAMLNode) -> [String]? {
        guard let elements = node.sequence else { return nil }
        let texts = elements.compactMap(text)
        return texts.count == elements.count ? texts : nil
    }

    private static func isSentence(_ text: String) -> Bool {
        guard let first = text.first, first.isUppercase || first == "`" || first == "\"" else { return false }
        return text.hasSuffix(".") && text.dropLast().last?.isLetter != nil && !text.contains("\n")
            && !text.contains(". ") && text.count <= 160
    }
}
