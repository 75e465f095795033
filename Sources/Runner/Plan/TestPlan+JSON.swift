import Diagnostics
public import JSON
import SuiteModel

extension TestPlan {
    /// The plan as a JSON value: suites with their tests, each with what it waits for.
    public func json() -> JSONValue {
        .array(
            suites.indices.map { index in
                let suite = suites[index]
                var object = JSONObject([("name", .string(suite.name)), ("path", .string(suite.path))])
                if let description = suite.description { object["description"] = .string(description) }
                if let owner = suite.annotations?.owner { object["owner"] = .string(owner) }
                if !suite.tags.isEmpty { object["tags"] = .array(suite.tags.map { .string($0) }) }
                if !suite.environments.isEmpty {
                    object["environments"] = .array(suite.environments.map { .string($0) })
                }
                if let environment = suite.environment { object["environment"] = .string(environment) }
                object["mode"] = .string(suite.mode.rawValue)
                object["tests"] = .array(
                    testsOfSuite[index].filter { kind(of: $0) == .test }.map { json(of: tests[$0]) })
                return .object(object)
            })
    }

    private func json(of entry: Entry) -> JSONValue {
        let test = suites[entry.suite].tests[entry.test]
        var object = JSONObject([("name", .string(entry.reference.name))])
        if let id = test.id { object["id"] = .string(id) }
        switch test.kind {
        case .test: break
        case .setup: object["kind"] = "setup"
        case .teardown: object["kind"] = "teardown"
        }
        if let description = test.description { object["description"] = .string(description) }
        if let owner = test.annotations?.owner { object["owner"] = .string(owner) }
        if let row = entry.row { object["row"] = json(ofRow: row, of: entry) }
        object["line"] = .number(JSONNumber(Int64(test.range.start.line)))
        if !test.tags.isEmpty { object["tags"] = .array(test.tags.map { .string($0) }) }
        if let skip = test.skip { object["skip"] = .string(skip) }
        if let lock = test.lock { object["lock"] = .string(lock) }
        let steps = test.hasSteps ? test.steps.compactMap(\.name) : []
        if !steps.isEmpty { object["steps"] = .array(steps.map { .string($0) }) }
        if !entry.isSelected { object["dependencyOnly"] = .bool(true) }
        // Setup is no test, and every test waits for it.
        let edges = entry.edges.filter { kind(of: $0.test) == .test }
        if !edges.isEmpty {
            object["after"] = .array(
                edges.map { edge in
                    .object(
                        JSONObject([
                            ("test", .string(name(of: edge))),
                            ("because", .string(Self.word(edge.reason))),
                        ]))
                })
        }
        return .object(object)
    }

    /// What is known of a row: its number, and its place when that is another file.
    private func json(ofRow row: Int, of entry: Entry) -> JSONValue {
        var object = JSONObject([("number", .number(JSONNumber(Int64(row + 1))))])
        if let place = data(of: entry)?.place(ofRow: row, outside: suites[entry.suite].file) {
            object["file"] = .string(place.path)
            object["line"] = .number(JSONNumber(Int64(place.line)))
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
