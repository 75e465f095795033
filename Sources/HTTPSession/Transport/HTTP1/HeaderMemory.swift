#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The last response header of a server: most lines of the next are the same, and their strings are used again.
final class HeaderMemory {
    /// The most bytes of a header that are kept.
    private static let maximumBytes = 4 << 10

    /// The section that ``head`` was read from, with the empty line at its end; empty when nothing is kept.
    private var section: [UInt8] = []
    private var head: ResponseHead?

    /// The head and its length if the bytes begin with the header that is kept.
    func head(of bytes: UnsafeBufferPointer<UInt8>) -> (head: ResponseHead, length: Int)? {
        guard let head, !section.isEmpty, bytes.count >= section.count, let start = bytes.baseAddress else {
            return nil
        }
        let isEqual = section.withUnsafeBufferPointer { kept in
            kept.baseAddress.map { memcmp($0, start, kept.count) == 0 } ?? false
        }
        return isEqual ? (head, section.count) : nil
    }

    /// Calls a function with the header that is kept, to compare its lines with those of another.
    func withKept<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, [HTTPHeaders.Field]) throws(HTTP1ParseFailure) -> Result
    ) throws(HTTP1ParseFailure) -> Result {
        try section.withUnsafeBufferPointer { kept throws(HTTP1ParseFailure) in
            try body(kept, head?.headers.fields ?? [])
        }
    }

    /// Keeps a header in place of the one before, unless it is long or has folded lines.
    func keep(_ head: ResponseHead, of section: UnsafeBufferPointer<UInt8>) {
        self.section.removeAll(keepingCapacity: true)
        self.head = nil
        guard section.count <= Self.maximumBytes else { return }
        var lines = LineReader(section)
        var count = 0
        while let line = lines.next(), !line.isEmpty { count += 1 }
        guard count == head.headers.count + 1 else { return }
        self.head = head
        self.section.append(contentsOf: section)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where the first line feed from a place on is.
    func firstLineFeed(from position: Int) -> Int? {
        guard position < count, let baseAddress, let found = memchr(baseAddress + position, 10, count - position) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
    }

    /// Whether the bytes are those of another buffer.
    func isEqual(to other: Self) -> Bool {
        guard count == other.count else { return false }
        guard let baseAddress, let start = other.baseAddress else { return true }
        return memcmp(baseAddress, start, count) == 0
    }
}

/// The field lines of the last request to an origin: requests that bring no field of their own share one header.
struct FieldLineMemory {
    private var headers = HTTPHeaders()
    /// The lines of ``headers``; empty until it has come twice.
    private var lines: [UInt8] = []

    /// The lines of a header that is the one of the request before, not only an equal one; nil for another.
    /// - Parameters:
    ///   - headers: The header of this request.
    ///   - write: Makes its lines.
    mutating func lines(of headers: HTTPHeaders, write: () -> [UInt8]) -> [UInt8]? {
        guard headers.isIdentical(to: self.headers) else {
            self.headers = headers
            lines = []
            return nil
        }
        if lines.isEmpty { lines = write() }
        return lines
    }
}
