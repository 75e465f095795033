import Basics
import Diagnostics
import JSON
public import RunModel
public import SuiteModel

/// The comparison of a snapshot with the stored one.
public struct SnapshotComparison {
    /// The file of the stored snapshot.
    public struct File {
        /// The path as displayed in messages.
        public var path: String
        /// The contents.
        public var bytes: [UInt8]

        /// Creates the file of a stored snapshot.
        public init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// The actual snapshot, with its placeholders numbered like the stored one's.
    public let actual: Snapshot
    /// The stored snapshot.
    public let stored: Snapshot

    /// Creates the comparison of two snapshots.
    public init(_ actual: Snapshot, with stored: Snapshot) {
        self.stored = stored
        self.actual = actual == stored ? actual : PlaceholderAlignment.aligned(actual, to: stored)
    }

    /// Whether the snapshots are equal, apart from the numbers of placeholders.
    public var isEqual: Bool { actual == stored }

    /// Returns the finding about the differences, or nil if there are none.
    ///
    /// - Parameters:
    ///   - name: The name of the snapshot.
    ///   - file: The file of the stored snapshot.
    ///   - expectation: The expectation that requires the comparison.
    public func finding(name: String, file: File, _ expectation: SnapshotExpectation) -> Finding? {
        if isEqual { return nil }
        var parts: [Part] = []
        if actual.status != stored.status {
            parts.append(
                Part(
                    text: "status: expected \(stored.status), got \(actual.status)", line: line(of: "status", file),
                    expected: .number(JSONNumber(stored.status)), actual: .number(JSONNumber(actual.status))))
        }
        if actual.contentType != stored.contentType { parts.append(contentType(file)) }
        if actual.content != stored.content { parts += body(file) }
        var finding = Finding(
            subject: "snapshot \(name)", type: .snapshot, message: "the response differs from its snapshot",
            range: expectation.range)
        if let only = parts.first, parts.count == 1 {
            finding.wording = only.text
            finding.expected = only.expected.flatMap(ValueDescription.kept)
            finding.actual = only.actual.flatMap(ValueDescription.kept)
            finding.details = only.details
        } else {
            finding.wording = "\(parts.count) differences from the snapshot"
            for part in parts { finding.details += [part.text] + part.details }
            if parts.count > Self.limit {
                finding.details = parts.prefix(Self.limit).map(\.text)
                finding.details.append("… and \(ValueDescription.count(parts.count - Self.limit, "more difference"))")
            }
            finding.expected = Self.value(of: stored)
            finding.actual = Self.value(of: actual)
        }
        let location: MessageText = parts.first.map { "\(file.path):\($0.line)" } ?? MessageText(file.path)
        finding.details.append(
            "the snapshot is \(location); if the response is correct, update it with --update-snapshots")
        return finding
    }

    // MARK: Parts

    /// The maximum number of listed differences.
    private static let limit = 20

    /// One difference.
    private struct Part {
        var text: MessageText
        /// The line in the file of the stored snapshot, starting at 1.
        var line: Int
        var expected: JSONValue?
        var actual: JSONValue?
        var details: [MessageText] = []
    }

    private func contentType(_ file: File) -> Part {
        let text: MessageText
        switch (stored.contentType, actual.contentType) {
        case (let expected?, let actual?):
            text = "contentType: \(TextDifference.message(expected: expected, actual: actual))"
        case (let expected?, nil): text = "contentType: expected \(ValueDescription.quoted(expected)), got none"
        case (nil, let actual?): text = "contentType: expected none, got \(ValueDescription.quoted(actual))"
        case (nil, nil): text = "contentType"
        }
        return Part(
            text: text, line: line(of: "contentType", file), expected: stored.contentType.map(JSONValue.string),
            actual: actual.contentType.map(JSONValue.string))
    }

    private func body(_ file: File) -> [Part] {
        switch (stored.content, actual.content) {
        case (.json(let expected), .json(let value)):
            return parts(JSONDifference(expected: expected, actual: value), member: "body", root: "$", file)
        case (.events(let expected), .events(let events)):
            let difference = JSONDifference(expected: .array(expected), actual: .array(events))
            return parts(difference, member: "events", root: "$", file)
        case (.text(let expected), .text(let text)):
            let difference = LineDifference(expected: expected, actual: text)
            return [
                Part(
                    text: difference.message, line: difference.line + headLines(file), expected: .string(expected),
                    actual: .string(text), details: difference.details)
            ]
        case (.binary(let size, let digest), .binary(let otherSize, let otherDigest)):
            let text: MessageText =
                size == otherSize
                ? "body: expected the SHA-256 digest \(digest), got \(otherDigest)"
                : "body: expected \(size) bytes, got \(otherSize)"
            return [
                Part(
                    text: text, line: line(of: "sha256", file), expected: .string(digest), actual: .string(otherDigest))
            ]
        default:
            let text: MessageText =
                "body: expected \(Self.words(for: stored.content)), got \(Self.words(for: actual.content))"
            return [
                Part(
                    text: text, line: line(of: "body", file), expected: Self.value(of: stored),
                    actual: Self.value(of: actual))
            ]
        }
    }

    private func parts(_ difference: JSONDifference, member: String, root: String, _ file: File) -> [Part] {
        let lines = JSONLines(file.bytes)
        var parts: [Part] = []
        for (index, change) in difference.changes.enumerated() {
            // Beyond the limit, only the number of differences matters.
            guard index < Self.limit else {
                parts.append(Part(text: "", line: 1))
                continue
            }
            let location = change.origin ?? change.location
            parts.append(
                Part(
                    text: DifferenceLines.line(change, root: root),
                    line: index == 0 ? lines.line(of: [.name(member)] + location.steps) : 1, expected: change.expected,
                    actual: change.actual))
        }
        return parts
    }

    /// Returns the line of a JSON member or a header field.
    private func line(of name: String, _ file: File) -> Int {
        switch stored.content {
        case .json, .events: return JSONLines(file.bytes).line(of: [.name(name)])
        case .none, .text, .binary:
            var line = 1
            for field in file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
                if field.isEmpty { break }
                if field.starts(with: "\(name):".utf8) { return line }
                line += 1
            }
            return 1
        }
    }

    /// Returns the number of lines before the text.
    private func headLines(_ file: File) -> Int {
        var lines = 0
        for line in file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            lines += 1
            if line.isEmpty || line.elementsEqual([0x0D]) { break }
        }
        return lines
    }

    private static func value(of snapshot: Snapshot) -> JSONValue? {
        switch snapshot.content {
        case .none: nil
        case .json(let value): ValueDescription.kept(value)
        case .events(let events): ValueDescription.kept(.array(events))
        case .text(let text): ValueDescription.kept(.string(text))
        case .binary(_, let digest): .string(digest)
        }
    }

    private static func words(for content: Snapshot.Content) -> MessageText {
        switch content {
        case .none: "nothing"
        case .json(let value): "JSON, \(ValueDescription.plain(value))"
        case .events(let events): ValueDescription.count(events.count, "event")
        case .text(let text): "text, \(ValueDescription.plain(.string(text)))"
        case .binary(let size, _): "\(size) bytes that are not text"
        }
    }
}
