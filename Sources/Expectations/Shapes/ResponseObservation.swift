import SuiteModel

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
