public import Basics
import JSON
import RunModel
import SuiteModel

/// The common structure of a step's responses with the same status: content types, header names and the body's shape.
public struct ResponseShape: Sendable, Hashable {
    /// The content type recorded for a response without `Content-Type`.
    public static let noContentType = "none"

    /// The lowercase media types without parameters; ``noContentType`` for responses without one.
    public var contentTypes: Set<String>
    /// The lowercase names of header fields, and whether every response had them.
    public var headers: [String: Bool]
    /// The shape of the JSON bodies; nil if there are none.
    public var body: Shape?

    /// Creates a shape.
    public init(contentTypes: Set<String>, headers: [String: Bool] = [:], body: Shape? = nil) {
        self.contentTypes = contentTypes
        self.headers = headers
        self.body = body
    }

    /// Returns the narrowest shape that allows everything that either shape allows.
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

    /// Returns the shape without parts that must not be stored: strings and names with secrets, and very long names.
    public func masked(with mask: SnapshotMask?) -> ResponseShape {
        var result = self
        result.body = body?.masked(with: mask)
        if let mask { result.headers = headers.filter { mask($0.key) == $0.key } }
        return result
    }
}

extension Shape {
    /// The maximum length of a member's name, in bytes. Longer names are considered data.
    private static let maximumNameLength = 256

    /// Returns the shape without strings and names that must not be stored.
    ///
    /// Recursive, but the depth of shapes is limited.
    func masked(with mask: SnapshotMask?) -> Shape {
        var result = self
        if let mask, case .values(let values) = text, values.contains(where: { mask($0) != $0 }) { result.text = .free }
        if case .of(let shape) = elements { result.elements = .of(shape.masked(with: mask)) }
        switch members {
        case .map(let shape): result.members = .map(shape.masked(with: mask))
        case .record(let record):
            let masked = record.mapValues { Member($0.shape.masked(with: mask), isRequired: $0.isRequired) }
            let isStorable = record.keys.allSatisfy { name in
                name.utf8.count <= Self.maximumNameLength && mask.map { $0(name) == name } ?? true
            }
            result.members = isStorable ? .record(masked) : .map(Members.common(of: masked))
        case nil: break
        }
        return result
    }
}

/// A difference between a response and the locked shapes of its step.
public enum ResponseDifference: Sendable, Hashable {
    /// The status is not locked.
    case status(Int, locked: [Int])
    /// The content type is not locked.
    case contentType(String, status: Int, locked: [String])
    /// A header field that every response had is missing.
    case lostHeader(String, status: Int)
    /// A header field that no response had is present.
    case newHeader(String, status: Int)
    /// The body is not JSON, although it is declared as JSON.
    case noJSON(status: Int, locked: Shape)
    /// The body has a different shape.
    case body(ShapeDifference, status: Int)

    /// Whether the difference violates the lock. Otherwise, the response only has additional parts.
    public var isBreaking: Bool {
        switch self {
        case .status, .contentType, .lostHeader, .noJSON: true
        case .newHeader: false
        case .body(let difference, _): difference.kind.isBreaking
        }
    }

    /// The subject of the finding.
    public var part: String {
        switch self {
        case .status: "status"
        case .contentType: "content type"
        case .lostHeader(let name, _), .newHeader(let name, _): "header \(name)"
        case .noJSON: "body"
        // An addition is reported once for all responses, regardless of the array element.
        case .body(let difference, _): isBreaking ? difference.locationText : difference.path.description
        }
    }

    /// A one-sentence description without a final period.
    public var message: MessageText {
        switch self {
        case .status(let status, let locked): "locked as \(Self.list(locked.map { "\($0)" })), got \(status)"
        case .contentType(let type, _, let locked):
            "locked as \(Self.list(locked.map { MessageText($0) })), got \(type)"
        case .lostHeader: "the header field is missing; every locked response had it"
        case .newHeader: "the header field is new"
        case .noJSON(_, let locked): "locked as \(locked.phrase), got a body that is not JSON"
        case .body(let difference, _): difference.message
        }
    }

    private static func list(_ items: [MessageText]) -> MessageText {
        guard let last = items.last, items.count > 1 else { return items.first ?? "nothing" }
        return "\(items.dropLast().joined(separator: ", ")) or \(last)"
    }

    /// Returns the differences between a response and the shapes of its step.
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

/// The observed structure of a step's responses, by status, without their values.
public struct ResponseObservation: Sendable {
    private struct Status: Sendable {
        var count = 0
        var contentTypes: Set<String> = []
        var headers: [String: Int] = [:]
        var body: ShapeObservation?
        /// Whether a body declared as JSON was empty or not JSON.
        var hasOtherBody = false

        /// The shape of the bodies. It allows everything if some bodies declared as JSON are not JSON.
        var bodyShape: Shape? { hasOtherBody && body != nil ? .any : body?.shape }
    }

    /// The maximum number of distinct header names for a step.
    private static let maximumHeaders = 200

    private var statuses: [Int: Status] = [:]

    /// Creates an empty observation.
    public init() {}

    /// Adds a response.
    public mutating func add(_ content: ResponseContent) {
        var status = statuses.removeValue(forKey: content.status) ?? Status()
        status.count += 1
        status.contentTypes.insert(content.shapeContentType)
        for name in content.shapeHeaderNames where status.headers.count < Self.maximumHeaders {
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

    /// Adds another observation.
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

    /// The shapes, by status.
    public var shapes: [Int: ResponseShape] {
        statuses.mapValues { status in
            ResponseShape(
                contentTypes: status.contentTypes, headers: status.headers.mapValues { $0 >= status.count },
                body: status.bodyShape)
        }
    }
}

extension ResponseContent {
    /// Header fields that are not part of an interface's contract.
    ///
    /// They concern connections, caches, tracing, and the time of the response (RFC 9110, section 7.6.1 and others).
    private static let volatileHeaders: Set<String> = [
        "age", "alt-svc", "cf-cache-status", "cf-ray", "connection", "content-encoding", "content-length",
        "content-type",
        "date", "expires", "keep-alive", "nel", "proxy-connection", "report-to", "reporting-endpoints", "server",
        "server-timing", "te", "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade", "via",
        "x-amz-cf-id", "x-amz-cf-pop", "x-amzn-trace-id", "x-cache", "x-correlation-id", "x-powered-by", "x-request-id",
        "x-response-time", "x-runtime", "x-served-by", "x-timer",
    ]

    /// The maximum length of a header name, in bytes.
    private static let maximumNameLength = 100

    /// The media type for shapes.
    var shapeContentType: String {
        let field = exchange.response?.header("content-type") ?? ""
        let type = ContentType(field).mediaType
        let isPlain = type.utf8.count <= Self.maximumNameLength && type.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return type.isEmpty || !isPlain ? ResponseShape.noContentType : type
    }

    /// The lowercase header names for shapes, without duplicates.
    var shapeHeaderNames: Set<String> {
        var names: Set<String> = []
        for field in headers where field.name.utf8.count <= Self.maximumNameLength {
            let name = field.name.lowercased()
            if !Self.volatileHeaders.contains(name) { names.insert(name) }
        }
        return names
    }

    /// The body for shapes: only if it is declared as JSON and is valid.
    var shapeBody: JSONValue? {
        guard isDeclaredJSON, !bytes.isEmpty else { return nil }
        return try? json()
    }
}
