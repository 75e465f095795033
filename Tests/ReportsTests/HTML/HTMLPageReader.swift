import JSON

/// The parts of a page that tests examine.
struct HTMLPageReader {
    /// An error in a page.
    struct Failure: Error {
        var message: String
    }

    /// The entire page.
    let text: String
    /// The data of the run.
    let data: JSONValue
    /// The details of tests, by the identifier of their element.
    let details: [String: JSONValue]

    init(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure(message: "not UTF-8") }
        self.text = text
        var details: [String: JSONValue] = [:]
        for part in text.split(separator: "<script type=\"application/json\" id=\"").dropFirst() {
            guard let quote = part.firstRange(of: "\">"), let end = part.firstRange(of: "</script>") else {
                throw Failure(message: "an element has no end")
            }
            let id = String(part[..<quote.lowerBound])
            let json = try JSONValue(parsing: Array(part[quote.upperBound..<end.lowerBound].utf8))
            if details.updateValue(json, forKey: id) != nil { throw Failure(message: "\(id) is there twice") }
        }
        guard let data = details.removeValue(forKey: "data") else { throw Failure(message: "no data") }
        self.data = data
        self.details = details
    }

    /// The page without its style, its script, and their digests, which have separate tests.
    var withoutAssets: [UInt8] {
        var result = ""
        var rest = text[...]
        for (start, end) in [
            ("style-src '", "'; base-uri"), ("<style>", "</style>"), ("<header", "<script type"),
            ("<script>", "</script>\n</body>"),
        ] {
            guard let from = rest.firstRange(of: start), let to = rest[from.upperBound...].firstRange(of: end) else {
                break
            }
            result += rest[..<from.upperBound] + "…"
            rest = rest[to.lowerBound...]
        }
        return Array((result + rest).utf8)
    }
}
