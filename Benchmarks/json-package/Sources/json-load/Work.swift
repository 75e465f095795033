/// What is done with a document.
enum Work: String, CaseIterable {
    /// Nothing: the document is only loaded.
    case load
    /// Made values of.
    case parse
    /// Made values of, every one of which is then looked at: numbers as doubles, strings by their length, members by name.
    case read
    /// Written as compact text; the values are made beforehand.
    case write

    static var names: String { allCases.map(\.rawValue).joined(separator: "|") }
}
