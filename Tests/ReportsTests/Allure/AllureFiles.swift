import JSON
import TestSupport
import Testing

/// The files in a directory of Allure results, by name.
struct AllureFiles {
    var bytes: [String: [UInt8]] = [:]

    init(in path: String) throws {
        for name in TemporaryDirectory.names(in: path) { bytes[name] = try TemporaryDirectory.read(path + "/" + name) }
    }

    /// Returns the results in the order of their start.
    func results() throws -> [JSONValue] {
        try values("-result.json").sorted { left, right in
            (left.at("start").serialized(), left.at("name").text ?? "")
                < (right.at("start").serialized(), right.at("name").text ?? "")
        }
    }

    func values(_ suffix: String) throws -> [JSONValue] {
        try bytes.filter { $0.key.hasSuffix(suffix) }.map { try JSONValue(parsing: $0.value) }
    }

    func text(_ name: String) -> String? { bytes[name].map { String(decoding: $0, as: UTF8.self) } }

    /// Checks the properties that readers rely on: names, statuses, and existing attachments.
    func check() throws {
        var sources: Set<String> = []
        func collect(_ item: JSONValue) {
            #expect(["passed", "failed", "broken", "skipped"].contains(item.at("status").text ?? ""))
            #expect(item.at("stage") == "finished")
            for attachment in item.at("attachments").elements { sources.insert(attachment.at("source").text ?? "") }
            for step in item.at("steps").elements { collect(step) }
        }
        for (name, bytes) in bytes where name.hasSuffix("-result.json") {
            let value = try JSONValue(parsing: bytes)
            #expect(name == (value.at("uuid").text ?? "") + "-result.json")
            #expect(name.utf8.count == 36 + 12)
            #expect(value.at("historyId").text?.utf8.count == 32)
            collect(value)
        }
        let attached = bytes.keys.filter { $0.contains("-attachment.") }
        #expect(Set(attached) == sources)
        #expect(!bytes.keys.contains { $0.hasPrefix(".") || $0.contains("/") })
    }
}
