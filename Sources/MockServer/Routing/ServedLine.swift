import SuiteModel

/// A request line that the server takes: that of a route, or one of a collection.
struct ServedLine: Sendable {
    /// The method; nil for every one.
    let method: String?
    /// The path.
    let path: MockPath

    /// The line as it is shown.
    var text: String {
        if let method { "\(method) \(path.text)" } else { path.text }
    }
}

extension MockPath {
    /// The path with its free parts replaced by a request's segments at their places.
    func filled(from segments: [String]) -> String {
        func fill(_ own: [Segment], _ given: [String]) -> [String] {
            own.enumerated().map { index, segment in
                switch segment {
                case .literal(let text): text
                case .parameter(_, let prefix, let suffix):
                    prefix.isEmpty && suffix.isEmpty && index < given.count
                        ? given[index] : "\(prefix)\(index < given.count ? "" : "x")\(suffix)"
                case .glob(let pieces): index < given.count ? given[index] : pieces.joined()
                }
            }
        }
        var result = fill(leading, segments)
        if let trailing {
            let middle = segments.dropFirst(leading.count).dropLast(trailing.count)
            result += middle
            result += fill(trailing, Array(segments.suffix(trailing.count)))
        }
        return "/" + result.joined(separator: "/")
    }
}
