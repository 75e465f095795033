import Basics

/// An incremental parser of HTTP/1 responses (RFC 9112), strict except where the standard calls for tolerance.
///
/// The caller passes bytes as they arrive. Bytes that the parser did not consume must be passed again, together with
/// those that follow. The parser does not store the body; that is up to the caller. Lines may end in LF alone (section
/// 2.2), and folded header lines are joined (section 5.2).
struct HTTP1ResponseParser {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// A part of the response.
    enum Part {
        /// An informational (1xx) response, stored in ``HTTP1ResponseParser/informational``.
        case informational
        /// The head of the final response, stored in ``HTTP1ResponseParser/head``.
        case head
        /// The next bytes of the body, at these positions.
        case body(Range<Int>)
        /// The end of the response.
        case complete
    }

    private enum State {
        case head
        case fixed(remaining: Int)
        case chunkSize
        case chunkData(remaining: Int)
        case chunkEnd
        case trailers
        case untilClose
        case complete
    }

    /// The head of the final response, once it has been parsed.
    private(set) var head: ResponseHead?
    /// The last informational (1xx) response.
    private(set) var informational: ResponseHead?
    /// The number of body bytes so far, without framing.
    private(set) var bodyCount = 0
    /// The trailer fields of a chunked body.
    private(set) var trailers = HTTPHeaders()
    /// The announced length of the body, if any.
    private(set) var expectedLength: Int?
    /// Whether the framing allows the connection to be reused.
    private(set) var framingAllowsReuse = true

    private var state = State.head
    private var scanned = 0
    private var headerBytesLeft: Int
    private let headerLimit: Int
    private let bodyLimit: Int
    private let method: HTTPMethod
    private let memory: HeaderCache?

    /// Creates a parser for the response to a request.
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - headerLimit: The maximum total size of all heads and the trailers in bytes.
    ///   - bodyLimit: The maximum size of the body in bytes.
    ///   - memory: The cache of the origin's last response header, updated with this one.
    init(method: HTTPMethod, headerLimit: Int, bodyLimit: Int, memory: HeaderCache? = nil) {
        self.method = method
        self.memory = memory
        self.headerLimit = headerLimit
        self.bodyLimit = bodyLimit
        self.headerBytesLeft = headerLimit
    }

    /// Whether the response is complete.
    var isComplete: Bool {
        if case .complete = state { return true }
        return false
    }

    /// Parses the next part.
    /// - Parameters:
    ///   - bytes: The bytes that have arrived and not been consumed.
    ///   - position: The start position; advanced past the consumed bytes.
    /// - Returns: The part; nil if more bytes are needed. After the end of the response, nothing more is consumed.
    mutating func next(
        _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int
    ) throws(HTTP1ParseFailure) -> Part? {
        while true {
            let rest = UnsafeBufferPointer(rebasing: bytes[position...])
            switch state {
            case .head:
                let count = try consumeHead(rest)
                position += count
                guard count > 0 else { return nil }
                return head == nil ? .informational : .head
            case .fixed(let remaining):
                guard let count = bodyPart(rest, remaining) else { return nil }
                state = .fixed(remaining: remaining - count)
                if count == remaining { state = .complete }
                position += count
                return .body(position - count..<position)
            case .chunkData(let remaining):
                guard let count = bodyPart(rest, remaining) else { return nil }
                state = count == remaining ? .chunkEnd : .chunkData(remaining: remaining - count)
                position += count
                return .body(position - count..<position)
            case .untilClose:
                guard rest.count <= bodyLimit - bodyCount else { throw bodyLimitFailure() }
                guard let count = bodyPart(rest, .max) else { return nil }
                position += count
                return .body(position - count..<position)
            case .chunkSize, .chunkEnd, .trailers:
                let count = try consumeFraming(rest)
                guard count > 0 else { return nil }
                position += count
            case .complete:
                return .complete
            }
        }
    }

    private mutating func consumeFraming(_ rest: Bytes) throws(HTTP1ParseFailure) -> Int {
        switch state {
        case .chunkSize: try consumeChunkSize(rest)
        case .chunkEnd: try consumeChunkEnd(rest)
        case .trailers: try consumeTrailers(rest)
        case .head, .fixed, .chunkData, .untilClose, .complete: 0
        }
    }

    /// Returns the number of bytes that belong to the body; nil if there are none.
    private mutating func bodyPart(_ rest: Bytes, _ remaining: Int) -> Int? {
        let count = min(remaining, rest.count)
        guard count > 0 else { return nil }
        bodyCount &+= count
        return count
    }

    /// Handles the close of the connection by the server.
    /// - Returns: Nil if the response is complete; otherwise a description of the missing part.
    mutating func end() -> MessageText? {
        switch state {
        case .complete: return nil
        case .untilClose:
            state = .complete
            return nil
        case .head:
            return scanned > 0 || head != nil ? "in the middle of the header section" : "before it sent a response"
        case .fixed(let remaining):
            return "after \(bodyCount) of \(bodyCount &+ remaining) bytes of the body"
        case .chunkSize, .chunkData, .chunkEnd:
            return "in the middle of a chunked body, after \(bodyCount) bytes of it"
        case .trailers:
            return "in the trailers of a chunked body"
        }
    }

    // MARK: Head

    private mutating func consumeHead(_ bytes: Bytes) throws(HTTP1ParseFailure) -> Int {
        if scanned == 0, let known = memory?.head(of: bytes) {
            let end = try section(known.length, false)
            head = known.head
            try determineFraming(known.head)
            return end
        }
        try checkBeginning(bytes)
        guard let end = try endOfSection(bytes, isTrailer: false) else { return 0 }
        let section = Bytes(rebasing: bytes[..<end])
        var lines = LineReader(section)
        guard let statusLine = lines.next() else { return 0 }
        var parsed = try Self.statusLine(Bytes(rebasing: section[statusLine]))
        if let memory {
            parsed.headers = try memory.withKept { kept, fields throws(HTTP1ParseFailure) in
                try Self.fields(section, &lines, kept, fields)
            }
        } else {
            parsed.headers = try Self.fields(section, &lines)
        }
        if (100..<200).contains(parsed.status), parsed.status != 101 {
            informational = parsed
            return end
        }
        // Store the head even if the body is rejected, so that the error includes it.
        head = parsed
        memory?.keep(parsed, of: section)
        try determineFraming(parsed)
        return end
    }

    /// Fails at the first invalid byte, without waiting for the end of a header that will not come.
    private func checkBeginning(_ bytes: Bytes) throws(HTTP1ParseFailure) {
        let expected: StaticString = "HTTP/"
        let matches = expected.withUTF8Buffer { expected in
            zip(bytes, expected).allSatisfy { $0 == $1 }
        }
        guard !matches else { return }
        if Self.isHTTP2Settings(bytes) {
            throw HTTP1ParseFailure(otherVersion: "the server speaks HTTP/2, and the request was sent in HTTP/1.1")
        }
        throw HTTP1ParseFailure("the server did not respond with HTTP: it sent \(Self.excerpt(bytes))")
    }

    /// Returns the length of a section that ends with an empty line; nil if it is incomplete.
    private mutating func endOfSection(_ bytes: Bytes, isTrailer: Bool) throws(HTTP1ParseFailure) -> Int? {
        var position = scanned
        while position < bytes.count {
            guard let lineFeed = bytes.firstLineFeed(from: position) else { break }
            let next = lineFeed + 1
            let isFirstEmpty = isTrailer && (lineFeed == 0 || (lineFeed == 1 && bytes[0] == 13))
            if isFirstEmpty { return try section(next, isTrailer) }
            if next < bytes.count {
                if bytes[next] == 10 { return try section(next + 1, isTrailer) }
                if bytes[next] == 13, next + 1 < bytes.count {
                    if bytes[next + 1] == 10 { return try section(next + 2, isTrailer) }
                    position = next
                    continue
                }
                if bytes[next] != 13 {
                    position = next
                    continue
                }
            }
            // The next line is incomplete: check this line feed again when more bytes have arrived.
            scanned = lineFeed
            try checkHeaderLimit(bytes.count, isTrailer)
            return nil
        }
        scanned = bytes.count
        try checkHeaderLimit(bytes.count, isTrailer)
        return nil
    }

    private mutating func section(_ length: Int, _ isTrailer: Bool) throws(HTTP1ParseFailure) -> Int {
        try checkHeaderLimit(length, isTrailer)
        headerBytesLeft -= length
        scanned = 0
        return length
    }

    private func checkHeaderLimit(_ count: Int, _ isTrailer: Bool) throws(HTTP1ParseFailure) {
        guard count > headerBytesLeft else { return }
        throw HTTP1ParseFailure(
            limit: .headerBytes, headerLimit,
            "the response's \(isTrailer ? "header and trailer sections are" : "header section is") larger than "
                + "the limit of \(headerLimit) bytes")
    }

    private static func statusLine(_ line: Bytes) throws(HTTP1ParseFailure) -> ResponseHead {
        func digit(_ index: Int) -> Int? {
            guard index < line.count, line[index] >= 48, line[index] <= 57 else { return nil }
            return Int(line[index]) - 48
        }
        // HTTP/1.1 200 OK
        guard let major = digit(5), line.count > 8, line[6] == UInt8(ascii: "."), let minor = digit(7), line[8] == 32,
            let hundreds = digit(9), let tens = digit(10), let ones = digit(11), hundreds > 0,
            line.count == 12 || line[12] == 32
        else {
            throw HTTP1ParseFailure("the server sent an invalid status line: \(excerpt(line))")
        }
        guard major == 1 else {
            throw HTTP1ParseFailure("the server responded with HTTP/\(major).\(minor), which was not requested")
        }
        let reason = line.count > 13 ? Bytes(rebasing: line[13...]) : Bytes(start: nil, count: 0)
        guard !reason.contains(0), !reason.contains(13) else {
            throw HTTP1ParseFailure("the reason phrase of the server contains a control character: \(excerpt(line))")
        }
        return ResponseHead(
            version: HTTPVersion(major: UInt8(major), minor: UInt8(minor)), status: hundreds * 100 + tens * 10 + ones,
            reason: reason.elementsEqual([79, 75]) ? "OK" : ByteClass.text(reason))
    }

    /// Returns the fields of a section.
    /// - Parameters:
    ///   - section: The section.
    ///   - lines: The reader of its remaining lines.
    ///   - kept: A previous section without folded lines.
    ///   - keptFields: The fields of the previous section, one per line after the first.
    private static func fields(
        _ section: Bytes, _ lines: inout LineReader, _ kept: Bytes = Bytes(start: nil, count: 0),
        _ keptFields: [HTTPHeaders.Field] = []
    ) throws(HTTP1ParseFailure) -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers.reserve(12)
        var keptLines = LineReader(kept)
        _ = keptLines.next()
        var number = 0
        let token = ByteClass.token
        while let range = lines.next(), !range.isEmpty {
            let line = Bytes(rebasing: section[range])
            // The same line of a previous header is often identical.
            if number < keptFields.count, let range = keptLines.next(), line.isEqual(to: Bytes(rebasing: kept[range])) {
                headers.append(keptFields[number])
                number += 1
                continue
            }
            number += 1
            if line[0] == 32 || line[0] == 9 {
                guard !headers.isEmpty else {
                    throw HTTP1ParseFailure("the first header line of the server starts with whitespace")
                }
                headers.extendLast(with: try value(line, 0))
                continue
            }
            var colon = 0
            while colon < line.count, token.contains(line[colon]) { colon += 1 }
            guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else {
                throw HTTP1ParseFailure("the server sent an invalid header line: \(excerpt(line))")
            }
            headers.append(name: String(decoding: line[..<colon], as: UTF8.self), value: try value(line, colon + 1))
        }
        return headers
    }

    private static func value(_ line: Bytes, _ start: Int) throws(HTTP1ParseFailure) -> String {
        var start = start
        var end = line.count
        while start < end, line[start] == 32 || line[start] == 9 { start += 1 }
        while end > start, line[end - 1] == 32 || line[end - 1] == 9 { end -= 1 }
        let bytes = line[start..<end]
        var isASCII = true
        for byte in bytes {
            if byte >= 0x80 { isASCII = false }
            guard byte != 0, byte != 13 else {
                throw HTTP1ParseFailure("the server sent a header line with a control character: \(excerpt(line))")
            }
        }
        return isASCII ? String(decoding: bytes, as: UTF8.self) : ByteClass.text(bytes)
    }

    // MARK: Framing (RFC 9112, section 6.3)

    private mutating func determineFraming(_ head: ResponseHead) throws(HTTP1ParseFailure) {
        if method != .head, head.status == 200, let length = Self.plainLength(head.headers) {
            return try begin(length: length)
        }
        let codings = head.headers.tokens("Transfer-Encoding")
        let lengths = head.headers.tokens("Content-Length")
        if head.status == 101 {
            framingAllowsReuse = false
            state = .complete
            return
        }
        if method == .head || head.status == 204 || head.status == 304 {
            state = .complete
            return
        }
        if let last = codings.last {
            guard codings.allSatisfy({ $0 == "chunked" || $0 == "identity" }), codings.count == 1 else {
                throw HTTP1ParseFailure(
                    "the server used the transfer coding \"\(codings.joined(separator: ", "))\", which was not requested"
                )
            }
            // A message with both fields may be an attack: its connection is not reused (section 6.1).
            if !lengths.isEmpty || head.version < .http11 { framingAllowsReuse = false }
            if last == "chunked" {
                state = .chunkSize
                return
            }
            if lengths.isEmpty { return beginUntilClose() }
        }
        guard let first = lengths.first ?? head.headers["Content-Length"] else { return beginUntilClose() }
        guard let length = Int(first), first.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
            throw HTTP1ParseFailure("the server sent an invalid Content-Length: \"\(first)\"")
        }
        guard lengths.allSatisfy({ $0 == first }) else {
            throw HTTP1ParseFailure(
                "the server sent different values of Content-Length: \(lengths.joined(separator: ", "))")
        }
        try begin(length: length)
    }

    private mutating func begin(length: Int) throws(HTTP1ParseFailure) {
        expectedLength = length
        guard length <= bodyLimit else { throw bodyLimitFailure(" of \(length) bytes") }
        state = length == 0 ? .complete : .fixed(remaining: length)
    }

    /// Returns the length of a body with the usual framing: a single Content-Length of digits only and no
    /// Transfer-Encoding.
    private static func plainLength(_ headers: HTTPHeaders) -> Int? {
        var length: Int?
        let fields = headers.fields
        // Iterate by index, because copying each field costs more than checking its name.
        for index in fields.indices {
            switch fields[index].name.utf8.count {
            case 17 where ASCII.equalIgnoringCase(fields[index].name, "Transfer-Encoding"): return nil
            case 14 where ASCII.equalIgnoringCase(fields[index].name, "Content-Length"):
                guard length == nil, (1...18).contains(fields[index].value.utf8.count) else { return nil }
                var number = 0
                for byte in fields[index].value.utf8 {
                    guard byte >= 48, byte <= 57 else { return nil }
                    number = number * 10 + Int(byte - 48)
                }
                length = number
            default: break
            }
        }
        return length
    }

    private mutating func beginUntilClose() {
        framingAllowsReuse = false
        state = .untilClose
    }

    private func bodyLimitFailure(_ size: String = "") -> HTTP1ParseFailure {
        HTTP1ParseFailure(
            limit: .bodyBytes, bodyLimit,
            "the response's body\(size) is larger than the limit of \(bodyLimit) bytes")
    }

    // MARK: Body

    private mutating func consumeChunkSize(_ bytes: Bytes) throws(HTTP1ParseFailure) -> Int {
        guard let lineFeed = bytes.firstLineFeed(from: scanned) else {
            scanned = bytes.count
            guard bytes.count <= 16 << 10 else { throw HTTP1ParseFailure("a chunk size line is longer than 16 KiB") }
            return 0
        }
        scanned = 0
        var size = 0
        var index = 0
        while index < lineFeed, let digit = Hexadecimal.value(of: bytes[index]) {
            guard size <= bodyLimit, size <= Int.max >> 4 else { throw bodyLimitFailure() }
            size = size << 4 | Int(digit)
            index += 1
        }
        let digits = index
        while index < lineFeed, bytes[index] == 32 || bytes[index] == 9 { index += 1 }
        let isEnd = index == lineFeed || (index == lineFeed - 1 && bytes[index] == 13)
        guard digits > 0, isEnd || bytes[index] == UInt8(ascii: ";") else {
            throw HTTP1ParseFailure("the server sent an invalid chunk size: \(Self.excerpt(bytes))")
        }
        guard size <= bodyLimit - bodyCount else {
            throw bodyLimitFailure(" of at least \(bodyCount &+ size) bytes")
        }
        state = size == 0 ? .trailers : .chunkData(remaining: size)
        return lineFeed + 1
    }

    private mutating func consumeChunkEnd(_ bytes: Bytes) throws(HTTP1ParseFailure) -> Int {
        guard let first = bytes.first else { return 0 }
        if first == 10 {
            state = .chunkSize
            return 1
        }
        guard first == 13, bytes.count < 2 || bytes[1] == 10 else {
            throw HTTP1ParseFailure("a chunk is longer than its size: \(Self.excerpt(bytes)) follows it")
        }
        guard bytes.count >= 2 else { return 0 }
        state = .chunkSize
        return 2
    }

    private mutating func consumeTrailers(_ bytes: Bytes) throws(HTTP1ParseFailure) -> Int {
        guard let end = try endOfSection(bytes, isTrailer: true) else { return 0 }
        let section = Bytes(rebasing: bytes[..<end])
        var lines = LineReader(section)
        trailers = try Self.fields(section, &lines)
        state = .complete
        return end
    }

    /// Returns whether bytes start with the SETTINGS frame of an HTTP/2 server (RFC 9113, sections 3.4 and 4.1).
    private static func isHTTP2Settings(_ bytes: Bytes) -> Bool {
        // A length below 64 KiB that is a multiple of 6, the type 4, no flags, and stream 0.
        bytes.count >= 9 && bytes[0] == 0 && (Int(bytes[1]) << 8 | Int(bytes[2])) % 6 == 0 && bytes[3] == 4
            && bytes[4..<9].allSatisfy { $0 == 0 }
    }

    /// Returns the first bytes in quotes, with control characters escaped.
    private static func excerpt(_ bytes: Bytes) -> String {
        var text = "\""
        for byte in bytes.prefix(40) {
            switch byte {
            case 13: text += "\\r"
            case 10: text += "\\n"
            case 32...126: text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                text += "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
        return text + (bytes.count > 40 ? "…\"" : "\"")
    }
}

/// The reason why a response is invalid or exceeds a limit.
struct HTTP1ParseFailure: Error {
    var reason: SessionError.Reason
    var message: MessageText

    init(_ message: MessageText) {
        self.reason = .invalidResponse
        self.message = message
    }

    /// Creates the failure of a server that responds in another version of HTTP.
    init(otherVersion message: MessageText) {
        self.reason = .versionNotAvailable
        self.message = message
    }

    init(limit: SessionError.SizeLimit, _ value: Int, _ message: MessageText) {
        self.reason = .limitExceeded(limit, value)
        self.message = message
    }
}

/// An iterator over the lines of a section, without their line breaks (CRLF or LF).
struct LineReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Returns the next line, or nil if no complete line is left.
    mutating func next() -> Range<Int>? {
        guard let lineFeed = bytes.firstLineFeed(from: position) else { return nil }
        let start = position
        position = lineFeed + 1
        let end = lineFeed > start && bytes[lineFeed - 1] == 13 ? lineFeed - 1 : lineFeed
        return start..<end
    }
}
