import JSON

/// Masks the secrets in a text that is to be stored.
public typealias SnapshotMask = @Sendable (_ text: String) -> String

extension Snapshot {
    /// The snapshot with secrets masked that were not known when it was made.
    public func masked(with mask: SnapshotMask) -> Snapshot {
        var masked = self
        masked.contentType = contentType.map(mask)
        switch content {
        case .none, .binary: break
        case .text(let text): masked.content = .text(mask(text))
        case .json(let value): masked.content = .json(Self.masked(value, mask))
        case .events(let events): masked.content = .events(events.map { Self.masked($0, mask) })
        }
        return masked
    }

    /// The depth of a value is bounded where it is parsed, and with it this recursion.
    private static func masked(_ value: JSONValue, _ mask: SnapshotMask) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .string(let text): return .string(mask(text))
        case .number(let number):
            let text = mask(number.literal)
            return text == number.literal ? value : .string(text)
        case .array(let elements): return .array(elements.map { masked($0, mask) })
        case .object(let members):
            var result = JSONObject()
            result.reserveCapacity(members.count)
            for (name, member) in members { result[mask(name)] = masked(member, mask) }
            return .object(result)
        }
    }
}
