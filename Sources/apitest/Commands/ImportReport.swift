import SuiteImport

/// The output of commands that write suites of imported or recorded requests.
enum ImportReport {
    /// Prints the size of a suite, and the environment variables that it needs.
    static func write(_ suite: SuiteWriter.Output, to path: String) {
        StandardOutput.write(
            "wrote \(path): \(count(suite.testCount, "test")), \(count(suite.requestCount, "request"))\n")
        if !suite.environment.isEmpty {
            StandardError.write("\(path): set \(suite.environment.joined(separator: ", ")) before you run it\n")
        }
    }

    /// Prints the counts: `assertions: 412 of 418; not translated: pm.sendRequest (4)`.
    static func write(_ counts: ImportCounts) {
        func list(_ tally: ImportCounts.Tally) -> String {
            tally.entries.map { "\($0.name) (\($0.count))" }.joined(separator: ", ")
        }
        var parts: [String] = []
        if counts.assertions > 0 { parts.append("assertions: \(counts.translatedAssertions) of \(counts.assertions)") }
        if !counts.untranslated.isEmpty { parts.append("not translated: \(list(counts.untranslated))") }
        if !counts.omitted.isEmpty { parts.append("left out: \(list(counts.omitted))") }
        if !parts.isEmpty { StandardError.write(parts.joined(separator: "; ") + "\n") }
    }

    /// Returns a number with a noun.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
