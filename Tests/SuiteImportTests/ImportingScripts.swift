import JSON
import Testing

@testable import SuiteImport

/// Imports a request with a script after its response, and further requests.
func importing(
    script: String, before: String? = nil, items: [JSONValue] = [], variables: [String: String] = [:],
    _ location: SourceLocation = #_sourceLocation
) throws -> Imported {
    func event(_ listen: String, _ text: String) -> JSONValue {
        .object([
            "listen": .string(listen),
            "script": .object([
                "exec": .array(
                    text.split(separator: "\n", omittingEmptySubsequences: false).map { .string(String($0)) })
            ]),
        ])
    }
    var events = [event("test", script)]
    if let before { events.append(event("prerequest", before)) }
    let item: JSONValue = .object([
        "name": "books", "event": .array(events),
        "request": .object(["method": "GET", "url": "https://api.example.org/books"]),
    ])
    let variables = variables.sorted { $0.key < $1.key }.map {
        JSONValue.object(["key": .string($0.key), "value": .string($0.value)])
    }
    let root: JSONValue = .object([
        "info": .object([
            "name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
        ]),
        "item": .array([item] + items), "variable": .array(variables),
    ])
    var bytes: [UInt8] = []
    JSONWriter(.pretty).write(root, into: &bytes)
    return try importing(
        String(decoding: bytes, as: UTF8.self), as: "shop.postman_collection.json", location)
}

/// Returns what follows the request of the only test.
func checks(_ script: String, _ location: SourceLocation = #_sourceLocation) throws -> String {
    let imported = try importing(script: script, location)
    #expect(imported.untranslated.isEmpty, "\(imported.untranslated)", sourceLocation: location)
    let lines = imported.text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { $0.contains("request: ") } ?? 0
    return lines[(start + 1)...].joined(separator: "\n").trimmed
}

extension StringProtocol {
    var trimmed: String {
        var text = Substring(self)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }

    /// The text without what differs between flow and block style.
    var flattened: String { String(filter { !" {}\n\",'".contains($0) }) }

    /// The text of an entry whose key needs quotes.
    var withQuotedKey: String {
        guard let colon = firstRange(of: ": ") else { return String(self) }
        return "\"\(self[..<colon.lowerBound])\": \(self[colon.upperBound...])"
    }
}
