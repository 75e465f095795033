import Basics

/// The media types that a request accepts (RFC 9110, section 12.5.1).
struct AcceptHeader {
    /// Content that can be sent, and how well it fits.
    private struct Choice {
        var media: MediaType
        var type: String
        var quality: Double
        var rank: Int
        var isJSON: Bool

        /// Whether it fits better than another one, which is documented before it.
        func isBetter(than other: Choice) -> Bool {
            if quality != other.quality { return quality > other.quality }
            // The type that the client names, then JSON.
            if rank != other.rank { return rank > other.rank }
            return isJSON && !other.isJSON
        }
    }

    private var ranges: [(range: MediaRange, quality: Double)] = []

    /// Parses a header; nil and an empty one accept everything.
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

    /// The parts of a text between separators that are not quoted.
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

    /// How welcome a media type is: the quality and the rank of the range that fits best; nil when it is not accepted.
    private func quality(_ type: MediaRange) -> (quality: Double, rank: Int)? {
        var best: (quality: Double, rank: Int)?
        for (range, quality) in ranges {
            guard let rank = range.specificity(ofDocumented: type) else { continue }
            if rank > best?.rank ?? -1 { best = (quality, rank) }
        }
        return best.flatMap { $0.quality > 0 ? $0 : nil }
    }

    /// The most welcome content, of equally welcome ones JSON and then the first; nil when none is accepted.
    func choose(from content: [MediaType]) -> (media: MediaType, type: String)? {
        var best: Choice?
        for media in content {
            // Of a range, what is asked for is one.
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
    /// How well an accepted range fits a documented media type, the higher the better; nil when it does not.
    ///
    /// Parameters that the documented type does not have, such as a `charset`, are ignored.
    fileprivate func specificity(ofDocumented type: MediaRange) -> Int? {
        let ignored = parameters.keys.filter { type.parameters[$0] == nil }
        if ignored.isEmpty { return specificity(for: type) }
        let known = parameters.filter { type.parameters[$0.key] != nil }.map { "; \($0.key)=\"\($0.value)\"" }
        return MediaRange(essence + known.joined()).specificity(for: type)
    }
}

/// What a request's header `Prefer` (RFC 7240) asks a mock for: `code=404`, `example=dune`.
struct MockPreference {
    /// The status that the answer should have.
    var code: Int?
    /// The name of the example that the answer should have.
    var example: String?

    init(_ text: String) {
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let name = part[..<equals].filter { $0 != " " }.lowercased()
            let value = part[part.index(after: equals)...].filter { $0 != "\"" }
            let trimmed = String(ASCII.trimmed(value[...]))
            switch name {
            // A response of 1xx is not the last one.
            case "code", "status": code = Int(trimmed).flatMap { (200...599).contains($0) ? $0 : nil } ?? code
            case "example": example = trimmed
            default: break
            }
        }
    }
}
