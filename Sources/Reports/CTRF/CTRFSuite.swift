import SuiteModel

/// What stands in all tests of a suite.
struct CTRFSuite {
    /// The members `suite` and `filePath`, with a comma before each.
    let members: [UInt8]

    init(_ info: SuiteInfo, workingFolder: String) {
        let place = SuitePlace(path: info.path, documentIndex: info.documentIndex, workingFolder: workingFolder)
        var members = Array(",\"suite\":[".utf8)
        JSONText.append(info.name, to: &members, limit: FailureSummary.longestMessage)
        members += "],\"filePath\":".utf8
        JSONText.append(place.file, to: &members)
        self.members = members
    }
}
