/// Finds the name that was probably meant.
enum Similarity {
    /// Names that are longer are not compared.
    private static let longestName = 64
    /// How many names are compared at most.
    private static let largestCount = 512

    /// The name most like `name`, when it is like it at all: another case or punctuation, or few letters apart.
    static func nearest(to name: String, among names: some Sequence<String>) -> String? {
        let wanted = Array(name.unicodeScalars.prefix(longestName + 1))
        guard !wanted.isEmpty, wanted.count <= longestName else { return nil }
        var best: (name: String, distance: Int)?
        let wantedLetters = letters(wanted)
        for candidate in names.prefix(largestCount) {
            let other = Array(candidate.unicodeScalars.prefix(longestName + 1))
            guard !other.isEmpty, other.count <= longestName, candidate != name else { continue }
            let limit = min(best?.distance ?? .max, 1 + min(wanted.count, other.count) / 4)
            let otherLetters = letters(other)
            let distance =
                !wantedLetters.isEmpty && wantedLetters == otherLetters ? 0 : editDistance(wanted, other, limit: limit)
            if distance < limit || best == nil && distance <= limit && distance < wanted.count {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// The letters and digits in lower case, without what only separates words.
    private static func letters(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
        name.compactMap { scalar in
            if scalar == "_" || scalar == "-" || scalar == " " || scalar == "." { return nil }
            return scalar.value &- 0x41 <= 25 ? Unicode.Scalar(scalar.value | 0x20) : scalar
        }
    }

    /// Insertions, deletions, replacements and swaps of neighbours; more than `limit` when there are more.
    private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int {
        if abs(left.count - right.count) > limit { return limit + 1 }
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for (row, leftScalar) in left.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for (column, rightScalar) in right.enumerated() {
                var cost = min(current[column], last[column + 1]) + 1
                cost = min(cost, last[column] + (leftScalar == rightScalar ? 0 : 1))
                if row > 0, column > 0, leftScalar == right[column - 1], left[row - 1] == rightScalar {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
