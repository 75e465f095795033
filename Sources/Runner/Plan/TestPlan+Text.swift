import Diagnostics
public import JSON
import RunModel
import SuiteModel

extension TestPlan {
    /// Returns the graph as indented text: each test, followed by its dependencies and their reasons.
    ///
    /// - Parameter mask: Masks the secrets in a name.
    public func textGraph(masking mask: (String) -> String = { $0 }) -> String {
        var text = ""
        for (index, suite) in suites.enumerated() {
            text += DisplayWidth.printable("\(mask(suite.name)) (\(suite.path))") + "\n"
            for (test, entry) in zip(testsOfSuite[index], tests[testsOfSuite[index]]) {
                text += "  \(DisplayWidth.printable(mask(entry.reference.name)))\n"
                if kind(of: test) == .teardown { text += "    after all tests, even if they fail\n" }
                for edge in entry.edges {
                    let isRound = edge.reason == .order && tests[edge.test].round < entry.round && suite.mode != .serial
                    let phrase = isRound ? ", its previous repetition" : Self.phrase(edge)
                    let name = "\"\(mask(tests[edge.test].reference.name))\"\(Self.otherRows(edge))"
                    text += "    after \(DisplayWidth.printable(name + phrase))\n"
                }
            }
        }
        return text
    }

    /// Returns the name of a dependency: a test, or the first of its rows and the number of the others.
    private func name(of edge: Edge, masking mask: (String) -> String) -> String {
        mask(tests[edge.test].reference.name) + Self.otherRows(edge)
    }

    /// Returns the number of a dependency's other rows, as the middle of a phrase; empty for a single test.
    private static func otherRows(_ edge: Edge) -> String {
        edge.count == 1 ? "" : " and \(edge.count - 1) more of its rows"
    }

    /// Returns the reason for a dependency, as the end of a phrase.
    private static func phrase(_ edge: Edge) -> String {
        switch edge.reason {
        case .capture(let name): ", which \(edge.count == 1 ? "captures" : "capture") \(name)"
        case .exchange(let id): ", read as tests.\(id)"
        case .needs: ", listed in needs"
        case .setup: ", which runs before all tests"
        case .order: ", because the suite is serial"
        }
    }
}

extension TestPlan {
    /// Returns the graph as a Mermaid flowchart.
    ///
    /// - Parameter mask: Masks the secrets in a name.
    public func mermaidGraph(masking mask: (String) -> String = { $0 }) -> String {
        var text = "flowchart LR\n"
        for (index, suite) in suites.enumerated() {
            text += "  subgraph s\(index)[\"\(Self.escape(mask(suite.name)))\"]\n"
            for test in testsOfSuite[index] {
                text += "    t\(test)[\"\(Self.escape(mask(tests[test].reference.name)))\"]\n"
            }
            text += "  end\n"
        }
        for (index, entry) in tests.enumerated() {
            for edge in entry.edges {
                text += "  t\(edge.test) -->\(Self.label(edge)) t\(index)\n"
            }
        }
        return text
    }

    /// Returns the label of an edge. An edge that represents all rows of a test starts at the first row.
    private static func label(_ edge: Edge) -> String {
        let rows = edge.count > 1 ? "\(edge.count) rows" : ""
        let text: String
        switch edge.reason {
        case .capture(let name): text = escape(name)
        case .exchange(let id): text = "tests.\(escape(id))"
        case .needs: return rows.isEmpty ? "|needs|" : "|\"needs \(rows)\"|"
        case .setup, .order: return rows.isEmpty ? "" : "|\"\(rows)\"|"
        }
        return rows.isEmpty ? "|\"\(text)\"|" : "|\"\(text) of \(rows)\"|"
    }

    /// Replaces the characters that would end a quoted label with Mermaid's entity codes.
    private static func escape(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\"": result += "#quot;"
            case "#": result += "#35;"
            case "<": result += "#lt;"
            case ">": result += "#gt;"
            case "\n": result += " "
            default: result.append(character)
            }
        }
        return result
    }
}

extension TestPlan {
    /// Returns the plan as JSON: the suites with their tests, and the dependencies of each test.
    ///
    /// - Parameter mask: Masks the secrets in a text of the suite.
    public func json(masking mask: (String) -> String = { $0 }) -> JSONValue {
        .array(
            suites.indices.map { index in
                let suite = suites[index]
                var object = JSONObject([("name", .string(mask(suite.name))), ("path", .string(suite.path))])
                if let description = suite.description { object["description"] = .string(mask(description)) }
                if let owner = suite.annotations?.owner { object["owner"] = .string(mask(owner)) }
                if !suite.tags.isEmpty { object["tags"] = .array(suite.tags.map { .string(mask($0)) }) }
                if !suite.environments.isEmpty {
                    object["environments"] = .array(suite.environments.map { .string(mask($0)) })
                }
                if let environment = suite.environment { object["environment"] = .string(mask(environment)) }
                object["mode"] = .string(suite.mode.rawValue)
                object["tests"] = .array(
                    testsOfSuite[index].filter { kind(of: $0) == .test }.map { json(of: tests[$0], masking: mask) })
                return .object(object)
            })
    }

    private func json(of entry: Entry, masking mask: (String) -> String) -> JSONValue {
        let test = suites[entry.suite].tests[entry.test]
        var object = JSONObject([("name", .string(mask(entry.reference.name)))])
        if let id = test.id { object["id"] = .string(mask(id)) }
        switch test.kind {
        case .test: break
        case .setup: object["kind"] = "setup"
        case .teardown: object["kind"] = "teardown"
        }
        if let description = test.description { object["description"] = .string(mask(description)) }
        if let owner = test.annotations?.owner { object["owner"] = .string(mask(owner)) }
        if let row = entry.row { object["row"] = json(ofRow: row, of: entry) }
        object["line"] = .number(JSONNumber(Int64(test.range.start.line)))
        if !test.tags.isEmpty { object["tags"] = .array(test.tags.map { .string(mask($0)) }) }
        if let skip = test.skip { object["skip"] = .string(mask(skip)) }
        if let failure = test.expectedFailure { object["xfail"] = .string(mask(failure.reason)) }
        if !test.locks.isEmpty { object["locks"] = .array(test.locks.map { .string(mask($0)) }) }
        let steps = test.hasSteps ? test.steps.compactMap(\.name) : []
        if !steps.isEmpty { object["steps"] = .array(steps.map { .string(mask($0)) }) }
        if !entry.isSelected { object["dependencyOnly"] = .bool(true) }
        // The setup is not a test, and every test depends on it.
        let edges = entry.edges.filter { kind(of: $0.test) == .test }
        if !edges.isEmpty {
            object["after"] = .array(
                edges.map { edge in
                    .object(
                        JSONObject([
                            ("test", .string(name(of: edge, masking: mask))),
                            ("because", .string(Self.word(edge.reason))),
                        ]))
                })
        }
        return .object(object)
    }

    /// Returns the number of a row, and its location if it is in another file.
    private func json(ofRow row: Int, of entry: Entry) -> JSONValue {
        var object = JSONObject([("number", .number(JSONNumber(Int64(row + 1))))])
        if let location = data(of: entry)?.location(ofRow: row, outside: suites[entry.suite].file) {
            object["file"] = .string(location.path)
            object["line"] = .number(JSONNumber(Int64(location.line)))
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
