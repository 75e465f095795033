import Basics
import Diagnostics
import JSON

/// Of several values the one that comes nearest to a value that is not among them, and how it differs.
struct NearestValue {
    /// How a value differs from another that it comes near to.
    private enum Nearness {
        /// Texts that differ in one respect: `in case`.
        case text(String)
        /// A text and a number, truth value or null that are written alike.
        case type
        /// Texts that differ in few letters.
        case spelling
        /// Structures that have most in common.
        case structure(JSONDifference)
    }

    /// The most candidates that are looked at.
    private static let mostCandidates = 1_000
    /// The most candidates of a structure, as each is compared in full.
    private static let mostStructures = 100
    /// The longest text, in bytes, that is compared.
    private static let longestText = 10_000

    /// Which of the candidates it is.
    let index: Int
    /// The candidate.
    let value: JSONValue
    private let nearness: Nearness

    /// Looks for the nearest candidate; nil when none comes near.
    ///
    /// - Parameters:
    ///   - target: The value that equals none of the candidates.
    ///   - isExpected: Whether the target is what is expected and the candidates are what there is, or the other way round.
    init?(to target: JSONValue, among candidates: [JSONValue], isExpected: Bool) {
        let candidates = candidates.prefix(NearestValue.mostCandidates)
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
        guard text.utf8.count <= longestText else { return nil }
        for (index, candidate) in candidates.enumerated() {
            guard case .string(let other) = candidate, other.utf8.count <= longestText else { continue }
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

    /// A candidate of another type that is written as the target is: `7` and `"7"`.
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
        for (index, candidate) in candidates.prefix(mostStructures).enumerated() {
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
            // Structures with nothing in common are not near.
            guard difference.changes.count < size, difference.changes.count < best?.difference.changes.count ?? .max
            else { continue }
            best = (index, difference)
        }
        return best.map { ($0.index, .structure($0.difference)) }
    }

    // MARK: In words

    /// A sentence about the candidate: `element [3] differs only in case`.
    ///
    /// - Parameter name: What the candidate is called.
    func sentence(_ name: String) -> String {
        switch nearness {
        case .text(let only): "\(name) differs only \(only)"
        case .type: "\(name) is \(ValueDescription.typed(value))"
        case .spelling: "\(name) is nearest: \(ValueDescription.plain(value))"
        case .structure(let difference):
            "\(name) is nearest, with \(ValueDescription.count(difference.changes.count, "difference"))"
        }
    }

    /// A sentence about the candidate as one of several operands: `nearest is 2 (integer)`.
    var alternative: String {
        switch nearness {
        case .text(let only): "\(ValueDescription.plain(value)) differs only \(only)"
        case .type, .spelling: "nearest is \(ValueDescription.typed(value))"
        case .structure(let difference):
            "nearest is \(ValueDescription.plain(value)), with "
                + ValueDescription.count(difference.changes.count, "difference")
        }
    }

    /// The difference from the candidate, line by line, when both are structures.
    func details(root: String) -> [String] {
        guard case .structure(let difference) = nearness else { return [] }
        return DifferenceLines.lines(difference, root: root)
    }
}

/// Looks for a text in another, byte by byte, in linear time.
///
/// Unlike a comparison of characters it finds parts of them.
enum ByteSearch {
    /// Whether the bytes of a part occur in the text.
    static func contains(_ text: String, _ part: String) -> Bool {
        withBytes(text, part) { text, part in
            switch attempt(text, part) {
            case .found: true
            case .notThere: false
            case .tooSlow: longestBeginning(of: part, in: text).length == part.count
            }
        }
    }

    /// How many bytes stand before the first occurrence of a part; nil when there is none.
    static func position(of part: String, in text: String) -> Int? {
        let found = longestBeginning(of: part, in: text)
        return found.length == part.utf8.count ? found.offset : nil
    }

    /// The first place where most of a part's beginning stands: how many bytes are before it, and how many agree.
    ///
    /// The length is a whole number of Unicode scalars.
    static func longestBeginning(of part: String, in text: String) -> (offset: Int, length: Int) {
        withBytes(text, part) { text, part in
            var found = longestBeginning(of: part, in: text)
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

    /// What came of a search without preparation.
    private enum Attempt {
        case found, notThere, tooSlow
    }

    /// Compares the part at each place, which needs no memory, as long as that stays linear in the text's length.
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

    /// The algorithm of Knuth, Morris and Pratt.
    private static func longestBeginning(
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
