import Basics
import HTTPTypes
import JSON
import NIOCore
import SuiteModel

/// The handler that serves a collection over HTTP.
struct CollectionHandler: Sendable {
    /// The target of a request.
    enum Subject {
        /// The collection.
        case collection
        /// The item with an identifier.
        case item(String)
    }

    let definition: MockCollection
    let store: CollectionStore

    /// Returns the methods that the subject supports, in the order of an `Allow` header.
    static func allowed(_ subject: Subject) -> [String] {
        switch subject {
        case .collection: ["GET", "HEAD", "POST", "OPTIONS"]
        case .item: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]
        }
    }

    /// Returns the response to a request, or `nil` if the subject does not support the method.
    func answer(_ request: MockRequest, _ subject: Subject) -> Reply? {
        switch (subject, request.method) {
        case (.collection, "GET"), (.collection, "HEAD"): return list(request)
        case (.collection, "POST"): return reply { () throws(Refusal) in try create(request) }
        case (.item(let identifier), "GET"), (.item(let identifier), "HEAD"): return read(request, identifier)
        case (.item(let identifier), "PUT"):
            return reply { () throws(Refusal) in try replace(request, identifier) }
        case (.item(let identifier), "PATCH"):
            return reply { () throws(Refusal) in try update(request, identifier) }
        case (.item(let identifier), "DELETE"):
            return reply { () throws(Refusal) in try delete(request, identifier) }
        default: return nil
        }
    }

    // MARK: - Reads

    private func list(_ request: MockRequest) -> Reply {
        var limit = Int.max
        var offset = 0
        var filters: [CollectionFilter] = []
        var names: Set<String> = []
        for (name, value) in request.query.parameters where names.insert(name).inserted {
            switch name {
            case "limit", "offset":
                guard let number = Int(value), number >= 0 else {
                    return .problem(
                        400, "the query parameter \"\(name)\" must be a non-negative integer, got \"\(value)\"")
                }
                if name == "limit" { limit = number } else { offset = number }
            default:
                filters.append(CollectionFilter(name: name, texts: request.query.values(of: name)))
            }
        }
        let items = store.all().filter { item in filters.allSatisfy { $0.holds(for: item.value) } }
        var body = ByteBuffer()
        body.writeInteger(UInt8(ascii: "["))
        for (index, item) in items.dropFirst(offset).prefix(limit).enumerated() {
            if index > 0 { body.writeInteger(UInt8(ascii: ",")) }
            body.writeBytes(item.bytes)
        }
        body.writeInteger(UInt8(ascii: "]"))
        var reply = Reply(200, contentType: "application/json", body: body)
        reply.fields[CollectionHandler.totalCount] = String(items.count)
        return reply
    }

    private func read(_ request: MockRequest, _ identifier: String) -> Reply {
        guard let item = store.item(identifier) else { return missing(identifier) }
        if let tags = request.fields[.ifNoneMatch], CollectionHandler.contains(tags, item.tag) {
            var reply = Reply(304)
            reply.fields[.eTag] = item.tag
            return reply
        }
        return reply(200, item)
    }

    // MARK: - Changes

    private func create(_ request: MockRequest) throws(Refusal) -> Reply {
        let value = try object(of: request, mediaTypes: "application/json", header: .accept)
        let item = try perform { () throws(CollectionError) in try store.create(value) }
        return created(item)
    }

    private func replace(_ request: MockRequest, _ identifier: String) throws(Refusal) -> Reply {
        let value = try object(of: request, mediaTypes: "application/json", header: .accept)
        let result = try perform { () throws(CollectionError) in
            try store.change(
                identifier, precondition: CollectionHandler.precondition(request),
                createsMissing: definition.identifier == .string
            ) { _ in value }
        }
        return result.isNew ? created(result.item) : reply(200, result.item)
    }

    private func update(_ request: MockRequest, _ identifier: String) throws(Refusal) -> Reply {
        let patch = try object(
            of: request, mediaTypes: "application/merge-patch+json, application/json",
            header: CollectionHandler.acceptPatch)
        let result = try perform { () throws(CollectionError) in
            try store.change(
                identifier, precondition: CollectionHandler.precondition(request), createsMissing: false
            ) { old in
                JSONValue.object(old ?? JSONObject()).mergePatched(with: .object(patch)).objectValue ?? JSONObject()
            }
        }
        return reply(200, result.item)
    }

    private func delete(_ request: MockRequest, _ identifier: String) throws(Refusal) -> Reply {
        try perform { () throws(CollectionError) in
            try store.delete(identifier, precondition: CollectionHandler.precondition(request))
        }
        return Reply(204)
    }

    // MARK: - Responses

    /// A response that stops the handling of a request.
    private struct Refusal: Error {
        var reply: Reply
    }

    private func reply(_ body: () throws(Refusal) -> Reply) -> Reply {
        do {
            return try body()
        } catch {
            return error.reply
        }
    }

    private func reply(_ status: Int, _ item: CollectionItem) -> Reply {
        var reply = Reply(status, contentType: "application/json", body: ByteBuffer(bytes: item.bytes))
        reply.fields[.eTag] = item.tag
        return reply
    }

    private func created(_ item: CollectionItem) -> Reply {
        var reply = reply(201, item)
        reply.fields[.location] = "\(definition.path)/\(PercentEncoding.encode(item.identifier))"
        return reply
    }

    private func missing(_ identifier: String) -> Reply {
        .problem(404, "the collection \"\(definition.name)\" has no item with \(definition.key) \"\(identifier)\"")
    }

    private func perform<Value>(_ change: () throws(CollectionError) -> Value) throws(Refusal) -> Value {
        do {
            return try change()
        } catch {
            let key = definition.key
            switch error {
            case .notFound:
                throw Refusal(
                    reply: .problem(404, "the collection \"\(definition.name)\" has no such item"))
            case .identifierTaken(let identifier):
                throw Refusal(reply: .problem(409, "an item with \(key) \"\(identifier)\" already exists"))
            case .badIdentifier(let text):
                throw Refusal(
                    reply: .problem(
                        400, "the property \"\(key)\" must be \(definition.identifier.phrase), got \(text)"))
            case .identifierDiffers(let text):
                throw Refusal(
                    reply: .problem(
                        409, "the \"\(key)\" in the body is \(text), which does not match the item in the URL"))
            case .preconditionFailed:
                throw Refusal(reply: .problem(412, "the item's ETag does not match the request's precondition"))
            }
        }
    }

    /// Returns the body as an object, or throws the response that refuses it.
    private func object(
        of request: MockRequest, mediaTypes: String, header: HTTPField.Name
    ) throws(Refusal) -> JSONObject {
        if let mediaType = request.mediaType, !request.isJSON {
            var reply = Reply.problem(415, "unsupported media type \(mediaType); the collection accepts \(mediaTypes)")
            reply.fields[header] = mediaTypes
            throw Refusal(reply: reply)
        }
        switch request.json {
        case nil:
            throw Refusal(reply: .problem(400, "the request has no body; expected a JSON object"))
        case .failure(let error):
            throw Refusal(reply: .problem(400, "the body is not JSON: \(error)"))
        case .success(.object(let object)):
            return object
        case .success(let value):
            throw Refusal(reply: .problem(400, "the body must be a JSON object, got \(value.typeDescription)"))
        }
    }

    // MARK: - Preconditions

    private static let totalCount = HTTPField.Name("X-Total-Count") ?? .contentLength
    private static let acceptPatch = HTTPField.Name("Accept-Patch") ?? .accept

    /// Returns a check of the `If-Match` and `If-None-Match` headers of a change (RFC 9110, section 13.1).
    private static func precondition(_ request: MockRequest) -> (CollectionItem?) -> Bool {
        let match = request.fields[.ifMatch]
        let noneMatch = request.fields[.ifNoneMatch]
        return { item in
            if let match, !(item.map { contains(match, $0.tag) } ?? false) { return false }
            if let noneMatch, let item, contains(noneMatch, item.tag) { return false }
            return true
        }
    }

    private static func contains(_ list: String, _ tag: String) -> Bool {
        list.split(separator: ",").contains { element in
            let element = element.trimmingSpaces()
            return element == "*" || element == tag || element == "W/\(tag)"
        }
    }
}
