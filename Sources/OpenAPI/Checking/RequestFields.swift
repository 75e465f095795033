import JSON

/// The parts of a request in which parameters stand, each taken apart when it is first asked for.
struct RequestFields {
    /// A name in a query or a form, decoded, with its value, still encoded.
    typealias Pair = (name: String, value: ArraySlice<UInt8>)

    let url: URLParts
    let headers: [ContractExchange.Field]
    /// The texts of path parameters, still encoded; nil when the path could not be taken apart.
    let path: [(name: String, text: String)]?

    /// The members of the query.
    lazy var query: [Pair] = Self.pairs(url.query ?? [])

    /// The cookies.
    lazy var cookies: [Pair] = {
        var cookies: [Pair] = []
        for field in headers where field.name.lowercased() == "cookie" {
            for part in Array(field.value.utf8).split(separator: UInt8(ascii: ";")) {
                let part = part.drop { $0 == UInt8(ascii: " ") }
                guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
                cookies.append((String(decoding: part[..<equals], as: UTF8.self), part[(equals + 1)...]))
            }
        }
        return cookies
    }()

    /// The members of a query or a form (URL Standard, section 5.1).
    static func pairs(_ bytes: ArraySlice<UInt8>) -> [Pair] {
        bytes.split(separator: UInt8(ascii: "&")).map { part in
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            return (PercentDecoding.text(part[..<equals], plusIsSpace: true), part[equals...].dropFirst())
        }
    }
}
