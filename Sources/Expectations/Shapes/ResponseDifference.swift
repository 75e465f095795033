/// How a response differs from what is locked for its step.
public enum ResponseDifference: Sendable, Hashable {
    /// The status is none of those that are locked.
    case status(Int, locked: [Int])
    /// The content type is none of those that are locked.
    case contentType(String, status: Int, locked: [String])
    /// A header field that every response had is gone.
    case lostHeader(String, status: Int)
    /// There is a header field that no response had.
    case newHeader(String, status: Int)
    /// The body is no JSON, although it is declared to be.
    case noJSON(status: Int, locked: Shape)
    /// The body differs.
    case body(ShapeDifference, status: Int)

    /// Whether the response is not allowed; otherwise it has more than what is locked.
    public var isBreaking: Bool {
        switch self {
        case .status, .contentType, .lostHeader, .noJSON: true
        case .newHeader: false
        case .body(let difference, _): difference.kind.isBreaking
        }
    }

    /// What is different, as reports call it.
    public var subject: String {
        switch self {
        case .status: "lock status"
        case .contentType: "lock content type"
        case .lostHeader(let name, _), .newHeader(let name, _): "lock header \(name)"
        case .noJSON: "lock body"
        // An addition is told once for all responses, whatever their elements.
        case .body(let difference, _): "lock \(isBreaking ? difference.placeText : difference.path.description)"
        }
    }

    /// One sentence without a final full stop.
    public var message: String {
        switch self {
        case .status(let status, let locked): "locked as \(Self.list(locked.map { String($0) })), got \(status)"
        case .contentType(let type, _, let locked): "locked as \(Self.list(locked)), got \(type)"
        case .lostHeader: "the header field is gone, which every response had"
        case .newHeader: "the header field is new"
        case .noJSON(_, let locked): "locked as \(locked.phrase), got no JSON"
        case .body(let difference, _): difference.message
        }
    }

    private static func list(_ items: [String]) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "nothing" }
        return items.dropLast().joined(separator: ", ") + " or " + last
    }

    /// Holds a response against the shapes of its step.
    public static func differences(
        of content: ResponseContent, from shapes: [Int: ResponseShape]
    ) -> [ResponseDifference] {
        let status = content.status
        guard let shape = shapes[status] else { return [.status(status, locked: shapes.keys.sorted())] }
        var differences: [ResponseDifference] = []
        let type = content.shapeContentType
        if !shape.contentTypes.contains(type) {
            differences.append(.contentType(type, status: status, locked: shape.contentTypes.sorted()))
        }
        let names = content.shapeHeaderNames
        for (name, isRequired) in shape.headers.sorted(by: { Shape.precedes($0.key, $1.key) })
        where isRequired && !names.contains(name) {
            differences.append(.lostHeader(name, status: status))
        }
        for name in names.sorted() where shape.headers[name] == nil {
            differences.append(.newHeader(name, status: status))
        }
        if let body = shape.body, !body.isAny {
            if let value = content.shapeBody {
                differences += body.differences(of: value).map { .body($0, status: status) }
            } else if content.isDeclaredJSON {
                differences.append(.noJSON(status: status, locked: body))
            }
        }
        return differences
    }
}
