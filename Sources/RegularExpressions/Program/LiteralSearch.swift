#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A search for literal bytes in a text.
enum LiteralSearch {
    /// Returns the first occurrence of a pattern's literal prefix at or after a position.
    ///
    /// Runs in linear time: the Knuth–Morris–Pratt algorithm, with the C library's search for the first byte.
    static func first(_ shape: LiteralShape, in text: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        let literal = shape.prefix
        guard let head = literal.first else { return start }
        guard start <= text.count, literal.count <= text.count - start, let base = text.baseAddress else { return nil }
        var position = start
        var matched = 0
        while position < text.count {
            if matched == 0 {
                guard let found = memchr(base + position, Int32(head), text.count - position) else { return nil }
                position = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
                matched = 1
            } else if text[position] == literal[matched] {
                position += 1
                matched += 1
            } else {
                matched = shape.borders[matched - 1]
            }
            if matched == literal.count { return position - matched }
        }
        return nil
    }

    /// Returns whether the text contains the bytes at a position.
    static func has(_ literal: [UInt8], in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        guard position >= 0, literal.count <= text.count - position else { return false }
        for index in literal.indices where text[position + index] != literal[index] { return false }
        return true
    }

    /// Returns the match of a pattern that consists of only literal text and anchors.
    static func range(of shape: LiteralShape, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let count = shape.prefix.count
        let start: Int?
        switch (shape.isAnchoredAtStart, shape.isAnchoredAtEnd) {
        case (true, true): start = text.count == count && has(shape.prefix, in: text, at: 0) ? 0 : nil
        case (true, false): start = has(shape.prefix, in: text, at: 0) ? 0 : nil
        case (false, true): start = has(shape.prefix, in: text, at: text.count - count) ? text.count - count : nil
        case (false, false): start = first(shape, in: text)
        }
        return start.map { $0..<$0 + count }
    }
}
