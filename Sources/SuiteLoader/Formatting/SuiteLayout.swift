import YAML
import YAMLFormat

/// The order of keys in suites and mock files, taken from the tables by which they are read.
enum SuiteLayout {
    /// The maps whose entries are put in the order of their table; in all others they stay as the author has them.
    private static let sortedMaps: Set<String> = ["suite", "fragment", "test", "step", "request", "mock", "route"]

    /// The known keys of all maps.
    static let order: KeyOrder = {
        var maps: [String: KeyOrder.Map] = [:]
        for description in SuiteSchema.maps + MockSchema.maps {
            maps[description.name] = KeyOrder.Map(
                keys: description.entries.map { ($0.name, layout(of: $0.kind)) },
                isSorted: sortedMaps.contains(description.name))
        }
        return KeyOrder(maps: maps)
    }()

    /// What the root of a document is: a suite, a mock file, or something else.
    static func layout(of root: YAMLNode) -> NodeLayout {
        if root["routes"] != nil || root["collections"] != nil { return .map(MockKey.schema.description.name) }
        if root["tests"] != nil || root["fragments"] != nil { return .map(SuiteKey.schema.description.name) }
        return .any
    }

    private static func layout(of kind: ValueKind) -> NodeLayout {
        switch kind {
        case .map(let name): .map(name)
        case .members(let kind): .members(layout(of: kind))
        case .list(let kind), .pair(let kind): .list(layout(of: kind))
        case .anyOf(let kinds): .choice(kinds.map(layout))
        default: .any
        }
    }
}
