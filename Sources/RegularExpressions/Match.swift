extension RegularExpression {
    /// One place where a pattern matches, with what its groups captured.
    public struct Match: Sendable, Hashable {
        /// The matched part, as offsets into the UTF-8 of the text.
        public let range: Range<Int>

        /// What each group captured, as UTF-8 offsets; number 0 is the whole match, `nil` a group that took no part.
        public let groups: [Range<Int>?]

        private let names: [String?]
        private let source: String

        init(groups: [Range<Int>?], whole: Range<Int>, names: [String?], source: String) {
            self.range = whole
            self.groups = groups
            self.names = names
            self.source = source
        }

        /// The matched text.
        public var text: Substring { slice(range) }

        /// The text a group captured; `nil` when there is no such group or it took no part.
        public func text(ofGroup number: Int) -> Substring? {
            guard groups.indices.contains(number), let range = groups[number] else { return nil }
            return slice(range)
        }

        /// The text a named group captured; `nil` when there is no such group or it took no part.
        public func text(ofGroup name: String) -> Substring? {
            // Several groups may have one name, in alternatives of which one takes part.
            for number in names.indices where names[number] == name {
                if let text = text(ofGroup: number) { return text }
            }
            return nil
        }

        /// The matched part, as indices into the text.
        public var indices: Range<String.Index> { indices(of: range) }

        private func slice(_ range: Range<Int>) -> Substring { source[indices(of: range)] }

        private func indices(of range: Range<Int>) -> Range<String.Index> {
            let utf8 = source.utf8
            let start =
                utf8.index(utf8.startIndex, offsetBy: range.lowerBound, limitedBy: utf8.endIndex) ?? utf8.endIndex
            let end = utf8.index(start, offsetBy: range.count, limitedBy: utf8.endIndex) ?? utf8.endIndex
            return start..<end
        }
    }
}
