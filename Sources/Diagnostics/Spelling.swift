/// Finds the known word that was probably meant.
public enum Spelling {
    /// Words longer than this many scalars are never compared.
    private static let maximumLength = 64

    /// The candidate that is most like a word, or nil when none is near enough to be what was meant.
    ///
    /// Likeness is the Damerau-Levenshtein distance (optimal string alignment), without regard to case; about one edit
    /// for three letters is near enough. Of equally near candidates the first one is taken.
    ///
    /// - Parameters:
    ///   - word: The word that is not known.
    ///   - candidates: The known words.
    public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let letters = folded(word)
        guard !letters.isEmpty, letters.count <= maximumLength else { return nil }
        var limit = letters.count < 2 ? 0 : max(1, letters.count / 3)
        var best: String?
        for candidate in candidates {
            let other = folded(candidate)
            guard !other.isEmpty, other.count <= maximumLength, abs(other.count - letters.count) <= limit,
                let distance = distance(letters, other, limit: limit)
            else { continue }
            if distance == 0 { return candidate }
            best = candidate
            limit = distance - 1
        }
        return best
    }

    private static func folded(_ word: String) -> [Unicode.Scalar] { Array(word.lowercased().unicodeScalars) }

    /// The number of edits between two words, or nil when it is above the limit.
    private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], limit: Int) -> Int? {
        var beforePrevious = [Int](repeating: 0, count: second.count + 1)
        var previous = Array(0...second.count)
        var current = previous
        for row in 1...first.count {
            current[0] = row
            var smallest = row
            for column in 1...second.count {
                let cost = first[row - 1] == second[column - 1] ? 0 : 1
                var edits = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + cost)
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    edits = min(edits, beforePrevious[column - 2] + 1)
                }
                current[column] = edits
                smallest = min(smallest, edits)
            }
            // A transposition reaches back two rows, so one bad row alone does not end the search.
            if smallest > limit + 1 { return nil }
            (beforePrevious, previous, current) = (previous, current, beforePrevious)
        }
        return previous[second.count] <= limit ? previous[second.count] : nil
    }
}
