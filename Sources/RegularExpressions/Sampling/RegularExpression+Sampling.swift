extension RegularExpression {
    /// The maximum number of steps for checking a sample.
    private static let samplingSteps = 200_000
    /// The maximum length of a sample in code points.
    public static let maximumSampleLength = 20_000

    /// Returns a text that matches the pattern, verified by matching; deterministic for a given state of `random`.
    ///
    /// - Parameters:
    ///   - lengths: The allowed length of the text in code points.
    ///   - attempt: The index among several texts; each returns a different one if the pattern allows it.
    ///   - random: The source of random choices.
    /// - Returns: The text; nil if none was found, since not every pattern with lookaround or length can be satisfied.
    public func sample(
        lengths: ClosedRange<Int> = 0...10_000, attempt: Int = 0, using random: inout some RandomNumberGenerator
    ) -> String? {
        var parser = PatternParser(pattern, dialect: dialect, options: options)
        guard lengths.lowerBound <= Self.maximumSampleLength, let node = try? parser.parse() else { return nil }
        let shortest = max(0, lengths.lowerBound)
        // Try few repetitions first, which read best; then those that reach the length; then any number.
        var stretches = [4, 1, 0, 2, 3, 6, 8, 12, 16, 24]
        if shortest > 4 { stretches.insert(min(shortest, Self.maximumSampleLength), at: 0) }
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

    /// Returns the text, or longer variants if it is too short; an empty array if it is too long.
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
