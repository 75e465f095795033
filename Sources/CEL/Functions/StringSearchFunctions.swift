import Basics

/// The search methods of strings: `contains`, `startsWith`, `endsWith`, `matches`, `indexOf`, and `lastIndexOf`.
enum StringSearchFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.method("contains") { text, part, state throws(CELFailure) in
            guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
            try state.scan(text)
            try state.scan(part)
            return .bool(TextSearch(part).isIn(text))
        }
        functions.method("startsWith") { text, part, state throws(CELFailure) in
            guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
            try state.scan(part)
            return .bool(text.utf8.starts(with: part.utf8))
        }
        functions.method("endsWith") { text, part, state throws(CELFailure) in
            guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
            try state.scan(part)
            return .bool(text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8))
        }
        functions.function("matches") { text, pattern, state throws(CELFailure) in
            try matches(text, pattern, &state)
        }
        functions.method("matches") { text, pattern, state throws(CELFailure) in try matches(text, pattern, &state) }
        functions.method("indexOf", counts: 1...2) { values, state throws(CELFailure) in
            try indexOf(values, &state)
        }
        functions.method("lastIndexOf", counts: 1...2) { values, state throws(CELFailure) in
            try lastIndexOf(values, &state)
        }
    }

    private static func matches(
        _ text: CELValue, _ pattern: CELValue, _ state: inout CallState
    ) throws(CELFailure) -> CELValue {
        guard case .string(let text) = text, case .string(let pattern) = pattern else { throw .noOverload }
        return .bool(try state.meter.matches(try state.pattern(pattern), text))
    }

    private static func indexOf(_ values: [CELValue], _ state: inout CallState) throws(CELFailure) -> CELValue {
        guard case .string(let text) = values[0], case .string(let part) = values[1] else { throw .noOverload }
        try state.scan(text)
        let scalars = ScalarIndex(text)
        let start = values.count > 2 ? try scalars.checked(values[2]) : 0
        if part.isEmpty { return .int(Int64(start)) }
        let bytes = Array(text.utf8)
        guard let position = TextSearch(part).firstOffset(in: bytes, from: scalars.byteOffset(start)) else {
            return .int(-1)
        }
        return .int(Int64(scalars.scalarOffset(position)))
    }

    /// Returns the last index, up to a maximum, at which a substring starts.
    private static func lastIndexOf(_ values: [CELValue], _ state: inout CallState) throws(CELFailure) -> CELValue {
        guard case .string(let text) = values[0], case .string(let part) = values[1] else { throw .noOverload }
        let bytes = Array(text.utf8)
        let wanted = Array(part.utf8)
        try state.meter.step((bytes.count &* max(1, wanted.count >> 4)) >> 2)
        let scalars = ScalarIndex(text)
        let limit = values.count > 2 ? try scalars.checked(values[2]) : scalars.count
        if wanted.isEmpty { return .int(Int64(limit)) }
        var start = min(scalars.byteOffset(limit), bytes.count - wanted.count)
        while start >= 0 {
            if bytes[start] == wanted[0], bytes[start..<(start + wanted.count)].elementsEqual(wanted) {
                return .int(Int64(scalars.scalarOffset(start)))
            }
            start -= 1
        }
        return .int(-1)
    }
}

/// A search for a string that takes linear time for any input (Knuth-Morris-Pratt).
struct TextSearch {
    /// The bytes to search for.
    let part: [UInt8]
    /// For each length of a matched prefix, the length of its longest proper prefix that is also its suffix.
    private let fallbacks: [Int]

    init(_ text: String) {
        let part = Array(text.utf8)
        var fallbacks = [Int](repeating: 0, count: part.count)
        var matched = 0
        for index in part.indices.dropFirst() {
            while matched > 0, part[index] != part[matched] { matched = fallbacks[matched - 1] }
            if part[index] == part[matched] { matched += 1 }
            fallbacks[index] = matched
        }
        self.part = part
        self.fallbacks = fallbacks
    }

    /// Returns the byte offset of the first occurrence at or after an offset; nil if there is none.
    func firstOffset(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard let first = part.first else { return start <= bytes.count ? start : nil }
        var matched = 0
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if matched == 0, byte != first {
                index += 1
                continue
            }
            while matched > 0, byte != part[matched] { matched = fallbacks[matched - 1] }
            if byte == part[matched] { matched += 1 }
            index += 1
            if matched == part.count { return index - matched }
        }
        return nil
    }

    func firstOffset(in bytes: [UInt8], from start: Int = 0) -> Int? {
        bytes.withUnsafeBufferPointer { firstOffset(in: $0, from: start) }
    }

    func isIn(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { firstOffset(in: $0) != nil }
    }
}

/// An index of the Unicode scalars of a string.
struct ScalarIndex {
    private let text: String
    private let isASCII: Bool
    /// The number of scalars.
    let count: Int

    init(_ text: String) {
        self.text = text
        isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        count = isASCII ? text.utf8.count : text.unicodeScalars.count
    }

    /// Converts an int value to an index from 0 to the number of scalars.
    func checked(_ value: CELValue) throws(CELFailure) -> Int {
        guard case .int(let index) = value else { throw .noOverload }
        guard let position = Int(exactly: index), (0...count).contains(position) else {
            throw .message("index \(index) is out of range; the string has \(count) characters")
        }
        return position
    }

    func index(_ offset: Int) -> String.Index {
        isASCII
            ? text.utf8.index(text.startIndex, offsetBy: offset)
            : text.unicodeScalars.index(text.startIndex, offsetBy: offset)
    }

    func byteOffset(_ offset: Int) -> Int {
        isASCII ? offset : text.utf8.distance(from: text.startIndex, to: index(offset))
    }

    func scalarOffset(_ byteOffset: Int) -> Int {
        guard !isASCII else { return byteOffset }
        let index = text.utf8.index(text.startIndex, offsetBy: byteOffset)
        return text.unicodeScalars.distance(from: text.startIndex, to: index)
    }

    /// Returns the substring between two scalar offsets.
    func slice(_ start: Int, _ end: Int) -> String {
        String(text[index(start)..<index(end)])
    }
}
