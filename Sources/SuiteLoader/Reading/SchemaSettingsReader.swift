import Diagnostics
import FileSystem
import YAML

/// Reads what all schemas of a file have in common: `schemas` and `schemaFormat`.
struct SchemaSettingsReader {
    /// What the readers share.
    let context: LoadContext

    /// The settings of a suite or a mock file, which its schemas need wherever they stand.
    ///
    /// Values of a wrong type are left to those who read the map.
    func settings(_ root: YAMLNode) -> SchemaSettings {
        var settings = SchemaSettings()
        for entry in context.options.schemas {
            let path = Path.absolute(entry.file, in: context.options.workingDirectory)
            settings.paths[entry.uri] = Path.normalized(path)
        }
        if let node = root["defaults"]?["schemaFormat"], node.scalar?.isString == true {
            settings.assertsFormat = context.choice(node, SchemaKey.Format.self) == .assert
        }
        for (key, value) in root["schemas"]?.members ?? [] {
            guard let uri = self.uri(key), value.scalar?.isString == true, let path = path(value, of: uri) else {
                continue
            }
            settings.paths[uri] = path
        }
        return settings
    }

    /// The URI of a key without an empty fragment, or nil when it is none.
    private func uri(_ key: YAMLNode) -> String? {
        guard var text = key.scalar?.text else { return nil }
        if text.hasSuffix("#") { text.removeLast() }
        let scheme = text.prefix { $0 != ":" }
        let isAbsolute =
            scheme.utf8.count < text.utf8.count && scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        guard isAbsolute, !text.contains("#") else {
            context.report(
                "invalid-uri", "\"\(text)\" is no absolute URI without a fragment", key.range,
                suggestion: "write the URI as \"$ref\" or \"$id\" gives it, for example https://example.com/book.json")
            return nil
        }
        return text
    }

    /// The absolute path of the file, or for a URI with a slash at its end of the folder, that stands for a URI.
    private func path(_ node: YAMLNode, of uri: String) -> String? {
        let problems = context.diagnostics.count
        let text = TemplateReader(context).constant(node, what: "a path")
        guard context.diagnostics.count == problems else { return nil }
        let path =
            uri.hasSuffix("/")
            ? context.existingFolder(text, node.range) : context.existingFile(text, node.range)
        return context.diagnostics.count > problems ? nil : Path.normalized(path)
    }
}
