import JSON
import RunModel
import SuiteModel

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
    public var part: String {
        switch self {
        case .status: "status"
        case .contentType: "content type"
        case .lostHeader(let name, _), .newHeader(let name, _): "header \(name)"
        case .noJSON: "body"
        // An addition is told once for all responses, whatever their elements.
        case .body(let difference, _): isBreaking ? difference.placeText : difference.path.description
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

/// What was seen of the responses at one step, by status; none of the responses themselves.
public struct ResponseObservation: Sendable {
    private struct Status: Sendable {
        var count = 0
        var contentTypes: Set<String> = []
        var headers: [String: Int] = [:]
        var body: ShapeObservation?
        /// Whether a body was declared to be JSON and is none, or is empty.
        var hasOtherBody = false

        /// The shape of the bodies; open when some are declared to be JSON and are not.
        var bodyShape: Shape? { hasOtherBody && body != nil ? .any : body?.shape }
    }

    /// The names of header fields of a step that are told apart at most.
    private static let mostHeaders = 200

    private var statuses: [Int: Status] = [:]

    /// Creates an observation of nothing.
    public init() {}

    /// Adds a response.
    public mutating func add(_ content: ResponseContent) {
        var status = statuses.removeValue(forKey: content.status) ?? Status()
        status.count += 1
        status.contentTypes.insert(content.shapeContentType)
        for name in content.shapeHeaderNames where status.headers.count < Self.mostHeaders {
            status.headers[name, default: 0] += 1
        }
        if let value = content.shapeBody {
            if status.body == nil { status.body = ShapeObservation() }
            status.body?.add(value)
        } else if content.isDeclaredJSON {
            status.hasOtherBody = true
        }
        statuses[content.status] = status
    }

    /// Adds what another one has seen.
    public mutating func add(_ other: ResponseObservation) {
        for (code, found) in other.statuses {
            guard var status = statuses.removeValue(forKey: code) else {
                statuses[code] = found
                continue
            }
            status.count += found.count
            status.contentTypes.formUnion(found.contentTypes)
            status.headers.merge(found.headers) { $0 + $1 }
            status.hasOtherBody = status.hasOtherBody || found.hasOtherBody
            if let body = found.body {
                if status.body == nil { status.body = body } else { status.body?.add(body) }
            }
            statuses[code] = status
        }
    }

    /// The shapes by status.
    public var shapes: [Int: ResponseShape] {
        statuses.mapValues { status in
            ResponseShape(
                contentTypes: status.contentTypes, headers: status.headers.mapValues { $0 >= status.count },
                body: status.bodyShape)
        }
    }
}

extension ResponseContent {
    /// Header fields that say nothing of what an interface promises: those of a connection, of caches, of tracing, and of the
    /// moment (RFC 9110, section 7.6.1 and others).
    private static let volatileHeaders: Set<String> = [
        "age", "alt-svc", "cf-cache-status", "cf-ray", "connection", "content-encoding", "content-length",
        "content-type",
        "date", "expires", "keep-alive", "nel", "proxy-connection", "report-to", "reporting-endpoints", "server",
        "server-timing", "te", "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade", "via",
        "x-amz-cf-id", "x-amz-cf-pop", "x-amzn-trace-id", "x-cache", "x-correlation-id", "x-powered-by", "x-request-id",
        "x-response-time", "x-runtime", "x-served-by", "x-timer",
    ]

    /// The longest name of a header field that is looked at.
    private static let longestName = 100

    /// The media type as shapes have it.
    var shapeContentType: String {
        let field = exchange.response?.header("content-type") ?? ""
        let type = ContentType(field).mediaType
        let isPlain = type.utf8.count <= Self.longestName && type.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return type.isEmpty || !isPlain ? ResponseShape.noContentType : type
    }

    /// The names of the header fields that shapes have, each once, in lower case.
    var shapeHeaderNames: Set<String> {
        var names: Set<String> = []
        for field in headers where field.name.utf8.count <= Self.longestName {
            let name = field.name.lowercased()
            if !Self.volatileHeaders.contains(name) { names.insert(name) }
        }
        return names
    }

    /// The body that has a shape: one that is declared to be JSON, and is.
    var shapeBody: JSONValue? {
        guard isDeclaredJSON, !bytes.isEmpty else { return nil }
        return try? json()
    }
}
