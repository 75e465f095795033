public import JSON

/// The body of a response in a HAR file, content codings undone.
public struct HARContent: Sendable, Hashable, Codable {
    /// Bytes of the body.
    public var size: Int
    /// How many bytes a content coding has saved; nil if there was none.
    public var compression: Int?
    /// The media type; empty if the response had none.
    public var mimeType: String
    /// The body, as text or in base 64; nil if it was left out.
    public var text: String?
    /// `base64` for a body that is no text.
    public var encoding: String?
    /// What else is to be said.
    public var comment: String?

    /// The body as it is in the file.
    public var json: JSONValue {
        var object: JSONObject = ["size": .number(JSONNumber(size))]
        if let compression { object["compression"] = .number(JSONNumber(compression)) }
        object["mimeType"] = .string(mimeType)
        if let text { object["text"] = .string(text) }
        if let encoding { object["encoding"] = .string(encoding) }
        if let comment { object["comment"] = .string(comment) }
        return .object(object)
    }
}
