import Basics

/// The media types that a request accepts (RFC 9110, section 12.5.1).
struct AcceptHeader {
    /// A candidate for the response, with its match quality.
    private struct Choice {
        var media: MediaType
        var type: String
        var quality: Double
        var rank: Int
        var isJSON: Bool

        /// Returns whether this choice is better than one that is documented earlier.
        func isBetter(than other: Choice) -> Bool {
            if quality != other.quality { return quality > other.quality }
            // A type that the client names is preferred, then JSON.
            if rank != other.rank { return rank > other.rank }
            return isJSON && !other.isJSON
        }
    }

    private var ranges: [(range: MediaRange, quality: Double)] = []

    /// Parses a header. A missing or empty header accepts everything.
    init(_ text: String?) {
        for part in Self.split(text ?? "*/*", at: ",") {
            let range = MediaRange(part)
            guard !range.type.isEmpty else { continue }
            var quality = 1.0
            for parameter in Self.split(part, at: ";").dropFirst() {
                let plain = parameter.filter { $0 != " " && $0 != "\t" }.lowercased()
                if plain.hasPrefix("q=") { quality = Double(plain.dropFirst(2)) ?? 0 }
            }
            ranges.append((range, quality))
        }
        if ranges.isEmpty { ranges = [(MediaRange("*/*"), 1)] }
    }

    /// Splits a string at separators that are not quoted.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var parts: [String] = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == separator, !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && isQuoted && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    /// Returns the quality and the rank of the best matching range, or `nil` if the type is not accepted.
    private func quality(_ type: MediaRange) -> (quality: Double, rank: Int)? {
        var best: (quality: Double, rank: Int)?
        for (range, quality) in ranges {
            guard let rank = range.specificity(ofDocumented: type) else { continue }
            if rank > best?.rank ?? -1 { best = (quality, rank) }
        }
        return best.flatMap { $0.quality > 0 ? $0 : nil }
    }

    /// Returns the best accepted content, or `nil` if none is accepted. Ties favor JSON, then the documented order.
    func choose(from content: [MediaType]) -> (media: MediaType, type: String)? {
        var best: Choice?
        for media in content {
            // For a documented range, the concrete type that the client asks for is used.
            let asked =
                media.range.isConcrete
                ? nil
                : ranges.first { $0.range.isConcrete && media.range.specificity(for: $0.range) != nil }?.range.essence
            let type = asked ?? media.range.instance
            let range = MediaRange(type)
            guard let (quality, rank) = quality(range) else { continue }
            let choice = Choice(media: media, type: type, quality: quality, rank: rank, isJSON: range.isJSON)
            if best.map({ choice.isBetter(than: $0) }) ?? true { best = choice }
        }
        return best.map { ($0.media, $0.type) }
    }
}

extension MediaRange {
    /// Returns the specificity of an accepted range for a documented type, or `nil` if it does not match.
    ///
    /// Parameters that the documented type does not have, such as `charset`, are ignored.
    fileprivate func specificity(ofDocumented type: MediaRange) -> Int? {
        let ignored = parameters.keys.filter { type.parameters[$0] == nil }
        if ignored.isEmpty { return specificity(for: type) }
        let known = parameters.filter { type.parameters[$0.key] != nil }.map { "; \($0.key)=\"\($0.value)\"" }
        return MediaRange(essence + known.joined()).specificity(for: type)
    }
}

/// The `Prefer` header (RFC 7240) of a request to a mock: `code=404`, `example=dune`.
struct MockPreference {
    /// The preferred status of the response.
    var code: Int?
    /// The name of the preferred example.
    var example: String?

    init(_ text: String) {
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let name = part[..<equals].filter { $0 != " " }.lowercased()
            let value = part[part.index(after: equals)...].filter { $0 != "\"" }
            let trimmed = String(ASCII.trimmed(value[...]))
            switch name {
            // A 1xx response is not a final response.
            case "code", "status": code = Int(trimmed).flatMap { (200...599).contains($0) ? $0 : nil } ?? code
            case "example": example = trimmed
            default: break
            }
        }
    }
}
