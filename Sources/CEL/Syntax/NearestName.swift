/// Finds the name that was probably meant.
enum NearestName {
    /// Words longer than this are not compared.
    private static let maximumLength = 64

    /// The nearest of the candidates within a third of the word's length, and " (did you mean …)" for it, or nothing.
    static func hint(for word: String, among candidates: some Sequence<String>) -> String {
        nearest(to: word, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let target = Array(word.lowercased().unicodeScalars)
        guard !target.isEmpty, target.count <= maximumLength else { return nil }
        var best: String?
        var bestDistance = max(1, (target.count + 1) / 3) + 1
        for candidate in candidates where candidate.utf8.count <= maximumLength * 4 {
            let scalars = Array(candidate.lowercased().unicodeScalars)
            guard scalars.count <= maximumLength, abs(scalars.count - target.count) < bestDistance else { continue }
            let distance = distance(target, scalars)
            if distance < bestDistance, distance < max(scalars.count, target.count) {
                bestDistance = distance
                best = candidate
            }
        }
        return best
    }

    /// Edits between two words, an exchange of neighbours being one.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforePrevious = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        for (row, scalar) in left.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for (column, other) in right.enumerated() {
                var cost = min(previous[column + 1], current[column]) + 1
                cost = min(cost, previous[column] + (scalar == other ? 0 : 1))
                if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
