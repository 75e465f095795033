import CExplanations
import Diagnostics
import JSON
import OpenAPI
import YAML

/// The examples of the changes that `apitest contract diff` reports: see `CExplanations/changes/examples.yaml`.
struct ChangeExamples: Sendable {
    /// The examples of the program.
    static let shared = ChangeExamples()

    private let groups: [String: JSONObject]

    private init() {
        guard
            case .document(let document) = LocatedDocument.read(
                SourceFile(name: "examples.yaml", text: c_asset_change_examples().text))
        else {
            groups = [:]
            return
        }
        groups = Dictionary(
            (document.value.objectValue ?? [:]).map { ($0.key, $0.value.objectValue ?? [:]) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the explanation of a change, or `nil` if the id is unknown.
    func explanation(of id: String) -> Explanation? {
        guard let check = ChangeCatalog.check(id), let example = example(of: id) else { return nil }
        var text = "\(check.summary) (level `\(check.level.rawValue)`). \(example.effect(of: check.level))\n\n"
        let options = example.options.map { " \($0)" } ?? ""
        text += "```sh\napitest contract diff old.yaml new.yaml\(options)\n```\n\n"
        text += Self.block("old.yaml", example.old) + "\n" + Self.block("new.yaml", example.new)
        if check.level != .info {
            text += "\n\(example.advice)\n\n" + Self.block("new.yaml", example.corrected)
            text += "\nTo accept the change, use `--severity \(id)=info` or `--ignore-file`.\n"
        }
        return Explanation(id: id, topic: "Changes of contracts", text: text)
    }

    /// Returns the example of a change.
    private func example(of id: String) -> ChangeExample? {
        let schema = ChangeCatalog.schemaChange(id)
        for (group, key) in [
            ("aspects", id), ("operations", id), ("parameters", id), ("descriptions", id),
            ("aspects", schema?.aspect ?? ""),
        ] {
            guard let members = groups[group]?[key] else { continue }
            let role = schema?.role ?? members["role"]?.stringValue.flatMap(SchemaRole.init(rawValue:))
            return ChangeExample(members, in: group, role: role)
        }
        return nil
    }

    private static func block(_ name: String, _ document: JSONObject) -> String {
        var style = YAMLWriter.Style()
        style.width = 80
        var writer = YAMLWriter(style)
        for (key, value) in document { writer.writeEntry(.text(key), YAMLOutput(value), indentation: 0) }
        return "```yaml \(name)\n\(writer.text)```\n"
    }
}

/// Two descriptions that differ in one change, and a new description that introduces the change without harm.
private struct ChangeExample {
    let old: JSONObject
    let new: JSONObject
    /// The options of `contract diff` that the change requires.
    let options: String?
    private let instead: JSONObject?
    private let insteadAdvice: String?
    private let role: SchemaRole?

    init(_ members: JSONValue, in group: String, role: SchemaRole?) {
        let schemas = members["schemas"]
        /// Returns the description with a value of the example.
        func description(_ name: String, _ schemas: JSONValue?) -> JSONObject? {
            guard let value = members[name] else { return nil }
            var document: JSONObject = ["openapi": "3.1.0", "info": ["title": "Bookshop", "version": "1"]]
            for (key, content) in Self.content(value, in: group, role: role).objectValue ?? [:] {
                document[key] = content
            }
            if let schemas { document["components"] = ["schemas": schemas] }
            return document
        }
        old = description("old", schemas) ?? [:]
        new = description("new", members["newSchemas"] ?? schemas) ?? [:]
        instead = description("instead", schemas)
        insteadAdvice = members["advice"]?.stringValue
        options = members["options"]?.stringValue
        self.role = role
    }

    /// The effect of a change on clients, as a sentence.
    func effect(of level: ChangeLevel) -> String {
        switch (level, role?.isRequest) {
        case (.info, _): "Clients are not affected, so nothing needs to be corrected."
        case (.breaking, true?): "The server may refuse requests that were valid."
        case (.warning, true?): "The server may refuse some requests that were valid."
        case (.breaking, false?): "Clients may receive responses that they do not expect."
        case (.warning, false?): "Some clients may receive responses that they do not expect."
        case (.breaking, nil): "Clients that follow the old description may fail."
        case (.warning, nil): "Some clients that follow the old description may fail."
        }
    }

    /// The advice to introduce the change without harm, which ends in a colon.
    var advice: String {
        insteadAdvice
            ?? "Keep the operation, and add the new one at another path until no client relies on the old one:"
    }

    /// The new description without the change.
    var corrected: JSONObject {
        if let instead { return instead }
        var document = new
        var paths = old["paths"]?.objectValue ?? [:]
        for (path, item) in new["paths"]?.objectValue ?? [:] { paths["/v2\(path)"] = item }
        document["paths"] = .object(paths)
        return document
    }

    /// Returns the members of a description that contain a value of a group.
    private static func content(_ value: JSONValue, in group: String, role: SchemaRole?) -> JSONValue {
        switch group {
        case "operations": ["paths": ["/books": ["post": value]]]
        case "parameters": ["paths": ["/books": ["get": ["parameters": value]]]]
        case "aspects": ["paths": ["/books": role.map { pathItem(with: value, in: $0) } ?? [:]]]
        default: value
        }
    }

    /// Returns a path item with a schema in a part of a message.
    private static func pathItem(with schema: JSONValue, in role: SchemaRole) -> JSONValue {
        func content(_ schema: JSONValue) -> JSONValue { ["content": ["application/json": ["schema": schema]]] }
        func parameter(_ schema: JSONValue) -> JSONValue {
            ["get": ["parameters": [["name": "filter", "in": "query", "style": "deepObject", "schema": schema]]]]
        }
        func response(_ members: JSONValue) -> JSONValue {
            var response: JSONObject = ["description": "OK"]
            for (key, value) in members.objectValue ?? [:] { response[key] = value }
            return ["get": ["responses": ["200": .object(response)]]]
        }
        let object: JSONValue = ["type": "object", "properties": ["value": schema]]
        return switch role {
        case .requestBody: ["post": ["requestBody": content(schema)]]
        case .requestProperty, .requestReadOnlyProperty: ["post": ["requestBody": content(object)]]
        case .requestParameter: parameter(schema)
        case .requestParameterProperty: parameter(object)
        case .responseBody: response(content(schema))
        case .responseProperty, .responseWriteOnlyProperty: response(content(object))
        case .responseHeader: response(["headers": ["X-Value": ["schema": schema]]])
        }
    }
}
