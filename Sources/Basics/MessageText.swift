/// A message that distinguishes the words of the program, which are literals of the code, from the data between them.
///
/// Secrets are masked in the data only.
///
/// ```swift
/// let message: MessageText = "expected \(expected), got \(actual)"
/// ```
public struct MessageText: Sendable {
    /// The whole message.
    public private(set) var text: String
    /// The ranges of the data in the UTF-8 form of the message, in order and without overlap.
    public private(set) var data: [Range<Int>]

    /// Creates a message that is data as a whole, because it was not made of literals here.
    public init(_ text: String) {
        self.text = text
        data = text.isEmpty ? [] : [0..<text.utf8.count]
    }

    /// Creates a message of words of the program that are chosen at run time, such as the name of a type.
    public init(words: String) {
        text = words
        data = []
    }

    /// Returns the message with parts replaced by words of the program.
    ///
    /// - Parameter ranges: The parts in the UTF-8 form of the message, in order and without overlap. A part that begins
    ///   or ends within a character is replaced, and the rest of the character is repaired.
    public func replacing(_ ranges: [Range<Int>], with words: String) -> MessageText {
        let bytes = Array(text.utf8)
        var result: MessageText = ""
        var position = 0
        /// Appends the text up to an offset, with its data.
        func append(upTo end: Int) {
            while position < end {
                let next = data.first { $0.upperBound > position }
                let isData = next.map { $0.contains(position) } ?? false
                let stop = min(end, (isData ? next?.upperBound : next?.lowerBound) ?? end)
                let part = String(decoding: bytes[position..<stop], as: UTF8.self)
                result += isData ? MessageText(part) : MessageText(words: part)
                position = stop
            }
        }
        for range in ranges {
            append(upTo: range.lowerBound)
            result += MessageText(words: words)
            position = range.upperBound
        }
        append(upTo: bytes.count)
        return result
    }

    /// Returns the message with each occurrence of a text replaced by words of the program, such as a shorter path.
    public func replacing(_ part: String, with words: String) -> MessageText {
        replacing(text.ranges(of: part).map { offsets(of: $0) }, with: words)
    }

    /// Returns the offsets of a range of the text in its UTF-8 form.
    public func offsets(of range: Range<String.Index>) -> Range<Int> {
        let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
        return start..<start + text.utf8.distance(from: range.lowerBound, to: range.upperBound)
    }

    /// Appends another message.
    public static func += (message: inout MessageText, other: MessageText) {
        let offset = message.text.utf8.count
        message.text += other.text
        for range in other.data { message.data.append(offset + range.lowerBound..<offset + range.upperBound) }
    }

    /// Returns two messages as one.
    public static func + (first: MessageText, second: MessageText) -> MessageText {
        var message = first
        message += second
        return message
    }
}

extension MessageText: Hashable {
    /// Returns whether two messages have the same text.
    public static func == (first: MessageText, second: MessageText) -> Bool { first.text == second.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// An error whose message distinguishes the words of the program from the data between them.
public protocol MessageError: Error, CustomStringConvertible {
    /// The message: one sentence without a final period.
    var wording: MessageText { get }
}

extension MessageError {
    /// The message.
    public var description: String { wording.text }
}

extension MessageText: CustomStringConvertible {
    /// The whole message.
    public var description: String { text }
}

extension Sequence<MessageText> {
    /// Returns the messages as one, with a separator, which is not data, between them.
    public func joined(separator: MessageText = "") -> MessageText {
        var message: MessageText = ""
        for (index, part) in enumerated() {
            if index > 0 { message += separator }
            message += part
        }
        return message
    }
}

extension MessageText: ExpressibleByStringInterpolation {
    /// The parts of a message.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var message: MessageText = ""

        /// Creates an empty message.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends words of the program.
        public mutating func appendLiteral(_ literal: String) { message.text += literal }

        /// Appends a part of the message with words of its own.
        public mutating func appendInterpolation(_ part: MessageText) { message += part }

        /// Appends data.
        ///
        /// The attribute makes literals between the parentheses, as in `\(count == 1 ? "file" : "files")`, words of the
        /// program.
        @_disfavoredOverload
        public mutating func appendInterpolation<Data>(_ data: Data) {
            message += MessageText(String(describing: data))
        }
    }

    /// Creates a message of words of the program.
    public init(stringLiteral words: String) {
        text = words
        data = []
    }

    /// Creates a message.
    public init(stringInterpolation parts: StringInterpolation) { self = parts.message }
}
