/// A change that a script makes to its request before it is sent.
enum RequestChange: Sendable {
    /// The functions that change the request.
    enum Function: Sendable {
        case setHeader, setHeaders, addHeader, upsertHeader, deleteHeader, deleteHeaders, setURL, setMethod, setBody,
            setTimeout
        case setMaxRedirects
    }

    /// Sets a header field, in place of those with the same name.
    case header(ImportedField)
    /// Replaces all header fields.
    case headers([ImportedField])
    /// Adds a header field to those with the same name.
    case addition(ImportedField)
    case deletion(String)
    case url(ImportedText)
    case method(String)
    /// Sets the body: a value that is sent as JSON, or text.
    case body(ImportedValue)
    /// Sets the timeout in milliseconds; 0 for none.
    case timeout(Int)
    case maxRedirects(Int)

    /// Creates the changes of a call; empty if an argument is not known before the run.
    ///
    /// - Parameter text: Returns a text whose `{{name}}` are expressions.
    static func changes(
        _ function: Function, _ arguments: [ScriptValue], _ text: (ImportedText) -> ImportedText
    ) -> [RequestChange] {
        let first = arguments.first ?? .undefined
        func field(_ name: ScriptValue?, _ value: ScriptValue?) -> ImportedField? {
            guard let name = name?.literalText, !name.isEmpty, let value = value?.importedText else { return nil }
            return ImportedField(ImportedText(name), text(value))
        }
        func list(_ change: RequestChange?) -> [RequestChange] { change.map { [$0] } ?? [] }
        func names(_ value: ScriptValue) -> [RequestChange] {
            guard case .array(let elements) = value else { return [] }
            let names = elements.compactMap(\.literalText)
            return names.count == elements.count ? names.map { .deletion($0) } : []
        }
        switch function {
        case .setHeader: return list(field(first, arguments.dropFirst().first).map { .header($0) })
        case .setHeaders:
            guard case .object(let members) = first else { return [] }
            let fields = members.compactMap { field(.literal($0.name), $0.value) }
            return fields.count == members.count ? [.headers(fields)] : []
        case .addHeader, .upsertHeader:
            guard case .object(let members) = first else { return [] }
            func member(_ name: String) -> ScriptValue? { members.first { $0.name == name }?.value }
            return list(
                field(member("key"), member("value")).map { field in
                    if case .addHeader = function { .addition(field) } else { .header(field) }
                })
        case .deleteHeader: return list(first.literalText.map { .deletion($0) })
        case .deleteHeaders: return names(first)
        case .setURL:
            guard case .text(let url) = first, !url.isEmpty else { return [] }
            return [.url(text(url))]
        case .setMethod: return list(first.literalText.flatMap { $0.isEmpty ? nil : .method($0.uppercased()) })
        case .setBody:
            switch first {
            // Variables in the text of an expression would not be replaced.
            case .computed(let source, .string) where source.contains("{{"): return []
            case .object, .array, .text, .computed(_, .string):
                return list(first.imported.map { .body($0.mapTexts(text)) })
            default: return []
            }
        case .setTimeout: return list(first.literalText.flatMap { Int($0) }.flatMap { $0 >= 0 ? .timeout($0) : nil })
        case .setMaxRedirects:
            return list(first.literalText.flatMap { Int($0) }.flatMap { $0 >= 0 ? .maxRedirects($0) : nil })
        }
    }

    /// The header fields that are sent unless a request says otherwise.
    private static let defaults: Set<String> = ["accept", "accept-encoding", "content-type", "user-agent"]

    /// Changes a request.
    func apply(to request: inout ImportedRequest) {
        switch self {
        case .header(let field): set(field, in: &request)
        case .headers(let fields):
            request.headers = []
            for field in fields { set(field, in: &request) }
        case .addition(let field): request.headers.append(field)
        case .deletion(let name):
            request.removeHeader(name)
            request.suppressedHeaders.removeAll { $0.lowercased() == name.lowercased() }
            if Self.defaults.contains(name.lowercased()) { request.suppressedHeaders.append(name) }
        case .url(let url): request.url = url
        case .method(let method): request.method = method
        case .body(.text(let text)):
            request.body = ImportedBody(
                text: text, contentType: request.header("Content-Type")?.literal, unquoted: .keepText)
        case .body(let value): request.body = .json(value)
        case .timeout(0): request.settings.removeAll { $0.key == .timeout }
        case .timeout(let time):
            request.set(.timeout, .literal(DurationText.milliseconds(time)))
        case .maxRedirects(let count): request.limitRedirects(to: count)
        }
    }

    private func set(_ field: ImportedField, in request: inout ImportedRequest) {
        guard let name = field.name.literal else { return }
        request.removeHeader(name)
        request.headers.append(field)
        if name.lowercased() == "authorization" { request.auth = nil }
    }
}
