import JSON

/// A response as sent by the server.
struct TestResponse {
    /// The status code.
    var status: Int
    /// The header fields, with lowercase names.
    var headers: [(name: String, value: String)] = []
    /// The text of the body.
    var body = ""

    /// Returns the value of the first field with a lowercase name.
    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// The body as JSON, or null if it is not JSON.
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// The `detail` of a problem.
    var detail: String { json["detail"]?.stringValue ?? "" }
}
