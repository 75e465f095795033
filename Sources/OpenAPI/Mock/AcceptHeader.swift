/// What media types a request accepts (RFC 9110, section 12.5.1).
struct AcceptHeader {
    private var ranges: [(range: MediaRange, quality: Double)] = []

    /// Reads a header; nil accepts everything.
    init(_ text: String?) {
        for part in (text ?? "*/*").split(separator: ",") {
            let range = MediaRange(String(part))
            var quality = 1.0
            for parameter in part.split(separator: ";").dropFirst() {
                let plain = parameter.filter { $0 != " " }.lowercased()
                if plain.hasPrefix("q=") { quality = Double(plain.dropFirst(2)) ?? 0 }
            }
            ranges.append((range, quality))
        }
    }

    /// How welcome a media type is: the quality of the range that fits best; 0 when it is not accepted.
    private func quality(_ type: MediaRange) -> Double {
        var best: (rank: Int, quality: Double)?
        for (range, quality) in ranges {
            guard let rank = range.specificity(for: type) else { continue }
            if rank > best?.rank ?? -1 { best = (rank, quality) }
        }
        return best?.quality ?? 0
    }

    /// The most welcome content, the first of several; nil when none is accepted.
    func choose(from content: [MediaType]) -> (media: MediaType, type: String)? {
        var best: (media: MediaType, type: String, quality: Double)?
        for media in content {
            // Of a range, what is asked for is one.
            let asked =
                media.range.isConcrete
                ? nil
                : ranges.first { $0.range.isConcrete && media.range.specificity(for: $0.range) != nil }?.range.essence
            let type = asked ?? media.range.instance
            let quality = quality(MediaRange(type))
            if quality > best?.quality ?? 0 { best = (media, type, quality) }
        }
        return best.map { ($0.media, $0.type) }
    }
}
