/// What of a document has become what of its converted form, as ways from the top.
///
/// What stands below a known place is below its counterpart too.
struct PlaceMap: Sendable {
    /// A tree of ways, each of which may have a counterpart.
    private struct Branch: Sendable {
        var counterpart: [String]?
        var branches: [String: Branch] = [:]

        mutating func set(_ counterpart: [String], at tokens: ArraySlice<String>) {
            guard let first = tokens.first else {
                if self.counterpart == nil { self.counterpart = counterpart }
                return
            }
            branches[first, default: Branch()].set(counterpart, at: tokens.dropFirst())
        }

        mutating func merge(_ other: Branch) {
            counterpart = counterpart ?? other.counterpart
            for (token, branch) in other.branches { branches[token, default: Branch()].merge(branch) }
        }

        /// The counterpart of the longest known beginning of a way, with what remains of it.
        func counterpart(of tokens: [String]) -> [String]? {
            var branch = self
            var best = counterpart.map { ($0, 0) }
            for (position, token) in tokens.enumerated() {
                guard let next = branch.branches[token] else { break }
                branch = next
                if let known = next.counterpart { best = (known, position + 1) }
            }
            return best.map { $0.0 + tokens[$0.1...] }
        }
    }

    private var originals = Branch()
    private var conversions = Branch()

    /// Adds what another one knows.
    mutating func merge(_ other: PlaceMap) {
        originals.merge(other.originals)
        conversions.merge(other.conversions)
    }

    /// Notes that what stood at `original` is at `converted`; what is said first of a place counts.
    mutating func note(_ converted: [String], from original: [String]) {
        originals.set(original, at: converted[...])
        conversions.set(converted, at: original[...])
    }

    /// Notes where something comes from that has no place of its own.
    mutating func noteOrigin(of converted: [String], _ original: [String]) {
        originals.set(original, at: converted[...])
    }

    /// Notes where something is now that is also somewhere else.
    mutating func noteCopy(_ converted: [String], of original: [String]) {
        conversions.set(converted, at: original[...])
    }

    /// Where something stood.
    func original(of tokens: [String]) -> [String] { originals.counterpart(of: tokens) ?? tokens }

    /// Where something is now; nil when it is where it was.
    func converted(of tokens: [String]) -> [String]? { conversions.counterpart(of: tokens) }
}
