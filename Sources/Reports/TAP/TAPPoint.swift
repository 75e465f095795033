import Diagnostics
import JSON
import SuiteModel

/// A test point: a line that says how a test ended, and below it a block of YAML.
struct TAPPoint {
    let result: TestResult
    let number: Int
    let suite: TAPSuite
    let sizes: BodySizes

    /// The most bytes of a line in the block of YAML, below what parsers take for a key.
    private static let longestLine = 4_096
    /// The most lines of a list.
    private static let mostLines = 200

    func write(into output: inout [UInt8]) {
        output += result.outcome.isFailure ? "not ok ".utf8 : "ok ".utf8
        DecimalText.append(Int64(number), to: &output)
        output += " - ".utf8
        output += suite.prefix
        TAPText.append(result.test.name, to: &output)
        switch result.outcome {
        case .skipped(let reason): writeSkip(reason, into: &output)
        case .blocked(let blocker): writeSkip(BlockedReason.text(by: blocker), into: &output)
        case .passed, .flaky, .failed, .errored:
            output += "\n  ---\n".utf8
            if result.outcome != .passed { writeAccount(into: &output) }
            output += "  duration_ms: ".utf8
            DecimalText.append(milliseconds: result.duration, to: &output)
            output += "\n  ...\n".utf8
        }
    }

    private func writeSkip(_ reason: String, into output: inout [UInt8]) {
        output += " # SKIP".utf8
        if !reason.isEmpty {
            output.append(UInt8(ascii: " "))
            TAPText.append(reason, to: &output)
        }
        output.append(0x0A)
    }

    // MARK: The block of YAML

    private func writeAccount(into output: inout [UInt8]) {
        let attempts = EarlierAttempt.all(of: result)
        let hasSteps = result.test.hasSteps
        if result.outcome.isFailure {
            let summary = FailureSummary(result.steps, hasSteps: hasSteps)
            write("message", summary.message, into: &output)
            write("severity", result.outcome == .errored ? "error" : "fail", into: &output)
            if let type = summary.finding?.type { write("type", type, into: &output) }
            writePlace(summary.finding?.range ?? result.test.range, into: &output)
            if let expected = summary.finding?.expected { write("expected", expected, into: &output) }
            if let actual = summary.finding?.actual { write("actual", actual, into: &output) }
            var text = summary.text(sizes: sizes)
            if text.utf8.count > FailureSummary.longestText {
                text = String(decoding: text.utf8.prefix(FailureSummary.longestText), as: UTF8.self) + " …"
            }
            write("account", text.split(separator: "\n").map(String.init), into: &output)
        } else {
            output += "  flaky: true\n".utf8
        }
        write("attempts", attempts.map { $0.message(hasSteps: hasSteps) }, into: &output)
    }

    private func writePlace(_ range: SourceRange, into output: inout [UInt8]) {
        let place = SuitePlace(path: range.file.name, documentIndex: 0, workingFolder: suite.workingFolder)
        output += "  at:\n    file: ".utf8
        JSONText.append(place.file, to: &output, limit: Self.longestLine)
        output += "\n    line: \(range.start.line)\n    column: \(range.start.column)\n".utf8
    }

    private func write(_ key: String, _ text: String, into output: inout [UInt8]) {
        output += "  \(key): ".utf8
        JSONText.append(text, to: &output, limit: Self.longestLine)
        output.append(0x0A)
    }

    private func write(_ key: String, _ value: JSONValue, into output: inout [UInt8]) {
        output += "  \(key): ".utf8
        switch value {
        case .null, .bool: output += value.serializedBytes()
        case .number(let number):
            let text = value.serializedBytes()
            // What readers of YAML take for a number is no more than what a double holds.
            if text.count <= 24, Double(number.description) != nil {
                output += text
            } else {
                JSONText.append(number.description, to: &output, limit: Self.longestLine)
            }
        case .string(let text): JSONText.append(text, to: &output, limit: Self.longestLine)
        // As text: many readers know no collections in the flow style.
        case .array, .object: JSONText.append(value.serialized(), to: &output, limit: Self.longestLine)
        }
        output.append(0x0A)
    }

    private func write(_ key: String, _ lines: [String], into output: inout [UInt8]) {
        if lines.isEmpty { return }
        output += "  \(key):\n".utf8
        for line in lines.prefix(Self.mostLines) {
            output += "    - ".utf8
            JSONText.append(line, to: &output, limit: Self.longestLine)
            output.append(0x0A)
        }
        if lines.count > Self.mostLines { output += "    - \"… \(lines.count - Self.mostLines) more\"\n".utf8 }
    }
}
