import Basics
import CLibYAML
import Diagnostics

/// The quotes that repair a text that YAML takes apart, tried on the file before they are suggested.
struct QuotedRepair {
    /// The text.
    let text: UnquotedText
    /// The text in quotes.
    let quoted: String
    private let isInFlow: Bool
    private let isPath: Bool

    /// The maximum length of a text that a suggestion repeats.
    private static let maximumLength = 160

    /// Creates the repair of the text that contains an offset.
    ///
    /// It is nil if the text is not evident, or if the file with the quotes would not hold the text at its place.
    ///
    /// - Parameter bracket: The offset of the outermost open bracket; nil outside of flow collections.
    init?(of file: SourceFile, at offset: Int, bracket: Int?) {
        guard let text = UnquotedText.containing(offset, in: file, bracket: bracket),
            text.bytes.count <= Self.maximumLength
        else { return nil }
        let plain = String(decoding: file.text[text.bytes], as: UTF8.self)
        self.text = text
        quoted = Quoting.quoted(plain)
        isInFlow = bracket != nil
        isPath = plain.hasPrefix("$") || plain.hasPrefix("/")
        guard Self.holds(plain, quoted, at: text.bytes, of: file, isInFlow: isInFlow) else { return nil }
    }

    /// The suggestion to write the quotes.
    var suggestion: MessageText {
        switch text.role {
        case .key: return isPath ? "quote the path: \(quoted): …" : "quote the key: \(quoted): …"
        case .item: return isInFlow ? "quote the whole value: \(quoted)" : "quote the whole value: - \(quoted)"
        case .value(let key):
            let whole: MessageText = text.startsWithNode ? "quote the whole value" : "quote the value"
            guard key.utf8.count < 40 else { return "\(whole): \(quoted)" }
            return "\(whole): \(DisplayWidth.printable(key)): \(quoted)"
        }
    }

    /// Returns whether the line after a line is indented further, and may continue its text.
    private static func isContinued(_ line: Int32, of file: SourceFile) -> Bool {
        func indentation(_ number: Int) -> Int? { file.line(number).map { $0.prefix { $0 == " " }.count } }
        guard let own = indentation(Int(line)), let next = indentation(Int(line) + 1) else { return false }
        return next > own
    }

    /// Returns whether YAML reads a file with quotes around a text as before up to the text, and then as the text.
    ///
    /// Later problems have their own diagnostics once this one is repaired.
    private static func holds(
        _ plain: String, _ quoted: String, at bytes: Range<Int>, of file: SourceFile, isInFlow: Bool
    ) -> Bool {
        var source = file.text
        source.replaceSubrange(bytes, with: quoted.utf8)
        let positions = PositionMap(SourceFile(name: file.name, text: source))
        let start = file.position(atByteOffset: bytes.lowerBound)
        let end = SourcePosition(line: Int(start.line), column: Int(start.column) + quoted.unicodeScalars.count)
        return source.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return false }
            var parser = yaml_parser_t()
            guard yaml_parser_initialize(&parser) != 0 else { return false }
            defer { yaml_parser_delete(&parser) }
            yaml_parser_set_input_string(&parser, base, source.count)
            var isFound = false
            while true {
                var event = yaml_event_t()
                guard yaml_parser_parse(&parser, &event) != 0 else {
                    let problem = positions.position(parser.problem_mark)
                    let next = SourcePosition(line: Int(end.line), column: Int(end.column) + 1)
                    return isFound
                        && (isInFlow ? next < problem : end.line < problem.line && !isContinued(end.line, of: file))
                }
                defer { yaml_event_delete(&event) }
                if isFound { return true }
                if event.type == YAML_STREAM_END_EVENT || event.type == YAML_NO_EVENT { return false }
                guard event.type == YAML_SCALAR_EVENT, positions.position(event.start_mark) == start else { continue }
                let scalar = event.data.scalar
                let text = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
                guard positions.position(event.end_mark) == end, text.elementsEqual(plain.utf8) else { return false }
                isFound = true
            }
        }
    }
}
