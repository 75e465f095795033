/// What takes the bytes of a text in the making: an array, or a buffer that is made for it.
protocol ByteSink: ~Copyable {
    /// Appends a byte.
    mutating func append(_ byte: UInt8)

    /// Appends bytes.
    mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>)

    /// Appends at most some bytes that a closure writes.
    ///
    /// - Parameters:
    ///   - most: The bytes that there is room for.
    ///   - write: Writes from an address on, and says how many bytes it has written.
    mutating func append(most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int)
}

extension [UInt8]: ByteSink {
    @inline(__always)
    mutating func append(most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        append(addingCapacity: most) { span in
            span.withUnsafeMutableBufferPointer { buffer, count in
                if let start = buffer.baseAddress { count += write(start + count) }
            }
        }
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends a text that is written in the program.
    @inline(__always)
    mutating func append(_ word: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}
