/// What a request's header `Prefer` (RFC 7240) asks a mock for: `code=404`, `example=dune`.
struct MockPreference {
    /// The status that the answer should have.
    var code: Int?
    /// The name of the example that the answer should have.
    var example: String?

    init(_ text: String) {
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let name = part[..<equals].filter { $0 != " " }.lowercased()
            let value = part[part.index(after: equals)...].filter { $0 != "\"" }
            let trimmed = String(value.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            switch name {
            // A response of 1xx is not the last one.
            case "code", "status": code = Int(trimmed).flatMap { (200...599).contains($0) ? $0 : nil } ?? code
            case "example": example = trimmed
            default: break
            }
        }
    }
}
