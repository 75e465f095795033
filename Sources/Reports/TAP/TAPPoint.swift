import Diagnostics
import JSON
import Output
import RunModel
import RunRecord

/// A test point: a line with the result of a test, and a YAML block below it.
struct TAPPoint {
    let result: TestResult
    let number: Int
    let suite: TAPSuite
    let sizes: BodySizes

    /// The maximum number of bytes of a string in the YAML block.
    private static let maximumLineLength = 4_096

    /// Appends the test point of a test that passed.
    ///
    /// - Parameter prefix: The prefix of the names of all tests of the suite.
    static func writePassed(
        _ result: TestResult, number: Int, prefix: [UInt8], into output: inout ByteBuffer
    ) {
        output.append(upTo: prefix.count + 32) { text in
            text.write("ok ")
            text.write(number)
            text.write(" - ")
            text.write(prefix)
        }
        TAPText.append(result.test.name, to: &output)
        output.append(upTo: 64) { text in
            text.write("\n  ---\n  duration_ms: ")
            text.write(milliseconds: result.duration)
            text.write("\n  ...\n")
        }
    }

    /// Appends the test point of a failure outside the tests.
    ///
    /// - Parameter prefix: The prefix of its name.
    static func write(_ problem: RunProblem, number: Int, prefix: [UInt8], into output: inout ByteBuffer) {
        output.append("not ok ")
        DecimalText.append(Int64(number), to: &output)
        output.append(" - ")
        output.append(prefix)
        TAPText.append(problem.name, to: &output)
        output.append("\n  ---\n")
        for (key, value) in [
            ("message", problem.message), ("severity", problem.outcome == .errored ? "error" : "fail"),
            ("type", problem.type), ("account", problem.lines.joined(separator: "\n")),
        ] {
            output.append(Array("  \(key): ".utf8))
            JSONText.append(value, to: &output, limit: FailureSummary.maximumTextLength)
            output.append(0x0A)
        }
        output.append("  ...\n")
    }

    /// Appends the test point of a test with more information than that it passed.
    func write(into output: inout ByteBuffer) {
        output.append(didNotPass ? "not ok " : "ok ")
        DecimalText.append(Int64(number), to: &output)
        output.append(" - ")
        output.append(suite.prefix)
        TAPText.append(result.test.name, to: &output)
        switch result.outcome {
        case .skipped(let reason): writeSkip(reason, into: &output)
        case .blocked(let blocker): writeSkip(BlockedReason.text(by: blocker), into: &output)
        case .passed, .flaky, .known, .failed, .errored:
            if case .known(let reason) = result.outcome {
                output.append(" # TODO ")
                TAPText.append(reason.isEmpty ? "known to fail" : reason, to: &output)
            }
            output.append("\n  ---\n")
            if let description = result.test.annotations?.description {
                write("description", description, into: &output)
            }
            writeDetails(into: &output)
            output.append("  duration_ms: ")
            DecimalText.append(milliseconds: result.duration, to: &output)
            output.append("\n  ...\n")
        }
    }

    /// Whether the line starts with `not ok`, which is also the case for a known failure.
    private var didNotPass: Bool { result.outcome.isFailure || result.outcome.isKnown }

    private func writeSkip(_ reason: String, into output: inout ByteBuffer) {
        output.append(" # SKIP")
        if !reason.isEmpty {
            output.append(UInt8(ascii: " "))
            TAPText.append(reason, to: &output)
        }
        output.append(0x0A)
        guard let description = result.test.annotations?.description else { return }
        output.append("  ---\n")
        write("description", description, into: &output)
        output.append("  ...\n")
    }

    // MARK: YAML block

    private func writeDetails(into output: inout ByteBuffer) {
        let attempts = PreviousAttempt.all(of: result)
        let hasSteps = result.test.hasSteps
        if didNotPass {
            let summary = FailureSummary(result.steps, hasSteps: hasSteps)
            write("message", summary.message, into: &output)
            let severity = result.outcome.isKnown ? "todo" : result.outcome == .errored ? "error" : "fail"
            write("severity", severity, into: &output)
            if let type = summary.finding?.type.rawValue { write("type", type, into: &output) }
            writeLocation(summary.finding?.range ?? result.test.range, into: &output)
            if let expected = summary.finding?.expected { write("expected", expected, into: &output) }
            if let actual = summary.finding?.actual { write("actual", actual, into: &output) }
            write("account", text: summary.text(sizes: sizes), into: &output)
        } else if result.outcome == .flaky {
            output.append("  flaky: true\n")
        }
        if attempts.isEmpty { return }
        output.append("  attempts:\n")
        for (index, attempt) in attempts.enumerated() {
            output.append("    - ")
            let message = "attempt \(index + 1): \(attempt.message(hasSteps: hasSteps))"
            JSONText.append(message, to: &output, limit: Self.maximumLineLength)
            output.append(0x0A)
        }
    }

    private func writeLocation(_ range: SourceRange, into output: inout ByteBuffer) {
        let location = SuiteLocation(path: range.file.name, documentIndex: 0, workingDirectory: suite.workingDirectory)
        output.append("  at:\n    file: ")
        JSONText.append(location.file, to: &output, limit: Self.maximumLineLength)
        output.append(Array("\n    line: \(range.start.line)\n    column: \(range.start.column)\n".utf8))
    }

    private func write(_ key: String, _ text: String, into output: inout ByteBuffer) {
        output.append(Array("  \(key): ".utf8))
        JSONText.append(text, to: &output, limit: Self.maximumLineLength)
        output.append(0x0A)
    }

    private func write(_ key: String, _ value: JSONValue, into output: inout ByteBuffer) {
        output.append(Array("  \(key): ".utf8))
        switch value {
        case .null, .bool: output.append(value.serializedBytes())
        case .number(let number):
            let text = value.serializedBytes()
            // YAML readers treat a number as a double at best.
            if text.count <= 24, Double(number.description) != nil {
                output.append(text)
            } else {
                JSONText.append(number.description, to: &output, limit: Self.maximumLineLength)
            }
        case .string(let text): JSONText.append(text, to: &output, limit: Self.maximumLineLength)
        // As a string, because many readers do not support flow collections.
        case .array, .object: JSONText.append(value.serialized(), to: &output, limit: Self.maximumLineLength)
        }
        output.append(0x0A)
    }

    /// Writes multiline text in the literal style, which even the minimal YAML readers in TAP parsers support.
    ///
    /// - Parameter text: The text, without characters that YAML does not allow except U+FFFE and U+FFFF.
    private func write(_ key: String, text: String, into output: inout ByteBuffer) {
        output.append(Array("  \(key): |\n".utf8))
        var isFirst = true
        for line in text.utf8.prefix(FailureSummary.maximumTextLength).split(separator: 0x0A) {
            var line = line
            // All lines except the names of steps are indented by two columns.
            if line.starts(with: [0x20, 0x20]) { line = line.dropFirst(2) }
            if isFirst { line = line.drop { $0 == 0x20 } }
            if line.isEmpty { continue }
            isFirst = false
            output.append("    ")
            for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
                output.append(Array((scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : String(scalar)).utf8))
            }
            output.append(0x0A)
        }
        if isFirst { output.append("    (empty)\n") }
    }
}

/// Escaping of text on a TAP line.
enum TAPText {
    /// Appends a description or a reason with `#` and `\` escaped and control characters and line breaks made visible.
    ///
    /// - Parameter escapes: Whether to escape `#` and `\`, which is unnecessary in a comment.
    static func append(_ text: String, to output: inout (some ByteSink & ~Copyable), escapes: Bool = true) {
        let isWritten = text.withBytes { bytes in
            guard bytes.count <= FailureSummary.maximumMessageLength else { return false }
            for byte in bytes where !isPlain(byte) { return false }
            output.append(contentsOf: bytes)
            return true
        }
        if isWritten { return }
        let limit = FailureSummary.maximumMessageLength
        var shown = DisplayWidth.printable(cut(text, to: limit))
        if text.utf8.count > limit { shown += " …" }
        for byte in shown.utf8 {
            if escapes, byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
            output.append(byte)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "\\")
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }
}
