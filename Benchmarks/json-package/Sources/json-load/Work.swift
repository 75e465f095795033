/// An operation on a document.
enum Work: String, CaseIterable {
    /// Only loads the document.
    case load
    /// Creates the values of the document.
    case parse
    /// Creates the values and reads each: numbers as doubles, strings by their length, members by name.
    case read
    /// Writes compact text from values that were created before.
    case write

    static var names: String { allCases.map(\.rawValue).joined(separator: "|") }
}
