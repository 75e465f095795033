import SuiteModel

/// The failures that the console shows before the summary, in the order of the files.
struct FinalFailures {
    /// Bytes of failures that are kept; further ones are counted.
    private static let maximumBytes = 1 << 25

    private var forms: FailureForms
    private var blocks: [FoldableText] = []
    private var lines = ""
    private var bytes = 0
    private var omitted = 0

    /// Creates a list without failures.
    init(isVerbose: Bool) { forms = FailureForms(isVerbose: isVerbose) }

    /// The causes that were not shown with every test.
    var repeated: [FailureForms.Group] { forms.repeated }

    /// Adds a failure.
    mutating func add(_ result: TestResult, names: [String], sizes: BodySizes, layout: ConsoleLayout) {
        switch forms.form(of: result, names: names) {
        case .counted: break
        case .whole where bytes < Self.maximumBytes:
            let failure = layout.failure(result, names, sizes: sizes)
            bytes += failure.text.plain.utf8.count
            if failure.isBlock { blocks.append(failure.text) } else { lines += failure.text.plain }
        case .line where bytes < Self.maximumBytes:
            let line = layout.failureLine(result, names)
            bytes += line.utf8.count
            lines += line
        case .whole, .line: omitted += 1
        }
    }

    /// Takes out the failures that are shown whole, and the lines of the others.
    mutating func takeAll() -> (blocks: [FoldableText], lines: String) {
        defer {
            blocks = []
            lines = ""
        }
        let more = omitted > 0 ? "… \(NumberText.count(omitted, "more failure"))\n" : ""
        return (blocks, lines + more)
    }
}
