import Basics
import Diagnostics
import SuiteModel

/// Finds the route that was probably meant by a request which no route takes.
enum NearestRoute {
    /// The request line that is nearest, or nil when there is no route at all.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - lines: The request lines of everything that is served, with their methods and paths.
    static func find(_ request: MockRequest, among lines: [ServedLine]) -> String? {
        let wanted = "/" + request.segments.joined(separator: "/")
        var byLikeness: [String: Int] = [:]
        for (index, line) in lines.enumerated() {
            let likeness = line.path.filled(from: request.segments)
            // Of lines with one path, that with the request's method is the nearest.
            if byLikeness[likeness] == nil || line.method == request.method { byLikeness[likeness] = index }
        }
        let candidates = lines.map { $0.path.filled(from: request.segments) }
        if let found = Spelling.nearest(to: wanted, among: candidates), let index = byLikeness[found] {
            return lines[index].text
        }
        let common = lines.map { line in
            zip(line.path.leading, request.segments).prefix { pair in
                if case .literal(let text) = pair.0 { text == pair.1 } else { true }
            }.count
        }
        guard let most = common.max(), most > 0, let index = common.firstIndex(of: most) else {
            return lines.first?.text
        }
        return lines[index].text
    }
}
