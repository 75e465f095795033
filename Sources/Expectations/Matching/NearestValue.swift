import Basics
import Diagnostics
import JSON

/// The nearest of several values to a value that is not among them, and the difference between the two.
struct NearestValue {
    /// The kind of similarity between two values.
    private enum Nearness {
        /// Strings that differ in only one respect, such as case.
        case text(String)
        /// A string and a number, Boolean or null with the same representation.
        case type
        /// Strings that differ in a few letters.
        case spelling
        /// Structures that are mostly equal.
        case structure(JSONDifference)
    }

    /// The maximum number of candidates.
    private static let maximumCandidates = 1_000
    /// The maximum number of candidates for a structure, because each is compared in full.
    private static let maximumStructures = 100
    /// The maximum length of a compared string, in bytes.
    private static let maximumTextLength = 10_000

    /// The index of the candidate.
    let index: Int
    /// The candidate.
    let value: JSONValue
    private let nearness: Nearness

    /// Finds the nearest candidate. Returns nil if none is similar.
    ///
    /// - Parameters:
    ///   - target: The value that equals none of the candidates.
    ///   - isExpected: Whether the target is the expected value and the candidates are actual values, or vice versa.
    init?(to target: JSONValue, among candidates: [JSONValue], isExpected: Bool) {
        let candidates = candidates.prefix(NearestValue.maximumCandidates)
        let found =
            switch target {
            case .string(let text): NearestValue.nearest(text, candidates)
            case .number, .bool, .null: NearestValue.sameText(target, candidates)
            case .array, .object: NearestValue.nearest(target, candidates, isExpected: isExpected)
            }
        guard let found, candidates.indices.contains(found.index) else { return nil }
        index = found.index
        value = candidates[found.index]
        nearness = found.nearness
    }

    private static func nearest(
        _ text: String, _ candidates: ArraySlice<JSONValue>
    ) -> (index: Int, nearness: Nearness)? {
        guard text.utf8.count <= maximumTextLength else { return nil }
        for (index, candidate) in candidates.enumerated() {
            guard case .string(let other) = candidate, other.utf8.count <= maximumTextLength else { continue }
            if other == text { return (index, .text("in the code points of letters that look alike")) }
            if let only = TextDifference(expected: text, actual: other).only { return (index, .text(only)) }
        }
        if let found = sameText(.string(text), candidates) { return found }
        let texts = candidates.map { $0.stringValue ?? "" }
        guard let word = Spelling.nearest(to: text, among: texts), let index = texts.firstIndex(of: word) else {
            return nil
        }
        return (index, .spelling)
    }

    /// Returns a candidate of another type with the same representation, such as `7` and `"7"`.
    private static func sameText(
        _ target: JSONValue, _ candidates: ArraySlice<JSONValue>
    ) -> (index: Int, nearness: Nearness)? {
        guard let text = scalarText(target) else { return nil }
        for (index, candidate) in candidates.enumerated() where scalarText(candidate) == text {
            return (index, .type)
        }
        return nil
    }

    private static func scalarText(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let flag): flag ? "true" : "false"
        case .null: "null"
        case .array, .object: nil
        }
    }

    private static func nearest(
        _ target: JSONValue, _ candidates: ArraySlice<JSONValue>, isExpected: Bool
    ) -> (index: Int, nearness: Nearness)? {
        var best: (index: Int, difference: JSONDifference)?
        for (index, candidate) in candidates.prefix(maximumStructures).enumerated() {
            let size: Int
            switch (target, candidate) {
            case (.object(let first), .object(let second)): size = max(first.count, second.count)
            case (.array(let first), .array(let second)): size = max(first.count, second.count)
            default: continue
            }
            let difference =
                isExpected
                ? JSONDifference(expected: target, actual: candidate)
                : JSONDifference(expected: candidate, actual: target)
            // Structures without equal parts are not similar.
            guard difference.changes.count < size, difference.changes.count < best?.difference.changes.count ?? .max
            else { continue }
            best = (index, difference)
        }
        return best.map { ($0.index, .structure($0.difference)) }
    }

    // MARK: Descriptions

    /// Returns a sentence about the candidate: `element [3] is 2 (integer)`.
    ///
    /// - Parameter name: The name of the candidate in the sentence.
    func sentence(_ name: MessageText) -> MessageText {
        switch nearness {
        case .text(let only): "\(name) differs only \(only)"
        case .type: "\(name) is \(ValueDescription.typed(value))"
        case .spelling: "\(name) is the nearest: \(ValueDescription.plain(value))"
        case .structure(let difference):
            "\(name) is the nearest, with \(ValueDescription.count(difference.changes.count, "difference"))"
        }
    }

    /// A sentence about the candidate as one of several operands: `the nearest is 2 (integer)`.
    var alternative: MessageText {
        switch nearness {
        case .text(let only): "\(ValueDescription.plain(value)) differs only \(only)"
        case .type, .spelling: "the nearest is \(ValueDescription.typed(value))"
        case .structure(let difference):
            "the nearest is \(ValueDescription.plain(value)), with "
                + ValueDescription.count(difference.changes.count, "difference")
        }
    }

    /// Returns the lines of the difference from the candidate if both are structures.
    func details(root: String) -> [MessageText] {
        guard case .structure(let difference) = nearness else { return [] }
        return DifferenceLines.lines(difference, root: root)
    }
}

/// A bytewise substring search in linear time.
///
/// Unlike a comparison of characters, it also finds parts of characters.
enum ByteSearch {
    /// Returns whether the text contains the bytes of a part.
    static func contains(_ text: String, _ part: String) -> Bool {
        withBytes(text, part) { text, part in
            switch attempt(text, part) {
            case .found: true
            case .notThere: false
            case .tooSlow: longestPrefix(of: part, in: text).length == part.count
            }
        }
    }

    /// Returns the byte offset of the first occurrence of a part, or nil if it does not occur.
    static func position(of part: String, in text: String) -> Int? {
        let found = longestPrefix(of: part, in: text)
        return found.length == part.utf8.count ? found.offset : nil
    }

    /// Returns the first occurrence of the longest beginning of a part that occurs: its offset and length, in bytes.
    ///
    /// The length is a whole number of Unicode scalars.
    static func longestPrefix(of part: String, in text: String) -> (offset: Int, length: Int) {
        withBytes(text, part) { text, part in
            var found = longestPrefix(of: part, in: text)
            while found.length < part.count, found.length > 0, part[found.length] & 0xC0 == 0x80 { found.length -= 1 }
            return found
        }
    }

    private static func withBytes<Result>(
        _ text: String, _ part: String, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        var text = text
        var part = part
        return text.withUTF8 { text in part.withUTF8 { part in body(text, part) } }
    }

    /// The result of a search without preprocessing.
    private enum Attempt {
        case found, notThere, tooSlow
    }

    /// Compares the part at each position, without memory, while the number of comparisons remains linear in the text's
    /// size.
    private static func attempt(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Attempt {
        guard let first = part.first else { return .found }
        guard part.count <= text.count else { return .notThere }
        var budget = text.count &* 4 &+ part.count
        for start in 0...(text.count - part.count) where text[start] == first {
            var length = 1
            while length < part.count, text[start + length] == part[length] { length += 1 }
            if length == part.count { return .found }
            budget -= length
            if budget < 0 { return .tooSlow }
        }
        return .notThere
    }

    /// Finds the longest beginning with the Knuth-Morris-Pratt algorithm.
    private static func longestPrefix(
        of part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
    ) -> (offset: Int, length: Int) {
        guard !part.isEmpty else { return (0, 0) }
        // borders[i]: the length of the longest proper prefix of part[...i] that is also its suffix.
        var borders = [Int](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[index] != part[length] { length = borders[length - 1] }
            if part[index] == part[length] { length += 1 }
            borders[index] = length
        }
        var best = (offset: 0, length: 0)
        length = 0
        for (index, byte) in text.enumerated() {
            while length > 0, byte != part[length] { length = borders[length - 1] }
            if byte == part[length] { length += 1 }
            if length > best.length { best = (index + 1 - length, length) }
            if length == part.count { break }
        }
        return best
    }
}
