import RegularExpressions

extension SampleRun {
    /// Makes a text.
    func text(_ facts: SchemaFacts, _ site: SampleSite) throws(SampleFailure) -> String {
        let longest = facts.maximumLength ?? max(facts.minimumLength, RegularExpression.largestSampleLength)
        guard facts.minimumLength <= longest else {
            throw SampleFailure(message: "a text has at least \(facts.minimumLength) characters and at most \(longest)")
        }
        guard facts.minimumLength <= RegularExpression.largestSampleLength else {
            throw SampleFailure(message: "a text needs \(facts.minimumLength) characters")
        }
        let lengths = facts.minimumLength...longest
        var random = random(site)
        if facts.patterns.isEmpty {
            if let format = facts.format ?? facts.contentEncoding,
                let text = FormatSamples.text(format, name: site.name, site.variation, lengths, using: &random)
            {
                return text
            }
            return SampleWords.text(for: site.name, site.variation, lengths, using: &random)
        }
        var expressions: [RegularExpression] = []
        for pattern in facts.patterns {
            guard let expression = try? RegularExpression(pattern, dialect: .ecmaScript) else {
                throw SampleFailure(message: "the pattern \(pattern) is not understood")
            }
            expressions.append(expression)
        }
        func fits(_ text: String) -> Bool {
            lengths.contains(text.unicodeScalars.count)
                && expressions.allSatisfy { (try? $0.matches(text)) ?? false }
        }
        if let format = facts.format,
            let text = FormatSamples.text(format, name: site.name, site.variation, lengths, using: &random), fits(text)
        {
            return text
        }
        let word = SampleWords.text(for: site.name, site.variation, lengths, using: &random)
        if fits(word) { return word }
        for attempt in 0..<8 {
            for expression in expressions {
                let text = expression.sample(lengths: lengths, attempt: attempt + site.variation, using: &random)
                if let text, fits(text) { return text }
            }
        }
        let pattern = facts.patterns.joined(separator: " and ")
        throw SampleFailure(
            message: facts.minimumLength == 0 && facts.maximumLength == nil
                ? "no text was found that matches \(pattern)"
                : "no text of that length was found that matches \(pattern)")
    }
}
