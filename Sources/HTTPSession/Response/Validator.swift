/// A check of a response that returns a description of the problem.
///
/// ```swift
/// let hasRequestID = Validator { response in
///     response.headers.contains("X-Request-ID") ? nil : "X-Request-ID is missing"
/// }
/// let response = try await session.get("books").validate(hasRequestID).response()
/// ```
public struct Validator: Sendable {
    /// A closure that returns the problem, or nil if the response is acceptable.
    public let check: @Sendable (Response) -> String?

    /// Creates a validator from a closure that returns the problem, or nil.
    public init(_ check: @escaping @Sendable (Response) -> String?) {
        self.check = check
    }

    /// Returns a validator that accepts status codes in a range.
    public static func status(_ range: Range<Int>) -> Validator {
        guard !range.isEmpty else { return status(Set<Int>()) }
        return status(range.lowerBound...(range.upperBound - 1))
    }

    /// Returns a validator that accepts status codes in a closed range, such as `200...299`.
    public static func status(_ range: ClosedRange<Int>) -> Validator {
        Validator { response in
            guard !range.contains(response.status) else { return nil }
            let reason = response.reason.isEmpty ? "" : " " + response.reason
            return "expected a status from \(range.lowerBound) to \(range.upperBound), got \(response.status)\(reason)"
        }
    }

    /// Returns a validator that accepts the status codes in a set.
    public static func status(_ statuses: Set<Int>) -> Validator {
        Validator { response in
            guard !statuses.contains(response.status) else { return nil }
            let reason = response.reason.isEmpty ? "" : " " + response.reason
            let list = statuses.sorted().map(String.init).joined(separator: ", ")
            return "expected a status of \(list), got \(response.status)\(reason)"
        }
    }

    /// Returns a validator that accepts content types matching media ranges such as `application/json`, `text/*` or
    /// `*/json`.
    ///
    /// A response without a body is always accepted. An empty array accepts no body. `*/*` accepts every body, even if
    /// its `Content-Type` is missing or malformed.
    public static func contentType(_ ranges: [String]) -> Validator {
        let ranges = ranges.compactMap { MediaRange($0) }
        return Validator { response in contentTypeFinding(response, ranges) }
    }

    /// A validator that accepts content types matching the request's `Accept` field; without the field, it accepts all.
    public static let acceptedContentType = Validator { response in
        let ranges = response.request.headers.values("Accept").flatMap { $0.split(separator: ",") }
            .compactMap { MediaRange(String($0)) }
        // RFC 9110, section 12.5.1: without the field, any media type is acceptable.
        return ranges.isEmpty ? nil : contentTypeFinding(response, ranges)
    }

    private static func contentTypeFinding(_ response: Response, _ ranges: [MediaRange]) -> String? {
        if response.body.isEmpty && response.stream == nil || ranges.contains(where: \.isAny) { return nil }
        let accepted = ranges.isEmpty ? "none" : ranges.map(\.description).joined(separator: ", ")
        guard let field = response.headers["Content-Type"] else {
            return "expected the Content-Type \(accepted), got none"
        }
        guard let type = MediaRange(field), ranges.contains(where: { $0.covers(type) }) else {
            return "expected the Content-Type \(accepted), got \(field.isEmpty ? "an empty value" : field)"
        }
        return nil
    }
}
