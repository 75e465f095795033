/// Finds the known word that was probably meant.
package enum Spelling {
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
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let letters = folded(word)
        guard !letters.isEmpty, letters.count <= maximumLength else { return nil }
        var limit = letters.count < 2 ? 0 : max(1, letters.count / 3)
        var best: String?
        for candidate in candidates {
            // A scalar takes one byte to four, so that most words are out of the question before they are folded.
            let size = candidate.utf8.count
            guard size >= letters.count - limit, size <= 4 * (letters.count + limit) else { continue }
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

    /// What ends a message with the nearest candidate, `; did you mean "word"?`; empty when none is near enough.
    package static func hint(for word: String, among candidates: some Sequence<String>) -> String {
        nearest(to: word, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// The question for the nearest candidate, `did you mean "word"?`; nil when none is near enough.
    package static func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
        nearest(to: word, among: candidates).map { "did you mean \"\($0)\"?" }
    }

    private static func folded(_ word: String) -> [Unicode.Scalar] {
        guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(word.lowercased().unicodeScalars) }
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return word.utf8.map { Unicode.Scalar(capitals.contains($0) ? $0 | 0x20 : $0) }
    }

    /// The number of edits between two words, or nil when it is above the limit.
    private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], limit: Int) -> Int? {
        // What both words begin and end with needs no edit.
        let shorter = min(first.count, second.count)
        var before = 0
        while before < shorter, first[before] == second[before] { before += 1 }
        var behind = 0
        while behind < shorter - before, first[first.count - 1 - behind] == second[second.count - 1 - behind] {
            behind += 1
        }
        return edits(
            from: first[before..<first.count - behind], to: second[before..<second.count - behind], limit: limit)
    }

    /// The number of edits between two parts of words, or nil when it is above the limit.
    private static func edits(
        from first: ArraySlice<Unicode.Scalar>, to second: ArraySlice<Unicode.Scalar>, limit: Int
    ) -> Int? {
        if first.isEmpty || second.isEmpty {
            let count = max(first.count, second.count)
            return count <= limit ? count : nil
        }
        let first = Array(first)
        let second = Array(second)
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
