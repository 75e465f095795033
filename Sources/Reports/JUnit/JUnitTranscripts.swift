import SuiteModel

/// What a strict report says of a suite's cases in its own output: exchanges, and attempts before the one that counts.
struct JUnitTranscripts {
    /// The most bytes that are kept.
    private static let longest = 65_536

    private var kept = ""
    private var omitted = 0

    /// Adds what there is to say of a case beside its failure.
    mutating func add(_ testCase: JUnitCase) {
        let output = testCase.outputText
        guard !output.isEmpty || !testCase.earlierAttempts.isEmpty else { return }
        if kept.utf8.count >= Self.longest {
            omitted += 1
            return
        }
        var text = "== \(testCase.name)\n"
        for (index, attempt) in testCase.earlierAttempts.enumerated() {
            text += "attempt \(index + 1): \(attempt.message(hasSteps: testCase.namesSteps))\n"
        }
        text += output
        if text.utf8.count > Self.longest {
            text = String(decoding: text.utf8.prefix(Self.longest), as: UTF8.self) + "…\n"
        }
        kept += text + "\n"
    }

    /// The text.
    var text: String {
        omitted == 0 ? kept : kept + "… and \(NumberText.count(omitted, "more case"))\n"
    }
}
