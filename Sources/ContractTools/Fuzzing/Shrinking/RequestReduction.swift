import JSON

/// A search for the smallest request that is enough for a purpose.
///
/// The result is a local minimum: no entry can be left out, no string can be shorter, and no number closer to zero.
struct RequestReduction {
    /// The number of requests to attempt at first, because that is often enough, and the maximum number at a time.
    private static let (firstBatch, maximumBatch) = (1, 16)
    /// The factor by which the number of requests grows when none is enough.
    private static let growth = 4
    /// The number of characters up to which each one is replaced by a simpler one.
    private static let maximumReplacements = 64
    private static let maximumExponent: Int128 = 308

    /// The smallest request so far.
    private(set) var request: RequestParts
    /// The choices of the smallest request.
    private(set) var choices: ChoiceSequence
    /// The values that have become simpler, by the names and indices that lead to them.
    private(set) var simpler: [String: ScalarChoice] = [:]
    private let limits: Limits
    /// Returns the index of the first of some requests that is enough, or `nil` if none is.
    private let attempt: ([RequestParts]) async -> Int?
    private var attempted: Set<SuiteNode> = []

    /// The parts of a request that remain as they are.
    struct Limits {
        /// Whether header fields and cookies are part of what the request shows.
        var keepsHeaders = false
        /// The names of the parameters in the path, by the index of the segment that each one fills.
        var segments: [Int: String] = [:]
        /// The member of the body whose value differs in each request.
        var freshMember: String?
        /// Returns a function for a request. It returns the values to which the description restricts the one at a
        /// place, if it does.
        var allowed: (RequestParts) -> (RequestPlace) -> [JSONValue]? = { _ in { _ in nil } }
    }

    init(_ request: RequestParts, _ limits: Limits, attempt: @escaping ([RequestParts]) async -> Int?) {
        self.request = request
        self.limits = limits
        self.attempt = attempt
        choices = ChoiceSequence(request, allowed: limits.allowed(request))
    }

    private func choices(of request: RequestParts) -> ChoiceSequence {
        ChoiceSequence(request, allowed: limits.allowed(request))
    }

    /// Makes the request smaller until nothing can be left out or simplified.
    mutating func reduce() async {
        var previous = choices
        repeat {
            previous = choices
            for part in RequestPart.allCases where part != .path { await shorten(RequestPlace(part: part)) }
            for place in scalars() { await simplify(place) }
        } while choices < previous
    }

    // MARK: Attempts

    /// Replaces the request by the first of some others that is smaller and enough.
    ///
    /// - Parameter size: The number of requests to attempt at first.
    /// - Returns: The index of the request, or `nil` if there is none.
    private mutating func take(_ candidates: [RequestParts], first size: Int = firstBatch) async -> Int? {
        var first = 0
        var size = size
        var pending: [(index: Int, request: RequestParts, choices: ChoiceSequence)] = []
        while first < candidates.count {
            pending = []
            while first < candidates.count, pending.count < size {
                let candidate = candidates[first]
                if attempted.insert(candidate.node).inserted {
                    let choices = choices(of: candidate)
                    if choices < self.choices { pending.append((first, candidate, choices)) }
                }
                first += 1
            }
            guard !pending.isEmpty else { continue }
            if let found = await attempt(pending.map(\.request)) {
                (request, choices) = (pending[found].request, pending[found].choices)
                return pending[found].index
            }
            size = min(size * Self.growth, Self.maximumBatch)
        }
        return nil
    }

    // MARK: Entries

    /// Leaves out entries at a place and inside of it.
    private mutating func shorten(_ place: RequestPlace) async {
        guard let node = request.node(at: place) else { return }
        if canLoseEntries(place) {
            _ = await shortest(node.children.count) { [request] kept in
                request.replacing(place, with: node.keeping(kept))
            }
        }
        guard canChange(place) else { return }
        for index in (request.node(at: place)?.children ?? []).indices { await shorten(place.inside(index)) }
    }

    /// Leaves out elements of a sequence: all, then halves of it, and smaller and smaller parts.
    ///
    /// - Parameters:
    ///   - minimum: The number of elements that must remain.
    ///   - isUniform: Whether all elements are equal.
    ///   - make: Returns the request with the elements at some indices.
    private mutating func shortest(
        _ count: Int, minimum: Int = 0, isUniform: Bool = false, _ make: ([Int]) -> RequestParts
    ) async -> [Int] {
        var kept = Array(0..<count)
        var size = count
        while size > 0 {
            let starts = isUniform ? [0] : Array(stride(from: 0, to: kept.count, by: size))
            let candidates = starts.filter { $0 < kept.count }.map { start in
                Array(kept[..<start] + kept[min(kept.count, start + size)...])
            }.filter { $0.count >= minimum }
            if let index = await take(candidates.map(make)) {
                kept = candidates[index]
            } else {
                size /= 2
            }
        }
        return kept
    }

    // MARK: Values

    /// The places of the values that can become simpler.
    private func scalars() -> [RequestPlace] {
        var places: [RequestPlace] = []
        func visit(_ node: SuiteNode, _ place: RequestPlace) {
            guard canChange(place) else { return }
            if ScalarChoice(node, place.part) != nil { places.append(place) }
            for (index, child) in node.children.enumerated() { visit(child, place.inside(index)) }
        }
        for part in RequestPart.allCases { visit(request[part], RequestPlace(part: part)) }
        return places
    }

    private mutating func simplify(_ place: RequestPlace) async {
        guard let scalar = value(at: place) else { return }
        if let allowed = limits.allowed(request)(place), let position = allowed.firstIndex(of: scalar.json) {
            let values = allowed[..<position].compactMap { ScalarChoice(SuiteNode($0), .body) }
            _ = await take(values, at: place)
            return
        }
        switch scalar {
        case .flag(true): _ = await take(.flag(false), at: place)
        case .flag(false): break
        case .number(let number): await simplify(number, at: place)
        case .text(let text): await simplify(text, at: place)
        }
    }

    private func value(at place: RequestPlace) -> ScalarChoice? {
        request.node(at: place).flatMap { ScalarChoice($0, place.part) }
    }

    private mutating func take(_ values: ScalarChoice..., at place: RequestPlace) async -> Int? {
        await take(values, at: place)
    }

    private mutating func take(
        _ values: [ScalarChoice], at place: RequestPlace, first size: Int = firstBatch
    ) async -> Int? {
        let found = await take(values.map { request.replacing(place, with: $0.node(place.part)) }, first: size)
        if found != nil { note(place) }
        return found
    }

    /// Records that the value at a place has become simpler.
    private mutating func note(_ place: RequestPlace) {
        let name =
            place.part == .path
            ? place.path.first.flatMap { limits.segments[$0] } ?? ""
            : request[place.part].names(place.path).joined(separator: ".")
        simpler[name] = value(at: place)
    }

    // MARK: Numbers

    private mutating func simplify(_ number: JSONNumber, at place: RequestPlace) async {
        if await take(.number(0), .number(1), .number(-1), at: place) != nil { return }
        // The form of the number may be what matters, so it is kept at first.
        if ScaledDecimal(number) == nil || number.literal.lowercased().contains("e") {
            await lower(from: 0, to: Self.maximumExponent, at: place) { exponent in
                JSONNumber(literal: "\(number.isNegative ? "-" : "")1e\(exponent)")
            }
        }
        guard case .number(let exact)? = value(at: place), let decimal = ScaledDecimal(exact) else { return }
        await shortenFraction(decimal, at: place)
        guard case .number(let rest)? = value(at: place), let rest = ScaledDecimal(rest) else { return }
        let sign: Int128 = rest.units < 0 ? -1 : 1
        await lower(from: 0, to: sign * rest.units, at: place) { magnitude in
            ScaledDecimal(units: sign * magnitude, scale: rest.scale).number
        }
    }

    /// Replaces a number by one with fewer decimals.
    private mutating func shortenFraction(_ decimal: ScaledDecimal, at place: RequestPlace) async {
        var candidates: [ScalarChoice] = []
        for scale in 0..<decimal.scale {
            let divisor = (scale..<decimal.scale).reduce(1 as Int128) { product, _ in product * 10 }
            let units = decimal.units / divisor
            for rounded in [units, units + decimal.units.signum()] {
                if let number = ScaledDecimal(units: rounded, scale: scale).number {
                    candidates.append(.number(number))
                }
            }
        }
        _ = await take(candidates, at: place)
    }

    /// Lowers an integer to the smallest one that is enough, provided that all larger ones are.
    private mutating func lower(
        from low: Int128, to high: Int128, at place: RequestPlace, _ make: (Int128) -> JSONNumber?
    ) async {
        var (low, high) = (low, high)
        var isFirst = true
        while high - low > 1 {
            var points = Self.points(between: low, and: high)
            // If the next one is not enough, none is likely to be.
            if isFirst, points.last != high - 1 { points.append(high - 1) }
            let numbers = points.map { make($0) }
            guard !numbers.contains(where: { $0 == nil }) else { return }
            if let index = await take(numbers.compactMap { $0.map { .number($0) } }, at: place) {
                if index > 0 { low = points[index - 1] }
                high = points[index]
            } else {
                guard !isFirst, let last = points.last, last > low else { return }
                low = last
            }
            isFirst = false
        }
    }

    /// Returns some integers between two others, in order. Those of a large range are denser near its lower end.
    private static func points(between low: Int128, and high: Int128) -> [Int128] {
        let distance = high - low
        let count: Int128 = 7
        if distance <= count + 1 { return Array(low + 1..<high) }
        if distance <= 16 * max(1, low) { return (1...count).map { low + distance * $0 / (count + 1) } }
        let bits = Int128(Int128.bitWidth - distance.leadingZeroBitCount)
        let steps = (1...count).map { low + (1 as Int128) << (bits * $0 / (count + 1)) }
        return Array(Set(steps.filter { $0 > low && $0 < high })).sorted()
    }

    // MARK: Strings

    private mutating func simplify(_ text: String, at place: RequestPlace) async {
        let shortest = ScalarChoice.simplest.map { ScalarChoice.text(String($0)) }
        if await take((hasEmptyValues(place) ? [.text("")] : []) + shortest, at: place) != nil { return }
        let count = text.unicodeScalars.count
        _ = await take(
            ScalarChoice.simplest.map { .text(String(repeating: String($0), count: count)) }, at: place)
        guard case .text(let same)? = value(at: place) else { return }
        let scalars = Array(same.unicodeScalars)
        let base = request
        let kept = await self.shortest(
            scalars.count, minimum: hasEmptyValues(place) ? 0 : 1, isUniform: Set(scalars).count <= 1
        ) { kept in
            let text = String(String.UnicodeScalarView(kept.map { scalars[$0] }))
            return base.replacing(place, with: ScalarChoice.text(text).node(place.part))
        }
        if kept.count < scalars.count { note(place) }
        var left = kept.map { scalars[$0] }
        guard left.count <= Self.maximumReplacements else { return }
        // Most replacements either succeed together, above, or fail. But after one that succeeds, the next one often does.
        var size = Self.maximumBatch
        var places = left.indices.filter { !ScalarChoice.simplest.contains(left[$0]) }
        while !places.isEmpty {
            let next = places.prefix(Self.maximumBatch / ScalarChoice.simplest.count)
            let alternatives = next.flatMap { index in
                ScalarChoice.simplest.map { simple in
                    var changed = left
                    changed[index] = simple
                    return (index: index, scalars: changed)
                }
            }
            let values = alternatives.map { ScalarChoice.text(String(String.UnicodeScalarView($0.scalars))) }
            if let found = await take(values, at: place, first: size) {
                left = alternatives[found].scalars
                places.removeAll { $0 <= alternatives[found].index }
                size = Self.firstBatch
            } else {
                places.removeFirst(next.count)
                size = Self.maximumBatch
            }
        }
    }

    /// Returns whether an empty string differs from a missing value.
    private func hasEmptyValues(_ place: RequestPlace) -> Bool {
        place.part == .body && request.body?.key == "json"
    }

    // MARK: Limits

    /// The header fields that are not data.
    private static let protocolFields: Set = ["accept", "content-type", "authorization"]

    private func canLoseEntries(_ place: RequestPlace) -> Bool {
        switch place.part {
        case .path: false
        case .pairs, .query: true
        case .headers, .cookies: !limits.keepsHeaders
        case .body:
            switch request.body?.key {
            case "json", "form": true
            // The entries inside of a part are its properties.
            case "multipart": place.path.isEmpty
            default: false
            }
        }
    }

    private func canChange(_ place: RequestPlace) -> Bool {
        switch place.part {
        case .path: return place.path.first.map { limits.segments[$0] != nil } ?? true
        case .pairs: return place.path.isEmpty
        case .query: return true
        case .headers, .cookies:
            guard let index = place.path.first else { return !limits.keepsHeaders }
            let fields = place.part == .headers ? request.headers : request.cookies
            return fields.indices.contains(index) && !Self.protocolFields.contains(fields[index].0.lowercased())
        case .body:
            guard let body = request.body, ["json", "form", "multipart", "text"].contains(body.key) else {
                return false
            }
            if body.key == "multipart", place.path.count > 1 { return false }
            guard let member = limits.freshMember, place.path.count == 1, case .members(let map) = body.node else {
                return true
            }
            return map.entries[place.path[0]].0 != member
        }
    }
}
