import Basics
import Diagnostics

/// How like a path and a template are, for suggestions.
enum PathLikeness {
    /// The number of differences between the segments of a path and a template; nil when they have little in common.
    static func distance(_ segments: [String], _ template: PathTemplate) -> Int? {
        // A slash too many or too few at the end is the likeliest mistake.
        var own = segments
        if own.last == "", own.count > 1 { own.removeLast() }
        var others = template.segments
        if others.last?.isEmpty == true, others.count > 1 { others.removeLast() }
        guard own.count == others.count else { return nil }
        var distance = own.count == segments.count && others.count == template.segments.count ? 0 : 1
        for (segment, pieces) in zip(own, others) {
            if pieces.isEmpty, !segment.isEmpty { return nil }
            guard pieces.count == 1, case .literal(let text)? = pieces.first else { continue }
            if text == segment { continue }
            guard Spelling.nearest(to: segment, among: [text]) != nil else { return nil }
            distance += 2
        }
        return distance
    }
}
