/// The functions of RFC 9535 §2.4.
enum PathFunction: String, CaseIterable {
    case length, count, match, search, value

    var argumentCount: Int {
        switch self {
        case .length, .count, .value: 1
        case .match, .search: 2
        }
    }

    /// The functions' names as a list for messages.
    static var names: String {
        allCases.map(\.rawValue).joined(separator: ", ")
    }
}
