import Basics
public import FoundationEssentials

/// The decoded values of a response's body, one per line, as they arrive.
///
/// ```swift
/// for try await book in session.get("books.ndjson").values(of: Book.self) { print(book.title) }
/// ```
///
/// The body is JSON Lines (NDJSON) or a JSON text sequence (RFC 7464); empty lines are skipped. The request is sent
/// when the first value is requested, and leaving a loop cancels the exchange.
public struct ResponseValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A decoded value.
    public typealias Element = Value
    /// The error that ends the sequence.
    public typealias Failure = SessionError

    let lines: ResponseLines
    let decoder: any BodyDecoder

    /// Returns an iterator; nothing is sent before its first value is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: lines.makeAsyncIterator(), decoder: decoder)
    }

    /// The iterator over the values of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var lines: ResponseLines.AsyncIterator
        fileprivate let decoder: any BodyDecoder
        private var number = 0

        fileprivate init(lines: ResponseLines.AsyncIterator, decoder: any BodyDecoder) {
            self.lines = lines
            self.decoder = decoder
        }

        /// Returns the next value, or nil at the end.
        /// - Throws: ``SessionError``; ``SessionError/Reason/undecodable`` for a line that is not a value.
        public nonisolated(nonsending) mutating func next() async throws(SessionError) -> Value? {
            while let line = try await lines.next() {
                number += 1
                // In RFC 7464, each text starts with a record separator.
                let text = line.utf8.drop { $0 == 0x1E || $0 == 32 || $0 == 9 }
                if text.isEmpty { continue }
                return try Self.decode(Array(text), "line \(number) of the response", decoder)
            }
            return nil
        }

        /// Returns the next value, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SessionError) -> Value? {
            try await next()
        }

        fileprivate static func decode(
            _ text: [UInt8], _ location: String, _ decoder: any BodyDecoder
        ) throws(SessionError) -> Value {
            do {
                return try decoder.decodeBody(Value.self, from: text)
            } catch {
                throw SessionError(
                    phase: .decode, reason: .undecodable,
                    message: "\(location) cannot be decoded as \(Value.self): \(SerializationFailure.text(of: error))"
                        as MessageText + "; it starts with \(SerializationFailure.excerpt(text))",
                    underlying: error)
            }
        }
    }
}

extension PendingExchange {
    /// Returns the decoded values of the response's body, one per line; nothing is sent before the first is requested.
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder for each line.
    ///   - maximumLength: The maximum length of a line in bytes; a longer line is an error.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder(),
        maximumLength: Int = ResponseLines.standardMaximumLength
    ) -> ResponseValues<Value> {
        ResponseValues(lines: lines(maximumLength: maximumLength), decoder: decoder)
    }
}

extension ResponseBodyStream {
    /// Returns the decoded values of the unread rest of the body, one per line.
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder for each line.
    ///   - maximumLength: The maximum length of a line in bytes; a longer line is an error.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder(),
        maximumLength: Int = ResponseLines.standardMaximumLength
    ) -> ResponseValues<Value> {
        ResponseValues(lines: lines(maximumLength: maximumLength), decoder: decoder)
    }
}

extension ServerSentEvent {
    /// Decodes a value from the event's data.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable``.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder()
    ) throws(SessionError) -> Value {
        try ResponseValues<Value>.AsyncIterator.decode(Array(data.utf8), "the data of an event", decoder)
    }
}
