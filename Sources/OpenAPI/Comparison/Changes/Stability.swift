import JSON

/// How far users may rely on an operation or a property (`x-stability-level`).
public enum Stability: String, Sendable, Comparable, CaseIterable {
    case draft, alpha, beta, stable

    private var rank: Int {
        switch self {
        case .draft: 0
        case .alpha: 1
        case .beta: 2
        case .stable: 3
        }
    }

    /// The level that an extension names; stable without one; nil for what is none.
    static func level(_ node: DescriptionNode?) -> Stability? {
        guard let node else { return .stable }
        return node.value.stringValue.flatMap { Stability(rawValue: $0) }
    }

    /// A value that only the old description has wrong, as it stands in a sentence.
    static func inOldDescription(_ text: String) -> String { "\"\(text)\" (in the old description)" }

    /// Orders levels by how much they promise.
    public static func < (left: Stability, right: Stability) -> Bool { left.rank < right.rank }
}
