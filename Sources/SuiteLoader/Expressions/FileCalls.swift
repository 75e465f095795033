import Diagnostics
import YAML

/// Finds the calls of `file` with a plain string literal in an expression, so that the files can be checked.
enum FileCalls {
    /// A call.
    struct Call {
        /// The path.
        var path: String
        /// The number of Unicode scalars before the opening quotation mark of the path.
        var offset: Int
        /// The length of the path with its quotation marks, in Unicode scalars.
        var length: Int
    }

    /// Returns the calls in an expression.
    static func calls(in source: String) -> [Call] {
        guard source.utf8.count > 6, source.contains("file") else { return [] }
        let scalars = Array(source.unicodeScalars)
        var calls: [Call] = []
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if scalar == "\"" || scalar == "'" {
                index = literal(scalars, at: index)?.end ?? scalars.count
            } else if isNamePart(scalar) {
                let start = index
                while index < scalars.count, isNamePart(scalars[index]) { index += 1 }
                guard index - start == 4, scalars[start..<index].elementsEqual("file".unicodeScalars),
                    start == 0 || scalars[start - 1] != "."
                else { continue }
                var position = skipSpace(scalars, index)
                guard position < scalars.count, scalars[position] == "(" else { continue }
                position = skipSpace(scalars, position + 1)
                guard let path = literal(scalars, at: position), let text = path.text else { continue }
                let close = skipSpace(scalars, path.end)
                if close < scalars.count, scalars[close] == ")" {
                    calls.append(Call(path: text, offset: position, length: path.end - position))
                }
                index = path.end
            } else {
                index += 1
            }
        }
        return calls
    }

    /// Returns an expression with other paths in its calls.
    ///
    /// - Parameters:
    ///   - source: The expression.
    ///   - path: A closure that returns the new path for a path.
    static func replacingPaths(in source: String, _ path: (String) -> String) -> String {
        var scalars = Array(source.unicodeScalars)
        for call in calls(in: source).reversed() {
            let escaped = path(call.path).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            scalars.replaceSubrange(call.offset..<call.offset + call.length, with: "\"\(escaped)\"".unicodeScalars)
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && ExpressionScan.isNamePart(UInt8(truncatingIfNeeded: scalar.value))
    }

    private static func skipSpace(_ scalars: [Unicode.Scalar], _ index: Int) -> Int {
        var index = index
        while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
        return index
    }

    /// Returns the end of a string literal, and its text if it has no escapes and is not triple-quoted.
    private static func literal(_ scalars: [Unicode.Scalar], at start: Int) -> (text: String?, end: Int)? {
        guard start < scalars.count, scalars[start] == "\"" || scalars[start] == "'" else { return nil }
        var text = String.UnicodeScalarView()
        var isPlain = true
        var index = start + 1
        while index < scalars.count {
            if scalars[index] == "\\" {
                isPlain = false
                index += 2
            } else if scalars[index] == scalars[start] {
                return (isPlain && !text.isEmpty ? String(text) : nil, index + 1)
            } else {
                text.append(scalars[index])
                index += 1
            }
        }
        return nil
    }
}

/// Finds the source range of a part of a scalar's text, regardless of the style of the scalar.
enum ScalarLocator {
    /// Returns the source range of a part of a scalar's text.
    ///
    /// - Parameters:
    ///   - node: The scalar.
    ///   - lower: The start of the part, in Unicode scalars.
    ///   - upper: The end of the part, in Unicode scalars.
    static func range(in node: YAMLNode, from lower: Int, to upper: Int) -> SourceRange {
        let range = node.range
        guard let scalar = node.scalar else { return range }
        let lower = max(0, lower)
        let upper = max(lower, upper)
        if range.isOneLine {
            // If the source is as long as the text, nothing is escaped, and the columns follow from the offsets.
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
