import HTTPSession
import JSON
import RunModel

/// An exchange in the form in which reports receive it.
///
/// Content codings are removed from bodies, so that secrets in them can be found. Long bodies and streams are cut off,
/// because no report shows more.
struct ReportedExchange {
    /// The maximum number of bytes kept of a body: one more than any report shows, so that a report detects the cutoff.
    static let keptBytes = (1 << 20) + 1
    /// The maximum number of bytes kept of a stream's events, as JSON. No report shows more.
    static let keptEventBytes = 262_144
    /// The number of events up to which all are kept without measuring their size.
    private static let fewEvents = 256
    /// The maximum number of bytes to decode to determine the size of a body.
    private static let decodedBytes = 8 << 20

    private let original: Exchange
    /// Whether the session has already removed the content codings of the response that it supports.
    private let isDecoded: Bool
    /// Whether the exchange is kept unchanged.
    let isWhole: Bool

    /// Creates the reported form of an exchange.
    ///
    /// - Parameter isDecoded: Whether the session was configured to remove the content codings of the response.
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

    /// The approximate number of bytes to process.
    var size: Int { original.bodySize + (original.details?.events.count ?? 0) * 64 }

    /// The reported exchange.
    var exchange: Exchange {
        var exchange = original
        let request = exchange.request
        if let kept = Kept(request.body, headers: request.headers, isEncoded: true) {
            exchange.request.body = kept.bytes
            exchange.request.wholeSize = kept.wholeSize
            exchange.request.encodedSize = kept.encodedSize
        }
        // What arrived before a failure may still be encoded.
        if isDecoded, exchange.failure == nil, Self.codings(of: exchange.response?.headers ?? [])?.isEmpty == false {
            exchange.response?.isDecoded = true
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

    /// Returns the number of events that are kept.
    private static func keptCount(of events: [JSONValue]) -> Int {
        var bytes = 0
        for (index, event) in events.enumerated() {
            if bytes >= keptEventBytes { return index }
            bytes += event.serializedBytes().count + 1
        }
        return events.count
    }

    /// Returns the content codings that a header declares, in the order in which they were applied; nil if one is
    /// unknown.
    private static func codings(of headers: [HeaderField]) -> [ContentCoding]? {
        var fields = HTTPHeaders()
        for field in headers where field.isNamed("Content-Encoding") {
            fields.append(name: field.name, value: field.value)
        }
        return ContentCoding.applied(in: fields)
    }

    private static func isGzip(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x1F, 0x8B, 0x08])
    }

    /// The part of a body that is kept.
    private struct Kept {
        var bytes: [UInt8]
        var wholeSize: Int?
        var encodedSize: Int?

        /// Creates the kept part of a body. Returns nil if the entire body is kept unchanged.
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

        /// Returns a body without its content codings; nil if it has none or does not match its header.
        ///
        /// For a truncated or damaged body, returns the decodable beginning.
        private static func decoded(_ body: [UInt8], headers: [HeaderField], isEncoded: Bool) -> Kept? {
            guard !body.isEmpty else { return nil }
            var codings = ReportedExchange.codings(of: headers) ?? []
            if isGzip(body) {
                // A gzip file may be served without a content coding.
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
                    // If a chunk is damaged, such as by a wrong checksum, all of its output is lost, so the chunks are
                    // small.
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
                        // The rest cannot be decoded.
                        break
                    }
                }
            }
            return bytes.isEmpty ? nil : Kept(bytes: bytes, size: size, encodedSize: body.count)
        }
    }
}
