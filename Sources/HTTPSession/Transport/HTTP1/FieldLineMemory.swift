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
