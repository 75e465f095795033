/// The received request as described by httpbin.
struct HttpbinEcho: Decodable, Sendable {
    /// The values of a name: a string, or an array of several strings.
    struct Values: Decodable, Sendable, Equatable, ExpressibleByArrayLiteral, ExpressibleByStringLiteral {
        var texts: [String]

        init(arrayLiteral elements: String...) { texts = elements }

        init(stringLiteral value: String) { texts = [value] }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                texts = [text]
            } else {
                texts = try container.decode([String].self)
            }
        }
    }

    var method: String?
    var url: String?
    var args: [String: Values]?
    var form: [String: Values]?
    var files: [String: Values]?
    var headers: [String: String]?
    var cookies: [String: String]?
    var data: String?
    var authenticated: Bool?
    var user: String?
    var token: String?
    var gzipped: Bool?
    var deflated: Bool?
}
