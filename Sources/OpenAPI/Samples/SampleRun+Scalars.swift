import Basics
import JSON
import RegularExpressions

extension SampleRun {
    /// Creates a string.
    func text(_ facts: SchemaConstraints, _ site: SampleSite) throws(SampleFailure) -> String {
        let maximumLength = facts.maximumLength ?? max(facts.minimumLength, RegularExpression.maximumSampleLength)
        guard facts.minimumLength <= maximumLength else {
            throw SampleFailure(
                message: "a string must have at least \(facts.minimumLength) and at most \(maximumLength) characters")
        }
        guard facts.minimumLength <= RegularExpression.maximumSampleLength else {
            throw SampleFailure(message: "a string requires \(facts.minimumLength) characters")
        }
        let lengths = facts.minimumLength...maximumLength
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
                throw SampleFailure(message: "the pattern \(pattern) is not supported")
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
                ? "found no string that matches \(pattern)"
                : "found no string of that length that matches \(pattern)")
    }
}

extension SampleRun {
    /// Creates a number.
    func number(
        _ facts: SchemaConstraints, isInteger: Bool, _ site: SampleSite
    ) throws(SampleFailure) -> JSONNumber {
        let bounds = [facts.lower?.value, facts.upper?.value].compactMap { $0 } + facts.steps
        let scale = bounds.map(\.scale).max() ?? 0
        var random = random(site)
        for candidate in stepCandidates(facts, isInteger: isInteger, scale: scale) {
            let lowest = facts.lower.flatMap { multiple(candidate, from: $0, isLower: true) }
            let highest = facts.upper.flatMap { multiple(candidate, from: $0, isLower: false) }
            if let lowest, let highest, lowest > highest { continue }
            let drift = Int128(Int.random(in: 0..<10, using: &random)) + Int128(max(0, site.variation))
            let factor: Int128
            switch (lowest, highest) {
            case (nil, nil): factor = 1 + drift
            case (let lowest?, nil): factor = max(lowest, 0) + (lowest <= 0 ? 1 : 0) + drift
            case (nil, let highest?): factor = highest > 0 ? 1 + drift % highest : highest - drift
            case (let lowest?, let highest?):
                // Positive numbers are preferred where allowed, because a price of 0 is rarely typical.
                let start = lowest <= 0 && highest >= 1 ? 1 : lowest
                factor = start + drift % (highest - start + 1)
            }
            let (units, overflow) = factor.multipliedReportingOverflow(by: candidate.units)
            if !overflow, let number = ScaledDecimal(units: units, scale: candidate.scale).number { return number }
        }
        throw SampleFailure(message: "no number is within the bounds")
    }

    /// Returns the step sizes to try, starting with those that produce the shortest numbers.
    private func stepCandidates(_ facts: SchemaConstraints, isInteger: Bool, scale: Int) -> [ScaledDecimal] {
        if facts.steps.isEmpty {
            if isInteger { return [ScaledDecimal(units: 1)] }
            return (0...(scale + 1)).map { ScaledDecimal(units: 1, scale: $0) }
        }
        var units: Int128 = 1
        for step in facts.steps + (isInteger ? [ScaledDecimal(units: 1)] : []) {
            guard let other = step.units(at: scale), other > 0, let common = Self.leastCommonMultiple(units, other)
            else { return [] }
            units = common
        }
        // The first step is 1 at the largest scale, which divides all others.
        let smallest = ScaledDecimal(units: units, scale: scale)
        guard scale > 0, let one = ScaledDecimal(units: 1).units(at: scale),
            let whole = Self.leastCommonMultiple(units, one)
        else { return [smallest] }
        // Integers are easiest to read, where they exist.
        return [ScaledDecimal(units: whole, scale: scale), smallest]
    }

    /// Returns the multiplier of a step that is closest to a bound and within it.
    private func multiple(
        _ step: ScaledDecimal, from bound: (value: ScaledDecimal, isExclusive: Bool), isLower: Bool
    ) -> Int128? {
        let scale = max(step.scale, bound.value.scale)
        guard let unit = step.units(at: scale), unit > 0, let limit = bound.value.units(at: scale) else { return nil }
        let (quotient, remainder) = limit.quotientAndRemainder(dividingBy: unit)
        if remainder == 0 { return bound.isExclusive ? quotient + (isLower ? 1 : -1) : quotient }
        // Integer division truncates toward zero.
        if isLower { return limit > 0 ? quotient + 1 : quotient }
        return limit > 0 ? quotient : quotient - 1
    }

    private static func leastCommonMultiple(_ left: Int128, _ right: Int128) -> Int128? {
        var (first, second) = (left, right)
        while second != 0 { (first, second) = (second, first % second) }
        let (product, overflow) = (left / first).multipliedReportingOverflow(by: right)
        return overflow ? nil : product
    }
}

/// A random number generator for one path in a value. Changes elsewhere in the value do not affect it.
struct SampleRandom: RandomNumberGenerator {
    private var random: SplitMix64

    /// Creates the generator for a path.
    init(seed: UInt64, path: [String], variation: Int) {
        // FNV-1a is stable, whereas the hash values of the standard library differ between processes.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
        for token in path {
            for byte in token.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01b3
        }
        random = SplitMix64(seed: hash ^ (UInt64(truncatingIfNeeded: variation) &* SplitMix64.increment))
    }

    /// Returns the next random number.
    mutating func next() -> UInt64 { random.next() }
}
