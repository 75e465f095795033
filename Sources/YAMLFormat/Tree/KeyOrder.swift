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

/// The known keys of maps, in the order in which they are best written.
public struct KeyOrder: Sendable {
    /// A map with known keys.
    public struct Map: Sendable {
        let positions: [String: Int]
        let layouts: [NodeLayout]
        let isSorted: Bool

        /// Creates a map's description.
        ///
        /// - Parameters:
        ///   - keys: The keys in order, each once, with what their values hold.
        ///   - isSorted: Whether entries are put in this order; otherwise they stay as the author has them.
        public init(keys: [(name: String, layout: NodeLayout)], isSorted: Bool) {
            positions = Dictionary(keys.enumerated().map { ($1.name, $0) }) { first, _ in first }
            layouts = keys.map(\.layout)
            self.isSorted = isSorted
        }

        func layout(of key: String) -> NodeLayout {
            positions[key].map { layouts[$0] } ?? .any
        }
    }

    private let maps: [String: Map]

    /// Creates an order of the maps with some names.
    public init(maps: [String: Map] = [:]) {
        self.maps = maps
    }

    /// The known keys of a map with a layout, or nil when its keys are free.
    func map(_ layout: NodeLayout) -> Map? {
        if case .map(let name)? = layout.ofMap { maps[name] } else { nil }
    }

    /// The layout of the value of a key in a map with a layout.
    func layout(of key: String, in layout: NodeLayout) -> NodeLayout {
        switch layout.ofMap {
        case .map(let name): maps[name]?.layout(of: key) ?? .any
        case .members(let value): value
        case .any, .list, .choice, nil: .any
        }
    }
}
