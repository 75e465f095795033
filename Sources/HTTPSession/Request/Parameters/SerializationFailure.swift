/// The messages for failures to encode or decode values.
enum SerializationFailure {
    /// Returns a one-line description of an error, with the coding path if it is known.
    static func text(of error: any Error) -> String {
        switch error {
        case let error as DecodingError: text(of: error)
        case let error as EncodingError: text(of: error)
        default: "\(error)"
        }
    }

    private static func text(of error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context): text(context.codingPath, context)
        case .keyNotFound(let key, let context):
            path(context.codingPath + [key]) + ": missing member"
        case .dataCorrupted(let context):
            text(context.codingPath, context, cause: context.underlyingError)
        @unknown default: "\(error)"
        }
    }

    private static func text(
        _ codingPath: [any CodingKey], _ context: DecodingError.Context, cause: (any Error)? = nil
    ) -> String {
        let text = codingPath.isEmpty ? context.debugDescription : path(codingPath) + ": " + context.debugDescription
        guard let cause else { return text }
        return text + " (\(cause))"
    }

    private static func text(of error: EncodingError) -> String {
        guard case .invalidValue(_, let context) = error else { return "\(error)" }
        let location = context.codingPath.isEmpty ? "" : path(context.codingPath) + ": "
        return location + context.debugDescription
    }

    /// Returns a coding path in Swift notation, such as `items[1].price`.
    static func path(_ keys: [any CodingKey]) -> String {
        var text = ""
        for key in keys {
            if let index = key.intValue {
                text += "[" + String(index) + "]"
            } else {
                text += text.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
        return text
    }

    /// Returns the start of a body in one line, for a message.
    static func excerpt(_ body: [UInt8], limit: Int = 120) -> String {
        var text = ""
        for scalar in String(decoding: body.prefix(limit), as: UTF8.self).unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                text.unicodeScalars.append(scalar)
            } else {
                text += scalar.escaped(asASCII: false)
            }
        }
        return body.count > limit ? text + "…" : text
    }
}
