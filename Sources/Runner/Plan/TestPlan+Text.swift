import Diagnostics
import SuiteModel

extension TestPlan {
    /// The graph as indented text: each test, and under it what it waits for and why.
    public func textGraph() -> String {
        var text = ""
        for (index, suite) in suites.enumerated() {
            text += DisplayWidth.printable("\(suite.name) (\(suite.path))") + "\n"
            for (test, entry) in zip(testsOfSuite[index], tests[testsOfSuite[index]]) {
                text += "  \(DisplayWidth.printable(entry.reference.name))\n"
                if kind(of: test) == .teardown { text += "    after all tests, whatever comes of them\n" }
                for edge in entry.edges {
                    let isRound = edge.reason == .order && tests[edge.test].round < entry.round && suite.mode != .serial
                    let phrase = isRound ? ", its round before" : Self.phrase(edge.reason)
                    text += "    after \(DisplayWidth.printable(name(of: edge) + phrase))\n"
                }
            }
        }
        return text
    }

    /// What is waited for: a test, or the first of its rows with their number.
    func name(of edge: Edge) -> String {
        let name = tests[edge.test].reference.name
        return edge.count == 1 ? name : "\(name) and \(edge.count - 1) more of its rows"
    }

    /// Why an edge is there, as the end of a phrase.
    private static func phrase(_ reason: SuiteTest.Reason) -> String {
        switch reason {
        case .capture(let name): ", which captures \(name)"
        case .exchange(let id): ", read as tests.\(id)"
        case .needs: ", named in needs"
        case .setup: ", as it is the setup"
        case .order: ", as the suite is serial"
        }
    }
}
