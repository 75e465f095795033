/// Finds the bytes that end a run of plain characters in a string, in eight bytes at a time.
enum SpecialBytes {
    /// Has the high bit of the first byte set that is `"`, `\` or below U+0020; 0 if there is none.
    ///
    /// The word is one that was loaded from memory as it is; the first byte of the text is the lowest of the result. Bits
    /// above the lowest one that is set mean nothing.
    @inline(__always)
    static func mask(_ loaded: UInt64) -> UInt64 {
        let word = UInt64(littleEndian: loaded)
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        // Subtracting sets the high bit of a byte that is zero, zero and below 0x20 respectively, and may by its borrow set
        // it for later bytes too.
        let found =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- (ones &* 0x20)) & ~word)
        return found & 0x8080_8080_8080_8080
    }
}
