import Basics
import FileSystem
import JSON
import SuiteModel

/// Validates a file of JSON objects and indexes them, in one pass and with little memory.
struct JSONFileScan {
    /// Whether the objects are elements of one array; otherwise each is on a separate line.
    private let isList: Bool
    /// The columns: the member names of all objects, in the order of their first occurrence.
    private(set) var columns: [DataColumn] = []
    /// The rows.
    private(set) var rows = RowIndex()
    /// The problems.
    private(set) var problems = DataProblems()
    private var known: Set<String> = []
    private var line = 1
    private var isOver = false
    private var state = State.start

    /// The position of the scan relative to the array.
    private enum State {
        /// Before the array.
        case start
        /// Before an element or the end of the array.
        case first
        /// Before an element.
        case element
        /// After an element.
        case separator
        /// After the array.
        case end
    }

    init(isList: Bool) {
        self.isList = isList
    }

    /// Scans the whole file.
    ///
    /// - Throws: A failure if the file cannot be read.
    mutating func scan(_ window: inout FileWindow) throws(File.Failure) {
        try window.move(to: 0)
        var index = DataEncoding.start(of: window.bytes, problems: &problems)
        if problems.count > 0 { return }
        while !isOver {
            index = window.bytes.withUnsafeBufferPointer { bytes in
                isList
                    ? elements(bytes, from: index, base: window.base, isComplete: window.isAtEnd)
                    : lines(bytes, from: index, base: window.base, isComplete: window.isAtEnd)
            }
            if window.isAtEnd { break }
            try window.move(to: index)
            index = 0
        }
        if isList, problems.count == 0, state != .end, !isOver {
            let end = window.base + window.bytes.count
            problems.add(
                "invalid-data", state == .start ? "the file is empty" : "the array is not closed", end..<end,
                line: line,
                suggestion: state == .start ? "write an array of objects" : "close it with \"]\"")
        }
    }

    /// Scans the lines that end within the bytes, and returns the offset after them.
    private mutating func lines(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, base: Int, isComplete: Bool
    ) -> Int {
        var index = start
        while index < bytes.count, !isOver {
            var end = index
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            if end == bytes.count, !isComplete { return index }
            let first = bytes[index..<end].firstIndex { !Self.isSpace($0) } ?? end
            if first < end { row(bytes, first..<end, base: base) }
            line += 1
            index = min(end + 1, bytes.count)
        }
        return index
    }

    /// Scans the array elements that end within the bytes, and returns the offset after them.
    private mutating func elements(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, base: Int, isComplete: Bool
    ) -> Int {
        var index = start
        while index < bytes.count, !isOver {
            let byte = bytes[index]
            if Self.isSpace(byte) {
                if byte == UInt8(ascii: "\n") { line += 1 }
                index += 1
                continue
            }
            switch (state, byte) {
            case (.start, UInt8(ascii: "[")): state = .first
            case (.first, UInt8(ascii: "]")), (.separator, UInt8(ascii: "]")): state = .end
            case (.separator, UInt8(ascii: ",")): state = .element
            case (.first, _), (.element, _):
                guard let end = Self.end(ofElementAt: index, in: bytes) else {
                    guard isComplete else { return index }
                    row(bytes, index..<bytes.count, base: base)
                    isOver = true
                    return index
                }
                row(bytes, index..<end, base: base)
                for index in index..<end where bytes[index] == UInt8(ascii: "\n") { line += 1 }
                if problems.count > 0 { isOver = true }
                state = .separator
                index = end
                continue
            case (.start, _):
                unexpected(
                    "a JSON data file must be an array of objects", at: base + index,
                    suggestion: byte == UInt8(ascii: "{")
                        ? "write \"[…]\" around them, or set \"format: ndjson\" if each line is an object" : nil)
            case (.separator, _): unexpected("expected \",\" or \"]\"", at: base + index)
            case (.end, _): unexpected("unexpected text after the array", at: base + index)
            }
            index += 1
        }
        return index
    }

    private mutating func unexpected(_ message: MessageText, at offset: Int, suggestion: MessageText? = nil) {
        problems.add("invalid-data", message, offset..<offset + 1, line: line, suggestion: suggestion)
        isOver = true
    }

    /// Validates an object and indexes its location.
    private mutating func row(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, base: Int) {
        let part = UnsafeBufferPointer(rebasing: bytes[range])
        let value: JSONValue
        var duplicates: [JSONDuplicateMember] = []
        do {
            value = try JSONParser().parse(part, duplicates: &duplicates)
        } catch {
            let offset = base + range.lowerBound + error.byteOffset
            problems.add(
                "invalid-data", error.wording, offset..<offset + 1, line: line + error.line - 1,
                suggestion: error.hint)
            if problems.isFull { isOver = true }
            return
        }
        for duplicate in duplicates {
            let offset = base + range.lowerBound + duplicate.byteOffset
            problems.add(
                "duplicate-key", "duplicate key \(duplicate.location.shorthand)", offset..<offset + 1,
                line: line + duplicate.line - 1, suggestion: "remove one of the two")
        }
        // For an object on several lines, only the first line is shown.
        let shown = part.firstIndex(of: UInt8(ascii: "\n")) ?? part.count
        let location = base + range.lowerBound..<base + range.lowerBound + shown
        guard case .object(let object) = value else {
            problems.add(
                "invalid-data", "a row must be an object, got \(value.typeDescription)", location, line: line,
                suggestion: isList ? nil : "for an array of rows, set \"format: json\"")
            if problems.isFull { isOver = true }
            return
        }
        for (name, _) in object where known.insert(name).inserted {
            if let problem = VariableNames.problem(of: name, what: "a column") {
                problems.add("invalid-name", problem.message, location, line: line, suggestion: problem.suggestion)
            }
            columns.append(DataColumn(name: name, type: .json))
        }
        rows.append(
            RowIndex.Row(
                offset: Int64(base + range.lowerBound), length: Int32(clamping: range.count),
                line: Int32(clamping: line)))
        if problems.isFull || rows.count > TestData.maximumCount { isOver = true }
    }

    /// Returns the offset after an array element; nil if it does not end within the bytes.
    private static func end(ofElementAt start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = start
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                if index >= bytes.count { return nil }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","):
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
