import SuiteModel

/// What stands in all entries of a suite.
struct HARSuite {
    let name: String
    /// The member `_suite`, with a comma before it, and the name of the member after it.
    let member: [UInt8]
    /// What stands before a test's name in a title, escaped.
    private let titleStart: [UInt8]

    /// Appends the title of a test's page as a string.
    func writeTitle(of test: String, into json: inout JSONText) {
        if titleStart.count + test.utf8.count <= FailureSummary.longestMessage {
            json.string(escaped: titleStart, then: test)
        } else {
            json.string(name + StepSeparator.text + test, limit: FailureSummary.longestMessage)
        }
    }

    /// - Parameter info: The suite; nil when it is not known.
    init(_ info: SuiteInfo?) {
        name = info?.name ?? ""
        var member = Array(",\"_suite\":".utf8)
        JSONText.append(name, to: &member)
        member += Array(",\"_test\":".utf8)
        self.member = member
        var start: [UInt8] = []
        JSONText.append(name + StepSeparator.text, to: &start)
        titleStart = Array(start.dropFirst().dropLast())
    }
}
