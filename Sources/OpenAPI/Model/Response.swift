/// What an operation may give back (Response Object).
public struct Response: Sendable {
    /// The statuses that it is for.
    public enum Status: Sendable, Hashable, CustomStringConvertible {
        /// One status.
        case exact(Int)
        /// All of a class: 2 for `2XX`.
        case range(Int)
        /// All that no other response is for: `default`.
        case fallback

        /// The key of a response, or nil when it is none.
        public init?(_ text: String) {
            if text == "default" {
                self = .fallback
            } else if text.utf8.count == 3, let status = Int(text), (100...599).contains(status) {
                self = .exact(status)
            } else if text.utf8.count == 3, text.uppercased().hasSuffix("XX"), let digit = Int(text.prefix(1)),
                (1...5).contains(digit)
            {
                self = .range(digit)
            } else {
                return nil
            }
        }

        /// The key as it is written.
        public var description: String {
            switch self {
            case .exact(let status): String(status)
            case .range(let digit): "\(digit)XX"
            case .fallback: "default"
            }
        }
    }

    /// The statuses that it is for.
    public var status: Status
    /// What it means.
    public var description: String
    /// Its headers, but for `Content-Type`, which the specification ignores.
    public var headers: [Parameter]
    /// Its media types, in the order of the file.
    public var content: [MediaType]
    /// What can be done next with what it holds.
    public var links: [Link]
    /// Where it stands; where its `$ref` leads.
    public var node: DescriptionNode
    /// Where the operation names it.
    public var site: DescriptionNode
    /// Whether its `$ref` leads nowhere, so that nothing is known of it but its status.
    public var isUnknown = false

    /// The content for a media type: the most specific that matches.
    public func content(for mediaType: MediaRange) -> MediaType? { content.bestMatch(for: mediaType) }
}

extension [MediaType] {
    /// The entry that matches a media type most specifically.
    public func bestMatch(for mediaType: MediaRange) -> MediaType? {
        var best: (entry: MediaType, rank: Int)?
        for entry in self {
            guard let rank = entry.range.specificity(for: mediaType) else { continue }
            if rank > best?.rank ?? -1 { best = (entry, rank) }
        }
        return best?.entry
    }
}
