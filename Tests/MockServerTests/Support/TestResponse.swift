import JSON

/// A response as the server sent it.
struct TestResponse {
    /// The status code.
    var status: Int
    /// The header fields, their names in lower case.
    var headers: [(name: String, value: String)] = []
    /// The body's text.
    var body = ""

    /// The value of the first field of a name, given in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// The body as JSON, null when it is none.
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// The `detail` of a problem.
    var detail: String { json["detail"]?.stringValue ?? "" }
}
