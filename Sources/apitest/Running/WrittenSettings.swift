import Diagnostics
import FileSystem
import JSON
import YAML

/// The settings of a suite and of the files that it extends, as they are written, with absolute paths.
///
/// Suites that are derived from the suite take over what they need.
struct WrittenSettings {
    private static let maximumDepth = 64

    /// The document of the suite itself.
    let document: JSONObject
    /// The merged settings: those of the suite take precedence.
    private(set) var values = JSONObject()

    /// Reads the document of a suite that has been loaded.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the suite's file.
    ///   - index: The index of the document in the file.
    ///   - environment: The environment whose values are added.
    init(path: String, document index: Int, environment: String?) {
        let documents = Self.documents(path)
        document = documents.indices.contains(index) ? documents[index] : JSONObject()
        add(document, path: path, depth: 0)
        guard let environment, let own = values["environments"]?[environment]?.objectValue else { return }
        merge(own["variables"], under: "variables")
        if let url = own["baseURL"] { values["baseURL"] = url }
    }

    private static func documents(_ path: String) -> [JSONObject] {
        guard let bytes = try? File.bytes(at: path) else { return [] }
        return YAMLStream.parse(SourceFile(name: path, text: bytes)).documents.map {
            $0.json.objectValue ?? JSONObject()
        }
    }

    private mutating func add(_ layer: JSONObject, path: String, depth: Int) {
        let directory = Path.parent(of: File.realPath(path) ?? path)
        if depth < Self.maximumDepth {
            for file in Self.strings(layer["extends"]) {
                let path = Path.absolute(file, in: directory)
                for layer in Self.documents(path).prefix(1) { add(layer, path: path, depth: depth + 1) }
            }
        }
        for (key, value) in layer {
            switch key {
            case "variables", "defaults", "environments", "namespaces": merge(value, under: key)
            case "schemas": merge(Self.absolute(value, in: directory), under: key)
            case "use", "dotenv": append(Self.elements(value).map { Self.absolute($0, in: directory) }, under: key)
            case "secrets" where value.objectValue == nil: append(Self.elements(value), under: key)
            case "serve":
                var serve = value.objectValue ?? JSONObject()
                if let mock = serve["mock"] { serve["mock"] = Self.absolute(mock, in: directory) }
                if serve.contains("command") {
                    serve["directory"] = Self.absolute(serve["directory"] ?? .string("."), in: directory)
                }
                // Suites that run at the same time would write the same file.
                serve["log"] = nil
                values[key] = .object(serve)
            default: values[key] = value
            }
        }
    }

    private mutating func merge(_ value: JSONValue?, under key: String) {
        guard let value else { return }
        values[key] = Self.merged(values[key], value)
    }

    private static func merged(_ base: JSONValue?, _ value: JSONValue) -> JSONValue {
        guard var object = base?.objectValue, let own = value.objectValue else { return value }
        for (key, value) in own { object[key] = merged(object[key], value) }
        return .object(object)
    }

    private mutating func append(_ elements: [JSONValue], under key: String) {
        values[key] = .array((values[key]?.arrayValue ?? []) + elements)
    }

    private static func elements(_ value: JSONValue) -> [JSONValue] { value.arrayValue ?? [value] }

    private static func strings(_ value: JSONValue?) -> [String] {
        value.map(elements)?.compactMap(\.stringValue) ?? []
    }

    /// Returns a path, or a mapping to paths, with absolute paths.
    private static func absolute(_ value: JSONValue, in directory: String) -> JSONValue {
        paths(value) { Path.normalized(Path.absolute($0, in: directory)) }
    }

    private static func paths(_ value: JSONValue, _ change: (String) -> String) -> JSONValue {
        switch value {
        case .string(let path): .string(change(path))
        case .object(let object): .object(JSONObject(object.map { ($0.key, paths($0.value, change)) }))
        case .array(let elements): .array(elements.map { paths($0, change) })
        case .null, .bool, .number: value
        }
    }

    /// Returns the value of a key whose paths are relative to a directory, or `nil` if there is none.
    func value(of key: String, relativeTo directory: String) -> JSONValue? {
        func relative(_ path: String) -> String {
            let shorter = Path.relative(path, to: directory)
            return shorter.isEmpty ? "." : shorter
        }
        guard let value = values[key] else { return nil }
        switch key {
        case "use", "dotenv", "schemas":
            let changed = Self.paths(value, relative)
            // A sequence with one element is the same as the element.
            if let elements = changed.arrayValue, elements.count == 1 { return elements[0] }
            return changed
        case "serve":
            guard var serve = value.objectValue else { return value }
            for key in ["mock", "directory"] {
                if let path = serve[key]?.stringValue { serve[key] = .string(relative(path)) }
            }
            if serve["directory"]?.stringValue == "." { serve["directory"] = nil }
            return .object(serve)
        default: return value
        }
    }

    /// Returns the variables that a text uses, directly or through others.
    ///
    /// Any word of the text may be the name of a variable, because some expressions are written without `${…}`.
    func variables(usedBy text: String) -> JSONObject {
        let all = values["variables"]?.objectValue ?? JSONObject()
        var found: Set<String> = []
        var pending = [text]
        while let next = pending.popLast() {
            for word in next.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
                guard let value = all[String(word)], found.insert(String(word)).inserted else { continue }
                pending.append(value.serialized())
            }
        }
        return JSONObject(all.filter { found.contains($0.key) }.map { ($0.key, $0.value) })
    }

    /// Returns the keys of a suite in a directory that starts the same server.
    func server(in directory: String) -> JSONObject {
        var keys = JSONObject()
        for key in ["serve", "baseURL"] { keys[key] = value(of: key, relativeTo: directory) }
        let text = JSONValue.object(keys).serialized()
        let variables = variables(usedBy: text)
        if !variables.isEmpty { keys["variables"] = .object(variables) }
        if text.contains("env("), let dotenv = value(of: "dotenv", relativeTo: directory) { keys["dotenv"] = dotenv }
        return keys
    }
}
