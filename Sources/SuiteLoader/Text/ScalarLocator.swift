import Diagnostics
import YAML

/// Finds the place in the file of a part of a scalar's text, whatever style the scalar is written in.
enum ScalarLocator {
    /// The place of a part of a scalar's text.
    ///
    /// - Parameters:
    ///   - node: The scalar.
    ///   - lower: The number of Unicode scalars of the text before the part.
    ///   - upper: The number of Unicode scalars of the text before the part's end.
    static func range(in node: YAMLNode, from lower: Int, to upper: Int) -> SourceRange {
        let range = node.range
        guard let scalar = node.scalar else { return range }
        let lower = max(0, lower)
        let upper = max(lower, upper)
        if range.isOneLine {
            // Where the source is as long as the text, nothing is escaped, and the columns follow from the count.
            let width = Int(range.end.column) - Int(range.start.column)
            let count = scalar.unicodeScalarCount
            switch scalar.style {
            case .plain where width == count: return range.subrange(fromScalar: lower, toScalar: upper)
            case .singleQuoted where width == count + 2, .doubleQuoted where width == count + 2:
                return range.subrange(fromScalar: lower + 1, toScalar: upper + 1)
            case .plain, .singleQuoted, .doubleQuoted, .literal, .folded: break
            }
        }
        return node.range(ofText: lower..<upper)
    }
}
