import Basics
import JSON
import RegularExpressions

/// The regex extension: `regex.replace`, `regex.extract`, and `regex.extractAll`, with RE2 patterns.
enum RegexFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.function("regex.replace", counts: 3...4) { values, state throws(CELFailure) in
            try replace(values, &state)
        }
        functions.function("regex.extract") { text, pattern, state throws(CELFailure) in
            guard case .string(let text) = text, case .string(let source) = pattern else { throw .noOverload }
            let pattern = try extracting(source, &state)
            guard let match = try state.meter.firstMatch(pattern, text, from: 0), let found = extracted(match) else {
                return .optional(.none)
            }
            return .optional(CELOptional(try state.made(found)))
        }
        functions.function("regex.extractAll") { text, pattern, state throws(CELFailure) in
            guard case .string(let text) = text, case .string(let source) = pattern else { throw .noOverload }
            let pattern = try extracting(source, &state)
            var found: [CELValue] = []
            try eachMatch(pattern, text, &state) { match, state throws(CELFailure) in
                guard let part = extracted(match) else { return true }
                try state.meter.allocate(elements: 1)
                found.append(try state.made(part))
                return true
            }
            return .list(CELList(found))
        }
    }

    /// Compiles a pattern that has at most one group.
    private static func extracting(
        _ source: String, _ state: inout CallState
    ) throws(CELFailure) -> RegularExpression {
        let pattern = try state.pattern(source)
        guard pattern.groupCount <= 1 else {
            throw .message(
                "the pattern has \(pattern.groupCount) groups, but at most one can be extracted; write (?:…) for the others"
            )
        }
        return pattern
    }

    /// Returns the text of a match's group, or of the whole match if the pattern has no group; nil for an empty group.
    private static func extracted(_ match: RegularExpression.Match) -> String? {
        guard match.groups.count > 1 else { return String(match.text) }
        return match.text(ofGroup: 1).flatMap { $0.isEmpty ? nil : String($0) }
    }

    // MARK: Replacement

    /// A piece of a replacement template.
    private enum Piece {
        case text([UInt8])
        case group(Int)
    }

    private static func replace(_ values: [CELValue], _ state: inout CallState) throws(CELFailure) -> CELValue {
        guard case .string(let text) = values[0], case .string(let source) = values[1],
            case .string(let replacement) = values[2]
        else { throw .noOverload }
        var left = Int64.max
        if values.count > 3 {
            switch values[3] {
            case .int(let count): left = count < 0 ? .max : count
            case .number(let number):
                guard let count = number.int64 else { throw .noOverload }
                left = count < 0 ? .max : count
            default: throw .noOverload
            }
        }
        let pattern = try state.pattern(source)
        guard left > 0 else { return values[0] }
        let pieces = try pieces(of: replacement, groups: pattern.groupCount)
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var end = 0
        try eachMatch(pattern, text, &state) { match, state throws(CELFailure) in
            let before = result.count
            result += bytes[end..<match.range.lowerBound]
            for piece in pieces {
                switch piece {
                case .text(let text): result += text
                case .group(let number): if let range = match.groups[number] { result += bytes[range] }
                }
            }
            end = match.range.upperBound
            left -= 1
            try state.meter.allocate(result.count - before)
            return left > 0
        }
        result += bytes[end...]
        return try state.made(String(decoding: result, as: UTF8.self))
    }

    /// Parses a replacement template with references to groups.
    private static func pieces(of replacement: String, groups: Int) throws(CELFailure) -> [Piece] {
        var pieces: [Piece] = []
        var text: [UInt8] = []
        var bytes = Array(replacement.utf8)[...]
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            switch bytes.popFirst() {
            case UInt8(ascii: "\\"): text.append(byte)
            case let digit? where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit):
                let number = Int(digit - UInt8(ascii: "0"))
                guard number <= groups else {
                    throw .message(
                        "the replacement refers to group \(number), but the pattern has \(groups == 1 ? "1 group" : "\(groups) groups")"
                    )
                }
                pieces += [.text(text), .group(number)]
                text = []
            default:
                throw .message("a backslash in the replacement must be followed by a group number or another backslash")
            }
        }
        pieces.append(.text(text))
        return pieces
    }

    // MARK: Matches

    /// Calls a closure with each non-overlapping match, until the closure returns false.
    ///
    /// An empty match directly after another match is skipped, as in RE2.
    private static func eachMatch(
        _ pattern: RegularExpression, _ text: String, _ state: inout CallState,
        _ body: (RegularExpression.Match, inout CallState) throws(CELFailure) -> Bool
    ) throws(CELFailure) {
        let bytes = Array(text.utf8)
        var position = 0
        var lastEnd = -1
        while position <= bytes.count, let match = try state.meter.firstMatch(pattern, text, from: position) {
            let isAdjacent = match.range.isEmpty && match.range.lowerBound == lastEnd
            lastEnd = match.range.upperBound
            if match.range.isEmpty, lastEnd == position {
                position += 1
                while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
            } else {
                position = lastEnd
            }
            if !isAdjacent, try !body(match, &state) { return }
        }
    }
}
