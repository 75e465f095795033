/// The known structure of a node.
public indirect enum NodeLayout: Sendable {
    /// No known structure: keys keep their order.
    case any
    /// A mapping with known keys, by its name in a ``KeyOrder``.
    case map(String)
    /// A mapping with arbitrary keys whose values have the same layout.
    case members(NodeLayout)
    /// A sequence whose elements have the same layout.
    case list(NodeLayout)
    /// Several alternatives. The first one that fits the kind of the node applies.
    case choice([NodeLayout])

    /// The alternative that applies to a mapping.
    var ofMap: NodeLayout? {
        switch self {
        case .map, .members: self
        case .any, .list: nil
        case .choice(let layouts): layouts.lazy.compactMap(\.ofMap).first
        }
    }

    /// The layout of the elements of a sequence.
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

/// The known keys of mappings, in their preferred order.
public struct KeyOrder: Sendable {
    /// A mapping with known keys.
    public struct Map: Sendable {
        let positions: [String: Int]
        let layouts: [NodeLayout]
        let isSorted: Bool

        /// Creates a mapping.
        ///
        /// - Parameters:
        ///   - keys: The keys, in order and without duplicates, with the layouts of their values.
        ///   - isSorted: Whether entries are sorted in this order; otherwise they keep their order.
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

    /// Creates an order from mappings by name.
    public init(maps: [String: Map] = [:]) {
        self.maps = maps
    }

    /// Returns the mapping with known keys for a layout; nil if the keys are arbitrary.
    func map(_ layout: NodeLayout) -> Map? {
        if case .map(let name)? = layout.ofMap { maps[name] } else { nil }
    }

    /// Returns the layout of the value of a key in a mapping with a layout.
    func layout(of key: String, in layout: NodeLayout) -> NodeLayout {
        switch layout.ofMap {
        case .map(let name): maps[name]?.layout(of: key) ?? .any
        case .members(let value): value
        case .any, .list, .choice, nil: .any
        }
    }
}
