import Glibc
import JSON
import JSONSchema
import TestSupport
import Testing

@testable import Reports
@testable import RunRecord

struct EventsSchemaTests {
    @Test func everyLineOfTheRichRunIsValid() throws {
        let schema = try JSONSchema(EventsSchema.schema)
        let record =
            try RecordSample.record(keepsExchanges: true) + RecordSample.record(RichRun.killed)
            + RecordSample.record(LoadSample.events)
        for line in RecordSample.lines(record) {
            let value = try JSONValue(parsing: Array(line))
            let problems = schema.violations(of: value)
            #expect(problems.isEmpty, "\(problems)\n\(String(decoding: line.prefix(400), as: UTF8.self))")
        }
    }

    /// Readers ignore members that are not in the schema, so the writer must not write any.
    @Test func theSchemaNamesEveryMember() throws {
        var missing: Set<String> = []
        func check(_ value: JSONValue, as name: String) {
            guard let definition = (EventsSchema.lines + EventsSchema.parts).first(where: { $0.name == name }),
                case .object(let object) = value
            else {
                missing.insert(name)
                return
            }
            for (key, value) in object where key != "event" {
                guard let member = definition.members.first(where: { $0.name == key }) else {
                    missing.insert("\(name).\(key)")
                    continue
                }
                switch member.kind {
                case .object(let name): check(value, as: name)
                case .objects(let name):
                    if case .array(let elements) = value { for element in elements { check(element, as: name) } }
                default: break
                }
            }
        }
        let record = try RecordSample.record(keepsExchanges: true) + RecordSample.record(LoadSample.events)
        for line in RecordSample.lines(record) {
            let value = try JSONValue(parsing: Array(line))
            guard case .object(let object) = value, case .string(let event)? = object["event"] else { continue }
            check(value, as: event)
        }
        #expect(missing.isEmpty)
    }

    @Test(arguments: [
        (#"{"event":"test"}"#, false), (#"{"event":1}"#, false), (#"{}"#, false), ("[]", false),
        (#"{"event":"news"}"#, true), (#"{"event":"interruption","time":1,"more":{}}"#, true),
        (#"{"event":"interruption","time":"1"}"#, false),
    ])
    func otherLines(_ text: String, _ isValid: Bool) throws {
        let schema = try JSONSchema(EventsSchema.schema)
        #expect(schema.isValid(try JSONValue(parsing: text)) == isValid)
    }

    @Test func theDocumentationHasEveryMember() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let path = "/\(root)/Documentation/events.md"
        let text = String(decoding: try TemporaryDirectory.read(path), as: UTF8.self)
        let marker = "<!-- Made from the schema. -->\n\n"
        let parts = text.split(separator: marker, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        if let wanted = getenv("APITEST_UPDATE_EXPECTED"), String(cString: wanted).contains("golden") {
            try TemporaryDirectory.write(Array((parts[0] + marker + EventsSchema.markdown).utf8), to: path)
        } else {
            #expect(parts[1] == EventsSchema.markdown)
        }
    }
}
