import SuiteModel

/// What the page says of a suite.
struct HTMLSuite {
    var info: SuiteInfo
    /// The path relative to the working folder.
    let file: String
    /// Nanoseconds from the suite's start to its end; nil when it did not end.
    var duration: Int64?
    /// Tests that were to run and did not.
    var notRun = 0

    init(info: SuiteInfo, file: String) {
        self.info = info
        self.file = file
    }
}
