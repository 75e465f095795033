extension String {
    /// Calls a closure with the UTF-8 of the text, where it stands: `withUTF8` wants a variable, which costs two counts of
    /// references.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
