import Diagnostics
public import JSON
import SuiteModel

extension TestPlan {
    /// The plan as a JSON value: suites with their tests, each with what it waits for.
    public func json() -> JSONValue {
        .array(
            suites.indices.map { index in
                let suite = suites[index]
                return .object(
                    JSONObject([
                        ("name", .string(suite.name)), ("path", .string(suite.path)),
                        ("mode", .string(suite.mode.rawValue)),
                        ("tests", .array(tests[testsOfSuite[index]].map(json(of:)))),
                    ]))
            })
    }

    private func json(of entry: Entry) -> JSONValue {
        let test = suites[entry.suite].tests[entry.test]
        var object = JSONObject([("name", .string(entry.reference.name))])
        if let id = test.id { object["id"] = .string(id) }
        object["line"] = .number(JSONNumber(Int64(test.range.start.line)))
        if !test.tags.isEmpty { object["tags"] = .array(test.tags.map { .string($0) }) }
        if let skip = test.skip { object["skip"] = .string(skip) }
        if let lock = test.lock { object["lock"] = .string(lock) }
        if !entry.isSelected { object["dependencyOnly"] = .bool(true) }
        if !entry.edges.isEmpty {
            object["after"] = .array(
                entry.edges.map { edge in
                    .object(
                        JSONObject([
                            ("test", .string(tests[edge.test].reference.name)),
                            ("because", .string(Self.word(edge.reason))),
                        ]))
                })
        }
        return .object(object)
    }

    private static func word(_ reason: SuiteTest.Reason) -> String {
        switch reason {
        case .capture(let name): "captures \(name)"
        case .exchange(let id): "tests.\(id)"
        case .needs: "needs"
        case .setup: "setup"
        case .order: "serial"
        }
    }
}
