public import JSON

/// The body of a request in a HAR file; it has either parameters or a text.
public struct HARPostData: Sendable, Hashable, Codable {
    /// The media type.
    public var mimeType: String
    /// The fields of a form.
    public var params: [HARField]?
    /// The body; in base 64 where the comment says so.
    public var text: String?
    /// What else is to be said.
    public var comment: String?

    /// Creates a body.
    public init(mimeType: String, params: [HARField]? = nil, text: String? = nil, comment: String? = nil) {
        self.mimeType = mimeType
        self.params = params
        self.text = text
        self.comment = comment
    }

    /// The body as it is in the file.
    public var json: JSONValue {
        var object: JSONObject = ["mimeType": .string(mimeType)]
        if let params { object["params"] = .array(params.map(\.json)) }
        if let text { object["text"] = .string(text) }
        if let comment { object["comment"] = .string(comment) }
        return .object(object)
    }
}
