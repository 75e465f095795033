#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A cache of a server's last response header. Most lines of the next header are the same, and their strings are
/// reused.
///
/// It saves 9,500 instructions for a response from nginx, 6% of a test.
final class HeaderCache {
    /// The maximum size of a cached header in bytes.
    private static let maximumBytes = 4 << 10

    /// The section that ``head`` was parsed from, including the final empty line; empty if nothing is cached.
    private var section: [UInt8] = []
    private var head: ResponseHead?

    /// Returns the cached head and its length if the bytes start with the cached section.
    func head(of bytes: UnsafeBufferPointer<UInt8>) -> (head: ResponseHead, length: Int)? {
        guard let head, !section.isEmpty, bytes.count >= section.count, let start = bytes.baseAddress else {
            return nil
        }
        let isEqual = section.withUnsafeBufferPointer { kept in
            kept.baseAddress.map { memcmp($0, start, kept.count) == 0 } ?? false
        }
        return isEqual ? (head, section.count) : nil
    }

    /// Calls a function with the cached header, to compare its lines with those of another.
    func withKept<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, [HTTPHeaders.Field]) throws(HTTP1ParseFailure) -> Result
    ) throws(HTTP1ParseFailure) -> Result {
        try section.withUnsafeBufferPointer { kept throws(HTTP1ParseFailure) in
            try body(kept, head?.headers.fields ?? [])
        }
    }

    /// Replaces the cached header, unless the new one is long or has folded lines.
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
    /// Returns the index of the first line feed at or after a position.
    func firstLineFeed(from position: Int) -> Int? {
        guard position < count, let baseAddress, let found = memchr(baseAddress + position, 10, count - position) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
    }

    /// Returns whether the bytes equal those of another buffer.
    func isEqual(to other: Self) -> Bool {
        guard count == other.count else { return false }
        guard let baseAddress, let start = other.baseAddress else { return true }
        return memcmp(baseAddress, start, count) == 0
    }
}
