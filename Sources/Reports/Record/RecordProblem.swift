/// Why a line of a record cannot be read.
struct RecordProblem: Error {
    /// One sentence without a final full stop.
    var message: String
    /// The name of the member that is wrong, when it is one.
    var member: String?

    init(_ message: String, member: String? = nil) {
        self.message = message
        self.member = member
    }
}
