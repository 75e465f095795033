extension RegularExpression {
    /// How many steps the check of one text may take.
    private static let samplingSteps = 200_000
    /// The most code points that a text made by `sample` has.
    public static let largestSampleLength = 20_000

    /// A text that the pattern matches, checked by matching; the same for the same state of `random`.
    ///
    /// - Parameters:
    ///   - lengths: How many code points the text may have.
    ///   - attempt: Which of several texts; each gives another one where the pattern allows it.
    ///   - random: Where choices come from.
    /// - Returns: The text, or nil when none was found: not every pattern with lookaround or length can be met.
    public func sample(
        lengths: ClosedRange<Int> = 0...10_000, attempt: Int = 0, using random: inout some RandomNumberGenerator
    ) -> String? {
        var parser = PatternParser(pattern, dialect: dialect, options: options)
        guard lengths.lowerBound <= Self.largestSampleLength, let node = try? parser.parse() else { return nil }
        let shortest = max(0, lengths.lowerBound)
        // Few repetitions read best; then those that reach the length; then anything.
        var stretches = [4, 1, 0, 2, 3, 6, 8, 12, 16, 24]
        if shortest > 4 { stretches.insert(min(shortest, Self.largestSampleLength), at: 0) }
        for round in 0..<(stretches.count + 120) {
            let isPlain = round < stretches.count
            let stretch = isPlain ? stretches[round] : Int.random(in: 0...max(8, shortest), using: &random)
            var sampler = TextSampler(
                stretch: stretch, variesRepetitions: !isPlain, variesKinds: !isPlain || attempt > 0)
            guard sampler.append(node, using: &random) else { continue }
            for text in padded(sampler.text, lengths) {
                var steps = Self.samplingSteps
                if (try? matches(text, steps: &steps)) == true { return text }
            }
        }
        return nil
    }

    /// The text itself, and longer ones where it is too short; none where it is too long.
    private func padded(_ text: [Unicode.Scalar], _ lengths: ClosedRange<Int>) -> [String] {
        func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
            var result = String.UnicodeScalarView()
            result.append(contentsOf: scalars)
            return String(result)
        }
        if lengths.contains(text.count) { return [string(text)] }
        guard text.count < lengths.lowerBound else { return [] }
        let padding = repeatElement(Unicode.Scalar("a"), count: lengths.lowerBound - text.count)
        return [string(text + padding), string(Array(padding) + text)]
    }
}
