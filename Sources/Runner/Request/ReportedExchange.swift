import HTTPSession
import JSON
import RunModel

/// What reports get of an exchange: bodies without their content codings, in which secrets can be seen, and of long bodies
/// and streams only the beginning, as no report shows more.
struct ReportedExchange {
    /// The bytes of a body that are kept: one more than any report shows, so that it sees that there were more.
    static let keptBytes = (1 << 20) + 1
    /// The bytes of the events of a stream that are kept, as JSON; no report shows more.
    static let keptEventBytes = 262_144
    /// The events that are looked at one by one to find how many of them that is; of fewer all are kept.
    private static let fewEvents = 256
    /// The bytes that are decoded at most, to know how long a body is.
    private static let decodedBytes = 8 << 20

    private let original: Exchange
    /// Whether the session has undone the content codings of the response that it knows.
    private let isDecoded: Bool
    /// Whether all of the exchange is kept as it is.
    let isWhole: Bool

    /// - Parameter isDecoded: Whether the session was to undo the content codings of the response.
    init(_ exchange: Exchange, isDecoded: Bool) {
        original = exchange
        let request = exchange.request
        let response = exchange.response
        self.isDecoded = isDecoded && response?.status != 206 && exchange.failure?.phase != .decode
        let mayBeLong = max(request.body.count, response?.body.count ?? 0) > Self.keptBytes
        isWhole =
            !mayBeLong && exchange.details?.events.count ?? 0 <= Self.fewEvents
            && !request.headers.contains { $0.isNamed("Content-Encoding") }
            && !(response?.headers.contains { $0.isNamed("Content-Encoding") } ?? false)
            && !Self.isGzip(request.body) && !Self.isGzip(response?.body ?? [])
    }

    /// The bytes that have to be looked at, about.
    var size: Int { original.bodySize + (original.details?.events.count ?? 0) * 64 }

    /// The exchange with what is kept of it.
    var exchange: Exchange {
        var exchange = original
        let request = exchange.request
        if let kept = Kept(request.body, headers: request.headers, isEncoded: true) {
            exchange.request.body = kept.bytes
            exchange.request.wholeSize = kept.wholeSize
            exchange.request.encodedSize = kept.encodedSize
        }
        if let response = exchange.response,
            let kept = Kept(response.body, headers: response.headers, isEncoded: !isDecoded)
        {
            let measured = exchange.details?.measuredBody?.size
            var recorded = response
            recorded.body = kept.bytes
            recorded.wholeSize = measured ?? kept.wholeSize
            recorded.encodedSize = kept.encodedSize
            exchange.response = recorded
        }
        if var details = exchange.details, details.events.count > Self.fewEvents {
            let kept = Self.keptCount(of: details.events)
            details.omittedEvents += details.events.count - kept
            details.events = Array(details.events.prefix(kept))
            exchange.details = details
        }
        return exchange
    }

    /// How many events are kept.
    private static func keptCount(of events: [JSONValue]) -> Int {
        var bytes = 0
        for (index, event) in events.enumerated() {
            if bytes >= keptEventBytes { return index }
            bytes += event.serializedBytes().count + 1
        }
        return events.count
    }

    private static func isGzip(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x1F, 0x8B, 0x08])
    }

    /// What is kept of a body.
    private struct Kept {
        var bytes: [UInt8]
        var wholeSize: Int?
        var encodedSize: Int?

        /// Nil where all of the body is kept as it is.
        init?(_ body: [UInt8], headers: [HeaderField], isEncoded: Bool) {
            if let decoded = Self.decoded(body, headers: headers, isEncoded: isEncoded) {
                self = decoded
            } else if body.count > ReportedExchange.keptBytes {
                bytes = Array(body.prefix(ReportedExchange.keptBytes))
                wholeSize = body.count
            } else {
                return nil
            }
        }

        private init(bytes: [UInt8], size: Int, encodedSize: Int) {
            self.bytes = bytes
            wholeSize = size > bytes.count ? size : nil
            self.encodedSize = encodedSize
        }

        /// A body without its content codings; nil where it has none, or is not what its header says.
        ///
        /// Of one that is broken off, or broken, what comes before.
        private static func decoded(_ body: [UInt8], headers: [HeaderField], isEncoded: Bool) -> Kept? {
            guard !body.isEmpty else { return nil }
            var fields = HTTPHeaders()
            for field in headers where field.isNamed("Content-Encoding") {
                fields.append(name: field.name, value: field.value)
            }
            var codings = ContentCoding.applied(in: fields) ?? []
            if isGzip(body) {
                // What holds a file in gzip may say so nowhere.
                if codings.isEmpty { codings = [.gzip] }
            } else if !isEncoded || codings.last == .gzip {
                return nil
            }
            guard !codings.isEmpty, let decoder = try? ContentDecoder(codings, encodedLength: body.count) else {
                return nil
            }
            var bytes: [UInt8] = []
            var size = 0
            body.withUnsafeBytes { body in
                var position = 0
                while position < body.count, size < decodedBytes {
                    // What a piece makes is lost when it is broken, as where a checksum is wrong, so that pieces are small.
                    let left = body.count - position
                    let count = left <= 64 ? 1 : min(256, left - 64)
                    let piece = UnsafeRawBufferPointer(rebasing: body[position..<position + count])
                    position += piece.count
                    do throws(ContentCodingError) {
                        try decoder.decode(piece) { decoded in
                            size += decoded.count
                            bytes.append(contentsOf: decoded.prefix(max(0, keptBytes - bytes.count)))
                        }
                    } catch {
                        // The rest is nothing that could be read.
                        break
                    }
                }
            }
            return bytes.isEmpty ? nil : Kept(bytes: bytes, size: size, encodedSize: body.count)
        }
    }
}
