/// Where the cases of a suite are, with the attributes that stand in each of them.
struct JUnitPlace {
    let suite: SuitePlace
    /// The class of all of the suite's cases, unique in the report.
    let className: String
    /// The attribute `classname`, with a space before it.
    let classAttribute: [UInt8]
    /// The attribute `file`, with a space before it.
    let fileAttribute: [UInt8]

    init(suite: SuitePlace, className: String) {
        self.suite = suite
        self.className = className
        var attribute: [UInt8] = []
        XMLText.appendAttribute("classname", className, to: &attribute)
        classAttribute = attribute
        attribute = []
        XMLText.appendAttribute("file", suite.file, to: &attribute)
        fileAttribute = attribute
    }
}
