/// A message that distinguishes the words of the program, which are literals of the code, from the data between them.
///
/// Secrets are masked in the data only.
///
/// ```swift
/// let message: MessageText = "expected \(expected), got \(actual)"
/// ```
public struct MessageText: Sendable, Hashable {
    /// The whole message.
    public private(set) var text: String
    /// The ranges of the data in the UTF-8 form of the message, in order and without overlap.
    public private(set) var data: [Range<Int>]

    /// Creates a message that is data as a whole, because it was not made of literals here.
    public init(_ text: String) {
        self.text = text
        data = text.isEmpty ? [] : [0..<text.utf8.count]
    }

    /// Appends another message.
    public static func += (message: inout MessageText, other: MessageText) {
        let offset = message.text.utf8.count
        message.text += other.text
        for range in other.data { message.data.append(offset + range.lowerBound..<offset + range.upperBound) }
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
