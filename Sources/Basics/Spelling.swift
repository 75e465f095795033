/// A search for the known word closest to a misspelled one.
package enum Spelling {
    /// The maximum length of a compared word in scalars.
    private static let maximumLength = 64

    /// Returns the candidate closest to a word; nil if none is close enough.
    ///
    /// The distance is the Damerau-Levenshtein distance (optimal string alignment), ignoring case; about one edit per
    /// three letters is close enough. Among equally close candidates, the first one is returned.
    ///
    /// - Parameters:
    ///   - word: The unknown word.
    ///   - candidates: The known words.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let letters = folded(word)
        guard !letters.isEmpty, letters.count <= maximumLength else { return nil }
        var limit = letters.count < 2 ? 0 : max(1, letters.count / 3)
        var best: String?
        for candidate in candidates {
            // A scalar takes one to four bytes, which excludes most candidates before they are case-folded.
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

    /// Returns the end of a message, `; did you mean "word"?`; empty if no candidate is close enough.
    package static func hint(for word: String, among candidates: some Sequence<String>) -> MessageText {
        nearest(to: word, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// Returns the question `did you mean "word"?`; nil if no candidate is close enough.
    package static func suggestion(for word: String, among candidates: some Sequence<String>) -> MessageText? {
        nearest(to: word, among: candidates).map { "did you mean \"\($0)\"?" }
    }

    private static func folded(_ word: String) -> [Unicode.Scalar] {
        guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(word.lowercased().unicodeScalars) }
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return word.utf8.map { Unicode.Scalar(capitals.contains($0) ? $0 | 0x20 : $0) }
    }

    /// Returns the number of edits between two words; nil if it exceeds the limit.
    private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], limit: Int) -> Int? {
        // A common prefix and suffix need no edits.
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

    /// Returns the number of edits between two parts of words; nil if it exceeds the limit.
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
            // A transposition refers to the row before the previous one, so a single bad row does not end the search.
            if smallest > limit + 1 { return nil }
            (beforePrevious, previous, current) = (previous, current, beforePrevious)
        }
        return previous[second.count] <= limit ? previous[second.count] : nil
    }
}
