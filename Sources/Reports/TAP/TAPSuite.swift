import SuiteModel

/// What stands in all of a suite's test points.
struct TAPSuite {
    /// The suite's name with the separator behind it, escaped.
    let prefix: [UInt8]
    /// The absolute path of the working folder.
    let workingFolder: String

    /// Creates the prefix of a suite; nil for a suite that is not known.
    init(_ info: SuiteInfo?, workingFolder: String) {
        var prefix: [UInt8] = []
        if let info {
            TAPText.append(info.name, to: &prefix)
            prefix += StepSeparator.text.utf8
        }
        self.prefix = prefix
        self.workingFolder = workingFolder
    }
}
