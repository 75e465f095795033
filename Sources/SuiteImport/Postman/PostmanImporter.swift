import Basics
package import Diagnostics
import FileSystem
import JSON

/// Reads collections of Postman (formats 2.0 and 2.1) with their environments and globals.
package enum PostmanImporter: Importer {
    package static var format: ImportFormat { .postman }

    private static let sampleSize = 1 << 16

    package static func recognizes(_ file: SourceFile) -> Bool {
        let text = file.text.starts(with: byteOrderMark) ? file.text.dropFirst(3) : file.text[...]
        guard text.first(where: { !ASCII.isWhitespace($0) }) == UInt8(ascii: "{") else { return false }
        let start = String(decoding: text.prefix(sampleSize), as: UTF8.self)
        // The marks of environments stand at the end.
        let end = String(decoding: text.suffix(sampleSize), as: UTF8.self)
        let isCollection =
            (start.contains("\"info\"") || end.contains("\"info\""))
            && (start.contains("schema.getpostman.com") || end.contains("schema.getpostman.com")
                || start.contains("\"_postman_id\"") || end.contains("\"_postman_id\""))
        return isCollection || end.contains("\"_postman_variable_scope\"")
            || start.contains("\"_postman_variable_scope\"") || isEnvironment(text, start)
    }

    /// Returns whether a text is an environment without the marks of an export, which has only its values.
    private static func isEnvironment(_ text: ArraySlice<UInt8>, _ start: String) -> Bool {
        guard start.contains("\"values\""), text.count <= sampleSize,
            let values = (try? JSONParser().parse(Array(text)))?["values"]?.arrayValue
        else { return false }
        return !values.isEmpty && values.allSatisfy { $0["key"]?.stringValue != nil }
    }

    /// Returns the name of an environment after its file.
    private static func name(of file: SourceFile) -> String {
        let name = Path.lastComponent(of: file.name)
        let end = [".postman_environment.json", ".json"].first { name.hasSuffix($0) && name != $0 }
        return String(name.dropLast(end?.count ?? 0))
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package static func suites(of files: [SourceFile], _ context: inout ImportContext) -> [ImportedSuite] {
        var collections: [(file: SourceFile, root: JSONValue, pointer: String)] = []
        var environments: [(name: String, values: JSONValue?)] = []
        var globals: [ScriptVariable] = []
        for file in files {
            guard let root = context.json(of: file, maximumDepth: 4 * ImportLimits.depth) else { continue }
            let isWrapped = root["item"] == nil && root["collection"]?["item"] != nil
            let collection = isWrapped ? root["collection"] ?? root : root
            if collection["item"]?.arrayValue != nil {
                collections.append((file, collection, isWrapped ? "/collection" : ""))
            } else if root["values"]?.arrayValue != nil {
                if root["_postman_variable_scope"]?.stringValue == "globals" {
                    let (list, disabled) = PostmanVariables.list(root["values"])
                    globals += list
                    if disabled > 0 { context.omitted("disabled variables", count: disabled) }
                } else {
                    environments.append((root["name"]?.stringValue ?? name(of: file), root["values"]))
                }
            } else {
                context.report(
                    "invalid-postman",
                    "the file is not a Postman collection of format 2.0 or 2.1: it has no array \"item\"",
                    SourceRange(file: file, bytes: 0..<0))
            }
        }
        if collections.isEmpty, let file = files.first, !context.diagnostics.hasErrors {
            context.report(
                "invalid-postman", "the file has only variables: import it together with a collection",
                SourceRange(file: file, bytes: 0..<0))
        }
        return collections.map { collection in
            var builder = PostmanSuite(
                collection.root, pointer: collection.pointer, in: collection.file, environments: environments,
                globals: globals, &context)
            return builder.suite(&context)
        }
    }
}
