/// A string compared and hashed by code points (RFC 8259, section 8.3), not by canonical equivalence.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        equal(left.text, right.text)
    }

    package func hash(into hasher: inout Hasher) {
        ExactText.hash(text, into: &hasher)
    }

    /// Returns whether two strings have the same code points; `==` of `String` also equates canonically equivalent
    /// ones.
    @inline(__always)
    static func equal(_ left: String, _ right: String) -> Bool {
        let leftBytes = left.utf8
        let rightBytes = right.utf8
        guard leftBytes.count == rightBytes.count else { return false }
        let fast = leftBytes.withContiguousStorageIfAvailable { leftBuffer in
            rightBytes.withContiguousStorageIfAvailable { rightBuffer in
                equal(leftBuffer, rightBuffer)
            }
        }
        return (fast ?? nil) ?? leftBytes.elementsEqual(rightBytes)
    }

    /// Returns whether two buffers of the same length have the same bytes.
    @inline(__always)
    static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = left.count
        let leftRaw = UnsafeRawBufferPointer(left)
        let rightRaw = UnsafeRawBufferPointer(right)
        guard count >= 8 else {
            var index = 0
            while index < count {
                if left[index] != right[index] { return false }
                index += 1
            }
            return true
        }
        var offset = 0
        while offset + 8 < count {
            let leftWord = leftRaw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if leftWord != rightRaw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
            offset += 8
        }
        // The last eight bytes, which may overlap the previous ones.
        return leftRaw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            == rightRaw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    }

    /// Feeds the code points of `text` into `hasher`.
    static func hash(_ text: String, into hasher: inout Hasher) {
        let bytes = text.utf8
        let done: Void? = bytes.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if done == nil {
            for byte in bytes { hasher.combine(byte) }
        }
        hasher.combine(0xFF as UInt8)
    }
}
