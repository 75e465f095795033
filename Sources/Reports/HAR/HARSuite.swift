import SuiteModel

/// What stands in all entries of a suite.
struct HARSuite {
    let name: String
    /// The member `_suite`, with a comma before it.
    let member: [UInt8]

    /// - Parameter info: The suite; nil when it is not known.
    init(_ info: SuiteInfo?) {
        name = info?.name ?? ""
        var member = Array(",\"_suite\":".utf8)
        JSONText.append(name, to: &member)
        self.member = member
    }
}
