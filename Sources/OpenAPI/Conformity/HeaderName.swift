/// The name of a header field in lower case, for as long as the call lasts that it was handed to.
public struct HeaderName {
    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Whether a field has this name, without regard to ASCII case (RFC 9110, section 5.1).
    public func matches(_ name: String) -> Bool {
        guard name.utf8.count == bytes.count else { return false }
        return name.utf8.withContiguousStorageIfAvailable(equals) ?? equals(name.utf8)
    }

    private func equals(_ name: some Collection<UInt8>) -> Bool {
        var index = 0
        for byte in name {
            let lower = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            if lower != bytes[index] { return false }
            index += 1
        }
        return true
    }
}
