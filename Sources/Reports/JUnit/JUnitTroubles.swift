import SuiteModel

/// What failed a run beside its tests, as cases: most readers know nothing of a run but these.
struct JUnitTroubles {
    let troubles: [RunTrouble]
    let isStrict: Bool

    var isEmpty: Bool { troubles.isEmpty }

    var counts: JUnitSuite.Counts {
        var counts = JUnitSuite.Counts()
        for trouble in troubles { counts.count(Self.verdict(of: trouble)) }
        return counts
    }

    /// How the case counts that stands for a trouble.
    static func verdict(of trouble: RunTrouble) -> JUnitCase.Verdict {
        trouble.outcome == .errored ? .error : .failure
    }

    /// The `testsuite` element of the troubles of the whole run.
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
            JUnitProperties.write(name, value, indent: "      ", into: &output)
        }
        output += Array("    </properties>\n".utf8)
        for trouble in troubles { Self.write(trouble, into: &output) }
        if isStrict { output += Array("    <system-out></system-out>\n    <system-err></system-err>\n".utf8) }
        output += Array("  </testsuite>\n".utf8)
        return output
    }

    /// Writes the case of a trouble.
    ///
    /// - Parameters:
    ///   - place: Where its suite's cases are; nil for a trouble of the whole run.
    ///   - isStrict: Whether cases do not say in which file they are.
    static func write(
        _ trouble: RunTrouble, place: JUnitPlace? = nil, isStrict: Bool = false, into output: inout [UInt8]
    ) {
        let element = verdict(of: trouble) == .error ? "error" : "failure"
        output += Array("    <testcase".utf8)
        XMLText.appendAttribute("name", trouble.name, to: &output)
        XMLText.appendAttribute("classname", place?.className ?? RunTrouble.className, to: &output)
        XMLText.appendAttribute("time", DurationText.seconds(0), to: &output)
        if let place, !isStrict {
            output += place.fileAttribute
            XMLText.appendAttribute("line", "1", to: &output)
        }
        output += Array(">\n      <\(element)".utf8)
        XMLText.appendAttribute("message", trouble.message, to: &output, limit: JUnitCase.longestAttribute)
        XMLText.appendAttribute("type", trouble.type, to: &output)
        output += Array(">".utf8)
        let text = trouble.lines.map { $0 + "\n" }.joined()
        XMLText.append(text, to: &output, limit: JUnitCase.longestText)
        output += Array("</\(element)>\n    </testcase>\n".utf8)
    }
}
