/// What is known of the keys at a place of a document.
public indirect enum NodeLayout: Sendable {
    /// Nothing: keys stay as they are.
    case any
    /// A map whose keys are known, by the name it has in a ``KeyOrder``.
    case map(String)
    /// A map with free keys, all of whose values are alike.
    case members(NodeLayout)
    /// A list whose elements are alike.
    case list(NodeLayout)
    /// One of several; the first that fits the kind of the node counts.
    case choice([NodeLayout])

    /// The layout that holds for a map.
    var ofMap: NodeLayout? {
        switch self {
        case .map, .members: self
        case .any, .list: nil
        case .choice(let layouts): layouts.lazy.compactMap(\.ofMap).first
        }
    }

    /// The layout of a list's elements.
    var ofElements: NodeLayout {
        switch self {
        case .list(let elements): elements
        case .any, .map, .members: .any
        case .choice(let layouts):
            layouts.first {
                if case .list = $0 { true } else { false }
            }?.ofElements ?? .any
        }
    }
}
