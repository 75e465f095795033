extension Request {
    /// Adds text to the query of the URL, after a "&" if there is a query already, before a fragment.
    mutating func appendQuery(_ text: String) {
        guard !text.isEmpty else { return }
        let end = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        let head = url[..<end]
        var joint = "?"
        if head.utf8.contains(UInt8(ascii: "?")) {
            let last = head.utf8.last
            joint = last == UInt8(ascii: "?") || last == UInt8(ascii: "&") ? "" : "&"
        }
        url = head + joint + text + url[end...]
    }

    /// Makes bytes the body, and says what they are unless the header does already.
    mutating func setBody(_ bytes: [UInt8], contentType: String) {
        body = .bytes(bytes)
        if !headers.contains("Content-Type") { headers.append(name: "Content-Type", value: contentType) }
    }

    /// Puts parameters into the request.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/unencodable``.
    public mutating func add(
        _ parameters: some Encodable, with serializer: some RequestSerializer = .form
    ) throws(SessionError) {
        try change { request throws in try serializer.serialize(parameters, into: &request) }
    }

    /// Changes the request, or leaves it as it was and throws why it could not be changed.
    mutating func change(_ body: (inout Request) throws -> Void) throws(SessionError) {
        var copy = self
        do {
            try body(&copy)
        } catch let error as SessionError {
            throw error
        } catch {
            throw SessionError(
                phase: .request, reason: .unencodable,
                message: "the parameters cannot be encoded: \(SerializationFailure.text(of: error))", method: method,
                url: url, underlying: error)
        }
        self = copy
    }
}
