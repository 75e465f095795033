/// Checks a response, and says in words what is wrong with it.
public struct Validator: Sendable {
    /// The finding, or nil if the response is acceptable.
    public let check: @Sendable (Response) -> String?

    /// Creates a validator of a function that gives the finding, or nil.
    public init(_ check: @escaping @Sendable (Response) -> String?) {
        self.check = check
    }

    /// Accepts statuses in a range.
    public static func status(_ range: Range<Int>) -> Validator {
        guard !range.isEmpty else { return status(Set<Int>()) }
        return status(range.lowerBound...(range.upperBound - 1))
    }

    /// Accepts statuses in a range that includes its end, such as `200...299`.
    public static func status(_ range: ClosedRange<Int>) -> Validator {
        Validator { response in
            guard !range.contains(response.status) else { return nil }
            let reason = response.reason.isEmpty ? "" : " " + response.reason
            return "the status is \(response.status)\(reason), not \(range.lowerBound) to \(range.upperBound)"
        }
    }

    /// Accepts statuses of a set.
    public static func status(_ statuses: Set<Int>) -> Validator {
        Validator { response in
            guard !statuses.contains(response.status) else { return nil }
            let reason = response.reason.isEmpty ? "" : " " + response.reason
            let list = statuses.sorted().map(String.init).joined(separator: ", ")
            return "the status is \(response.status)\(reason), not one of \(list)"
        }
    }

    /// Accepts media types that a list of media ranges covers, such as `application/json`, `text/*` or `*/json`.
    ///
    /// A response without a body is always accepted. An empty list accepts no body, and `*/*` accepts every one, even
    /// with a `Content-Type` that is missing or malformed.
    public static func contentType(_ ranges: [String]) -> Validator {
        let ranges = ranges.compactMap { MediaRange($0) }
        return Validator { response in contentTypeFinding(response, ranges) }
    }

    /// Accepts media types that the request's `Accept` field covers; without one, all.
    public static let acceptedContentType = Validator { response in
        let ranges = response.request.headers.values("Accept").flatMap { $0.split(separator: ",") }
            .compactMap { MediaRange(String($0)) }
        // RFC 9110 section 12.5.1: without the field, any media type is acceptable.
        return ranges.isEmpty ? nil : contentTypeFinding(response, ranges)
    }

    private static func contentTypeFinding(_ response: Response, _ ranges: [MediaRange]) -> String? {
        if response.body.isEmpty && response.stream == nil || ranges.contains(where: \.isAny) { return nil }
        let accepted = ranges.isEmpty ? "none" : ranges.map(\.description).joined(separator: ", ")
        guard let field = response.headers["Content-Type"] else {
            return "the response has no Content-Type; accepted are \(accepted)"
        }
        guard let type = MediaRange(field), ranges.contains(where: { $0.covers(type) }) else {
            return "the Content-Type is \(field.isEmpty ? "empty" : field); accepted are \(accepted)"
        }
        return nil
    }
}
