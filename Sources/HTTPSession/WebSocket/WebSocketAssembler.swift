import Basics

/// The assembler of messages from frames, which enforces the rules of RFC 6455, sections 5 and 8.1.
struct WebSocketAssembler {
    /// A protocol violation by the server.
    struct Violation: Error, Hashable {
        var code: WebSocketCloseCode
        var message: MessageText
        var isTooLarge = false
    }

    /// The maximum size of a message in bytes.
    let limit: Int

    private var parts: [UInt8] = []
    private var isText = false
    private var isFragmented = false
    private var validator = UTF8Validator()

    init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Adds a data frame.
    /// - Parameters:
    ///   - kind: The message type of the first frame; nil for a continuation frame.
    ///   - isFinal: Whether the frame is the last of its message.
    ///   - bytes: The payload.
    /// - Returns: The message that the frame completes.
    mutating func take(
        _ kind: Kind?, isFinal: Bool, _ bytes: UnsafeRawBufferPointer
    ) throws(Violation) -> WebSocketMessage? {
        if let kind {
            guard !isFragmented else {
                throw Violation(code: .protocolError, message: "a message started before the previous one ended")
            }
            isText = kind == .text
            validator = UTF8Validator()
        } else {
            guard isFragmented else {
                throw Violation(code: .protocolError, message: "a continuation frame has no message to continue")
            }
        }
        guard bytes.count <= limit - parts.count else { throw tooLarge }
        if isText {
            guard validator.take(bytes), !isFinal || validator.isComplete else {
                throw Violation(code: .invalidPayload, message: "a text message is not UTF-8")
            }
        }
        isFragmented = !isFinal
        guard isFinal else {
            parts.append(contentsOf: bytes)
            return nil
        }
        defer { parts = [] }
        guard !parts.isEmpty else {
            return isText ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(Array(bytes))
        }
        parts.append(contentsOf: bytes)
        return isText ? .text(String(decoding: parts, as: UTF8.self)) : .binary(parts)
    }

    /// The types of data messages.
    enum Kind {
        case text
        case binary
    }

    /// The violation of the size limit.
    var tooLarge: Violation {
        Violation(
            code: .messageTooBig, message: "a message is larger than the limit of \(limit) bytes", isTooLarge: true)
    }

    /// Parses the payload of a close frame (RFC 6455, section 5.5.1).
    static func closure(_ bytes: UnsafeRawBufferPointer) throws(Violation) -> (code: WebSocketCloseCode, reason: String)
    {
        guard bytes.count > 0 else { return (.noStatus, "") }
        guard bytes.count >= 2 else {
            throw Violation(code: .protocolError, message: "a close frame has an incomplete code")
        }
        let code = WebSocketCloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard code.isValidOnWire else {
            throw Violation(code: .protocolError, message: "a close frame has the code \(code), which must not be sent")
        }
        let reason = UnsafeRawBufferPointer(rebasing: bytes[2...])
        var validator = UTF8Validator()
        guard validator.take(reason), validator.isComplete else {
            throw Violation(code: .invalidPayload, message: "the reason in a close frame is not UTF-8")
        }
        return (code, String(decoding: reason, as: UTF8.self))
    }
}

/// An incremental UTF-8 validator that fails at the first invalid byte (Unicode 16, table 3-7).
struct UTF8Validator {
    /// The number of continuation bytes that are still expected.
    private var missing = 0
    /// The lower bound of the next byte.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    /// Whether the bytes end at a character boundary.
    var isComplete: Bool { missing == 0 }

    /// Validates the next bytes.
    /// - Returns: Whether all bytes so far are valid UTF-8, except for an incomplete last character.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        let count = bytes.count
        while index < count {
            if missing == 0 {
                // Skip ASCII, eight bytes at a time.
                while index + 8 <= count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < count else { return true }
            }
            guard take(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard missing == 0 else {
            guard byte >= low, byte <= high else { return false }
            missing -= 1
            low = 0x80
            high = 0xBF
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            // Exclude overlong forms and surrogates.
            if byte == 0xE0 { low = 0xA0 } else if byte == 0xED { high = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { low = 0x90 } else if byte == 0xF4 { high = 0x8F }
        default: return false
        }
        return true
    }
}
