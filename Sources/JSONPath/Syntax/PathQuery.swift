import JSON

/// A query: where it starts and its segments.
struct PathQuery: Sendable {
    /// Whether it starts at the document's root (`$`) and not at the current node (`@`).
    var isAbsolute: Bool
    var segments: [PathSegment]
    /// Where an evaluation keeps the result of an absolute query inside a filter, which is the same for every node.
    var cacheSlot: Int
    let isSingular: Bool
    /// How many of the segments are descendant segments.
    let descendantCount: Int

    init(isAbsolute: Bool, segments: [PathSegment], cacheSlot: Int) {
        self.isAbsolute = isAbsolute
        self.segments = segments
        self.cacheSlot = cacheSlot
        isSingular = segments.allSatisfy(\.isSingular)
        descendantCount = segments.count(where: \.isDescendant)
    }

    /// The value a singular query selects, seen from the value it starts at.
    func singularValue(from start: JSONValue) -> JSONValue? {
        var value = start
        for segment in segments {
            switch (segment.selectors.first, value) {
            case (.name(let name), .object(let object)):
                guard let member = object[name] else { return nil }
                value = member
            case (.index(let index), .array(let array)):
                guard let position = PathSlice.position(of: index, in: array.count) else { return nil }
                value = array[position]
            default:
                return nil
            }
        }
        return value
    }
}

/// A segment: selectors that are applied to a node's children, or to those of all its descendants too (RFC 9535 §2.5).
struct PathSegment: Sendable {
    var selectors: [PathSelector]
    var isDescendant: Bool
    /// The segment as it was written.
    var source: String

    var isSingular: Bool {
        guard !isDescendant, selectors.count == 1 else { return false }
        switch selectors[0] {
        case .name, .index: return true
        case .wildcard, .slice, .filter: return false
        }
    }
}

/// A selector (RFC 9535 §2.3).
indirect enum PathSelector: Sendable {
    case name(String)
    case wildcard
    case index(Int)
    case slice(PathSlice)
    case filter(FilterExpression)
}
