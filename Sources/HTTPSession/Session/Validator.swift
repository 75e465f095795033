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
        Validator { response in
            guard !range.contains(response.status) else { return nil }
            let reason = response.reason.isEmpty ? "" : " " + response.reason
            return "the status is \(response.status)\(reason), not \(range.lowerBound) to \(range.upperBound - 1)"
        }
    }
}
