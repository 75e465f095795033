import CEL
import Diagnostics
import HTTPTypes
import JSON
import NIOCore
import OpenAPI
import SuiteModel

/// A responder that uses the first matching route or a collection, or explains why none matches the request.
struct MockResponder: Responder {
    private let definition: MockDefinition
    private let context: CELContext
    private let table: RouteTable
    private let collections: [[String]: CollectionHandler]
    private let lines: [ServedLine]

    /// Compiles a definition. Collections start with their seed items.
    init(_ definition: MockDefinition, options: MockServerOptions) {
        self.definition = definition
        context = options.context
        table = RouteTable(definition)
        var collections: [[String]: CollectionHandler] = [:]
        var lines = definition.routes.map { ServedLine(method: $0.method, path: $0.path) }
        for collection in definition.collections {
            let handler = CollectionHandler(
                definition: collection, store: CollectionStore(collection, random: options.context.random))
            guard let path = try? MockPath(collection.path), let segments = path.literalSegments else { continue }
            collections[segments] = handler
            lines += ["GET", "POST"].map { ServedLine(method: $0, path: path) }
            if let item = try? MockPath("\(collection.path)/{\(collection.key)}") {
                lines += ["GET", "PUT", "PATCH", "DELETE"].map { ServedLine(method: $0, path: item) }
            }
        }
        self.collections = collections
        self.lines = lines
    }

    /// Returns the response to a request.
    func answer(_ request: MockRequest) -> MockAnswer {
        if let contract = definition.contract { return MockResponder.answer(request, contract) }
        var found: MockAnswer?
        var unmet: (route: CompiledRoute, reason: String)?
        var methods: [String] = []
        table.forEachCandidate(request.segments) { candidate in
            guard candidate.route.takes(method: request.method) else {
                methods.append(contentsOf: MockResponder.methods(of: candidate.route))
                return false
            }
            let scope = RequestScope(request, parameters: candidate.parameters)
            let checker = ConditionChecker(request: request, scope: scope, context: context)
            if let reason = checker.unmetCondition(of: candidate.route.route.conditions) {
                if unmet == nil { unmet = (candidate.route, reason) }
                return false
            }
            found = answer(of: candidate.route, to: request, in: scope)
            return true
        }
        if let found { return found }
        if let (handler, subject) = collection(for: request.segments) {
            if let reply = handler.answer(request, subject) {
                let route = "collection \(handler.definition.name)"
                do {
                    let scope = RequestScope(request, parameters: [])
                    return MockAnswer(
                        reply: withDefaults(reply, request),
                        delay: try definition.defaults.delay.value(in: scope, context: context), route: route)
                } catch {
                    return failure(error, of: route, request)
                }
            }
            methods.append(contentsOf: CollectionHandler.allowed(subject))
        }
        return MockAnswer(reply: withDefaults(unmatched(request, unmet: unmet, methods: methods), request))
    }

    /// Returns the response of an OpenAPI description's mock.
    private static func answer(_ request: MockRequest, _ contract: ContractMock) -> MockAnswer {
        let answer = contract.answer(
            method: request.method, target: request.target,
            headers: request.fields.map { ($0.name.rawName, $0.value) }, body: Array(buffer: request.body))
        var reply = Reply(answer.status)
        for header in answer.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            reply.fields.append(HTTPField(name: name, value: header.value))
        }
        reply.body = ByteBuffer(bytes: answer.body)
        return MockAnswer(reply: reply, route: answer.operation)
    }

    private func answer(of route: CompiledRoute, to request: MockRequest, in scope: RequestScope) -> MockAnswer? {
        guard let response = route.nextResponse() else { return nil }
        do {
            return MockAnswer(
                reply: try response.reply(in: scope, context: context),
                delay: try response.delay.value(in: scope, context: context), drop: response.response.drop,
                route: route.name)
        } catch {
            var answer = failure(error, of: route.name, request)
            answer.delay = response.delay.known ?? 0
            return answer
        }
    }

    /// Returns the response to a request for which an expression of the mock file fails.
    private func failure(_ error: TemplateError, of route: String, _ request: MockRequest) -> MockAnswer {
        let reply = Reply.problem(
            500, "the response of \(route) cannot be created: \(error.message)",
            members: [("expression", .string(error.expression)), ("place", .string(error.range.description))])
        return MockAnswer(reply: withDefaults(reply, request), route: route)
    }

    /// Returns the collection at a path, or the collection that contains the item at the path.
    private func collection(for segments: [String]) -> (CollectionHandler, CollectionHandler.Subject)? {
        if let handler = collections[segments] { return (handler, .collection) }
        guard let last = segments.last, !last.isEmpty, let handler = collections[Array(segments.dropLast())] else {
            return nil
        }
        return (handler, .item(last))
    }

    private func withDefaults(_ reply: Reply, _ request: MockRequest) -> Reply {
        var reply = reply
        for header in definition.defaults.headers {
            guard let name = HTTPField.Name(header.name), reply.fields[name] == nil else { continue }
            for value in header.values {
                // A default that cannot be rendered is already reported by the responses of the routes.
                guard let text = try? value.text(in: RequestScope(request, parameters: []), context: context) else {
                    continue
                }
                reply.fields.append(HTTPField(name: name, value: text))
            }
        }
        return reply
    }

    private func unmatched(
        _ request: MockRequest, unmet: (route: CompiledRoute, reason: String)?, methods: [String]
    ) -> Reply {
        if let unmet {
            return .problem(
                404, "\(unmet.route.name) matches this path, but its conditions are not met: \(unmet.reason)",
                members: [("nearest", .string(unmet.route.name))])
        }
        if !methods.isEmpty {
            let allowed = MockResponder.allow(methods)
            var reply: Reply
            if request.method == "OPTIONS" {
                reply = Reply(204)
            } else {
                reply = .problem(
                    405, "\(request.path) does not support \(request.method); supported methods: \(allowed)")
            }
            reply.fields[.allow] = allowed
            return reply
        }
        guard let nearest = NearestRoute.find(request, among: lines) else {
            return .problem(404, "no route matches \(request.method) \(request.path): the mock has no routes")
        }
        return .problem(
            404, "no route matches \(request.method) \(request.path); the closest match is \(nearest)",
            members: [("nearest", .string(nearest))])
    }

    private static func methods(of route: CompiledRoute) -> [String] {
        switch route.route.method {
        case "GET"?: ["GET", "HEAD", "OPTIONS"]
        case let method?: [method, "OPTIONS"]
        case nil: []
        }
    }

    /// Returns methods in the form of an `Allow` header: without duplicates, `OPTIONS` last.
    private static func allow(_ methods: [String]) -> String {
        var result: [String] = []
        for method in methods where method != "OPTIONS" && !result.contains(method) { result.append(method) }
        return (result + ["OPTIONS"]).joined(separator: ", ")
    }
}
