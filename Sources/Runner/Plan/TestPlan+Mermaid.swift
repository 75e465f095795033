import SuiteModel

extension TestPlan {
    /// The graph as a Mermaid flowchart.
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

    /// The label of an edge; one that stands for edges from all rows of a test begins at the first of them.
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

    /// Mermaid's entity codes for what would end a quoted label.
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
