import SuiteModel

/// The `testsuite` element of what failed a run although every test has passed: most readers know nothing of a run but its
/// cases.
struct JUnitTroubles {
    let troubles: [RunTrouble]
    /// The errors that the run has told.
    let errors: [RunNotice]
    let isStrict: Bool

    var isEmpty: Bool { troubles.isEmpty }

    var counts: JUnitSuite.Counts {
        var counts = JUnitSuite.Counts()
        for trouble in troubles { counts.count(trouble.outcome == .errored ? .error : .failure) }
        return counts
    }

    /// The element.
    ///
    /// - Parameter position: Its position in its file.
    func element(position: Int, run: RunInfo, hostName: String) -> [UInt8] {
        var output = Array("  <testsuite".utf8)
        XMLText.appendAttribute("name", RunTrouble.suiteName, to: &output)
        if isStrict {
            XMLText.appendAttribute("package", "apitest", to: &output)
            XMLText.appendAttribute("id", String(position), to: &output)
        }
        counts.writeAttributes(into: &output)
        XMLText.appendAttribute("time", DurationText.seconds(0), to: &output)
        XMLText.appendAttribute("timestamp", Timestamp.text(run.startTime), to: &output)
        XMLText.appendAttribute("hostname", hostName, to: &output)
        output += Array(">\n    <properties>\n".utf8)
        for (name, value) in [("seed", String(run.seed)), ("version", run.version)] {
            output += Array("      <property".utf8)
            XMLText.appendAttribute("name", name, to: &output)
            XMLText.appendAttribute("value", value, to: &output)
            output += Array("/>\n".utf8)
        }
        output += Array("    </properties>\n".utf8)
        for trouble in troubles { write(trouble, into: &output) }
        if isStrict { output += Array("    <system-out></system-out>\n    <system-err></system-err>\n".utf8) }
        output += Array("  </testsuite>\n".utf8)
        return output
    }

    private func write(_ trouble: RunTrouble, into output: inout [UInt8]) {
        let element = trouble.outcome == .errored ? "error" : "failure"
        output += Array("    <testcase".utf8)
        XMLText.appendAttribute("name", trouble.text, to: &output)
        XMLText.appendAttribute("classname", RunTrouble.className, to: &output)
        XMLText.appendAttribute("time", DurationText.seconds(0), to: &output)
        output += Array(">\n      <\(element)".utf8)
        XMLText.appendAttribute("message", trouble.message(errors), to: &output, limit: JUnitCase.longestAttribute)
        XMLText.appendAttribute("type", trouble.type, to: &output)
        output += Array(">".utf8)
        let text = RunTrouble.details(errors).map { $0 + "\n" }.joined()
        XMLText.append(text, to: &output, limit: JUnitCase.longestText)
        output += Array("</\(element)>\n    </testcase>\n".utf8)
    }
}
