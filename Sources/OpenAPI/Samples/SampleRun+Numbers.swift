import JSON

extension SampleRun {
    /// Makes a number.
    func number(
        _ facts: SchemaFacts, isInteger: Bool, _ site: SampleSite
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
                // Above zero where that is allowed: a price of 0 is rarely a typical one.
                let start = lowest <= 0 && highest >= 1 ? 1 : lowest
                factor = start + drift % (highest - start + 1)
            }
            let (units, overflow) = factor.multipliedReportingOverflow(by: candidate.units)
            if !overflow, let number = SampleDecimal(units: units, scale: candidate.scale).number { return number }
        }
        throw SampleFailure(message: "no number is within the bounds")
    }

    /// The distances between numbers to try, those that give the shortest numbers first.
    private func stepCandidates(_ facts: SchemaFacts, isInteger: Bool, scale: Int) -> [SampleDecimal] {
        if facts.steps.isEmpty {
            if isInteger { return [SampleDecimal(units: 1)] }
            return (0...(scale + 1)).map { SampleDecimal(units: 1, scale: $0) }
        }
        var units: Int128 = 1
        for step in facts.steps + (isInteger ? [SampleDecimal(units: 1)] : []) {
            guard let other = step.units(at: scale), other > 0, let common = Self.leastCommonMultiple(units, other)
            else { return [] }
            units = common
        }
        // The first was 1 at the largest scale, which divides all.
        let smallest = SampleDecimal(units: units, scale: scale)
        guard scale > 0, let one = SampleDecimal(units: 1).units(at: scale),
            let whole = Self.leastCommonMultiple(units, one)
        else { return [smallest] }
        // Whole numbers read best, where there are some.
        return [SampleDecimal(units: whole, scale: scale), smallest]
    }

    /// The factor of a step that is the nearest to a bound and within it.
    private func multiple(
        _ step: SampleDecimal, from bound: (value: SampleDecimal, isExclusive: Bool), isLower: Bool
    ) -> Int128? {
        let scale = max(step.scale, bound.value.scale)
        guard let unit = step.units(at: scale), unit > 0, let limit = bound.value.units(at: scale) else { return nil }
        let (quotient, remainder) = limit.quotientAndRemainder(dividingBy: unit)
        if remainder == 0 { return bound.isExclusive ? quotient + (isLower ? 1 : -1) : quotient }
        // Division cuts towards zero.
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
