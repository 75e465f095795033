/// What is the same of all responses of one status at one step: content types, names of header fields, the body's shape.
public struct ResponseShape: Sendable, Hashable {
    /// What is written for a response without `Content-Type`.
    public static let noContentType = "none"

    /// The media types, in lower case and without parameters; ``noContentType`` for responses without one.
    public var contentTypes: Set<String>
    /// The names of header fields, in lower case, and whether every response had them.
    public var headers: [String: Bool]
    /// The shape of the bodies that are JSON; nil when none is.
    public var body: Shape?

    /// Creates a shape.
    public init(contentTypes: Set<String>, headers: [String: Bool] = [:], body: Shape? = nil) {
        self.contentTypes = contentTypes
        self.headers = headers
        self.body = body
    }

    /// The narrowest shape that allows what either allows.
    public func merged(with other: ResponseShape) -> ResponseShape {
        var result = self
        result.contentTypes.formUnion(other.contentTypes)
        for (name, isRequired) in headers where isRequired && other.headers[name] != true {
            result.headers[name] = false
        }
        for (name, _) in other.headers where headers[name] == nil { result.headers[name] = false }
        if let body = other.body { result.body = self.body?.merged(with: body) ?? body }
        return result
    }

    /// The shape without what must not be stored: texts that a mask changes, and names too long for a key.
    public func masked(with mask: SnapshotMask?) -> ResponseShape {
        var result = self
        result.body = body?.masked(with: mask)
        if let mask { result.headers = headers.filter { mask($0.key) == $0.key } }
        return result
    }
}

extension Shape {
    /// The most bytes of a member's name; longer ones are data.
    private static let longestName = 256

    /// The depth of shapes is bounded, and with it this recursion.
    func masked(with mask: SnapshotMask?) -> Shape {
        var result = self
        if let mask, case .values(let values) = text, values.contains(where: { mask($0) != $0 }) { result.text = .free }
        if case .of(let shape) = elements { result.elements = .of(shape.masked(with: mask)) }
        switch members {
        case .map(let shape): result.members = .map(shape.masked(with: mask))
        case .record(let record):
            let masked = record.mapValues { Member($0.shape.masked(with: mask), isRequired: $0.isRequired) }
            let isStorable = record.keys.allSatisfy { name in
                name.utf8.count <= Self.longestName && mask.map { $0(name) == name } ?? true
            }
            result.members = isStorable ? .record(masked) : .map(Members.common(of: masked))
        case nil: break
        }
        return result
    }
}
