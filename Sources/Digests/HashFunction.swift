/// A hash function whose input comes in pieces.
///
/// These serve protocols that name them; MD5 and SHA-1 protect nothing by themselves.
public protocol HashFunction: Sendable {
    /// The size of the function's blocks in bytes, which HMAC needs.
    static var blockSize: Int { get }

    /// Creates the hash of nothing.
    init()

    /// Adds bytes to the input.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// Returns the hash of all bytes so far.
    func finalize() -> [UInt8]
}

extension HashFunction {
    /// Adds bytes to the input.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Returns the hash of bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var function = Self()
        function.update(bytes)
        return function.finalize()
    }
}

/// A keyed hash of a message (RFC 2104).
public enum HMAC<Function: HashFunction> {
    /// Returns the authentication code of a message.
    public static func authenticationCode(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        var key = key.count > Function.blockSize ? Function.hash(key) : key
        key += repeatElement(0, count: Function.blockSize - key.count)
        var inner = Function()
        inner.update(key.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = Function()
        outer.update(key.map { $0 ^ 0x5C })
        outer.update(inner.finalize())
        return outer.finalize()
    }
}
