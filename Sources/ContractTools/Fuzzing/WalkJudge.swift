import Basics
import JSON
import OpenAPI
import RunModel

/// A judge of the responses to a sequence of requests, which knows what the requests before have created and deleted.
struct WalkJudge {
    let judge: FuzzJudge

    /// Returns the faults that the exchanges of a sequence show.
    ///
    /// - Parameter exchanges: The exchange of each test, or `nil` for a test that did not run.
    func findings(_ tests: [GeneratedTest], _ exchanges: [Exchange?]) -> [FuzzFinding] {
        var found: [FuzzFinding] = []
        /// The paths of resources that were deleted and not created again.
        var deleted: Set<String> = []
        for (position, (test, exchange)) in zip(tests, exchanges).enumerated() {
            guard let exchange else { continue }
            var own = judge.findings(test, exchange, followed: nil)
            own += use(of: deleted, test, exchange).map { [$0] } ?? []
            own += loss(at: position, tests, exchanges).map { [$0] } ?? []
            for var finding in own {
                finding.before = Array(tests[..<position])
                found.append(finding)
            }
            guard exchange.isSuccess else { continue }
            switch test.request.method {
            case "GET", "HEAD", "OPTIONS": break
            case "DELETE":
                if exchange.isComplete { deleted.insert(exchange.path) }
            default:
                // The request may have created the resource again.
                deleted = deleted.filter { path in
                    path != exchange.path && !exchange.path.hasPrefix(path + "/") && !exchange.mayMention(path)
                }
            }
        }
        return found
    }

    /// Returns the use of a deleted resource, or `nil` if the server refused it or there was none.
    private func use(of deleted: Set<String>, _ test: GeneratedTest, _ exchange: Exchange) -> FuzzFinding? {
        guard judge.checks.contains(.useAfterDelete), deleted.contains(exchange.path), exchange.isComplete,
            let status = exchange.response?.status
        else { return nil }
        let isRead = test.request.method == "GET"
        guard isRead || judge.operations[test.operation].mustRefuseDeleted && status != 201 else { return nil }
        let message: MessageText =
            isRead
            ? "the deleted resource can still be read, with status \(status)"
            : "the deleted resource can still be changed, with status \(status)"
        return FuzzFinding(check: .useAfterDelete, test: test, message: message, exchange: exchange)
    }

    /// Returns the loss of a resource that a request of the sequence has created, or `nil` if it was read, or any request
    /// in between may have removed it.
    private func loss(at position: Int, _ tests: [GeneratedTest], _ exchanges: [Exchange?]) -> FuzzFinding? {
        let test = tests[position]
        guard judge.checks.contains(.createdNotFound), test.request.method == "GET",
            let exchange = exchanges[position], let status = exchange.response?.status, status == 404 || status == 410,
            let creation = tests[..<position].lastIndex(where: {
                !test.target.isDisjoint(with: $0.identifiers.intersection($0.definitions))
            }),
            let created = exchanges[creation], created.isComplete, created.shows(exchange.path)
        else { return nil }
        for other in creation + 1..<position {
            guard let between = exchanges[other] else { return nil }
            let isHarmless =
                switch tests[other].request.method {
                case "GET", "HEAD", "OPTIONS": true
                case "PUT", "PATCH": between.path != exchange.path || between.isComplete
                case "DELETE": !(exchange.path + "/").hasPrefix(between.path + "/")
                // A server may keep a limited number of resources.
                default: false
                }
            guard isHarmless else { return nil }
        }
        return FuzzFinding(
            check: .createdNotFound, test: test, message: "the created resource cannot be read: got status \(status)",
            exchange: exchange)
    }
}

extension Exchange {
    fileprivate var isSuccess: Bool { response.map { $0.status / 100 == 2 } ?? false }

    /// The URL without the query.
    fileprivate var path: String { String(request.url.prefix { $0 != "?" }) }

    /// Returns whether the response may be about the resource with a path.
    fileprivate func mayMention(_ path: String) -> Bool {
        guard let response, let name = path.split(separator: "/").last else { return true }
        if let location = response.header("Location"), location.contains(name) { return true }
        guard let body = try? JSONParser().parse(response.body) else {
            return String(decoding: response.body, as: UTF8.self).contains(name)
        }
        return body.contains(scalar: name)
    }

    /// Returns whether the response shows the last part of a path as a value, or the request has chosen it.
    fileprivate func shows(_ path: String) -> Bool {
        guard let response, let name = path.split(separator: "/").last else { return false }
        if self.path == path { return true }
        if let location = response.header("Location"), location.split(separator: "/").last == name { return true }
        return (try? JSONParser().parse(response.body))?.contains(scalar: name) ?? false
    }
}

extension JSONValue {
    private static let maximumDepth = 16

    /// Returns whether a string or number of the value has a text.
    fileprivate func contains(scalar text: Substring, depth: Int = 0) -> Bool {
        switch self {
        case .null, .bool: false
        case .number, .string: ParameterText.scalar(self) == text
        case .array(let elements):
            depth < Self.maximumDepth && elements.contains { $0.contains(scalar: text, depth: depth + 1) }
        case .object(let object):
            depth < Self.maximumDepth && object.contains { $0.value.contains(scalar: text, depth: depth + 1) }
        }
    }
}
