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
                text += "  t\(edge.test) -->\(Self.label(edge.reason)) t\(index)\n"
            }
        }
        return text
    }

    private static func label(_ reason: SuiteTest.Reason) -> String {
        switch reason {
        case .capture(let name): "|\"\(escape(name))\"|"
        case .exchange(let id): "|\"tests.\(escape(id))\"|"
        case .needs: "|needs|"
        case .setup, .order: ""
        }
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
