public import Diagnostics
import JSON
import YAML

/// Loads OpenAPI descriptions from YAML or JSON files.
public struct OpenAPILoader: Sendable {
    let source: any DocumentSource

    /// Creates a loader.
    ///
    /// - Parameter source: Gives the files.
    public init(source: any DocumentSource) {
        self.source = source
    }

    /// Loads a description with everything that it refers to.
    ///
    /// - Parameter location: The location of its main file.
    /// - Returns: The description, whose ``OpenAPIDescription/problems`` are part of the second value; nil when the file
    ///   cannot be read or is no OpenAPI description. And what is wrong.
    public func load(_ location: String) -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        let files = DescriptionFiles(source: source)
        switch source.document(at: location) {
        case .problems(let problems): return (nil, problems)
        case .document(let document):
            let file = DescriptionFile(location: location, document: document)
            return load(file, files)
        }
    }

    private func load(
        _ original: DescriptionFile, _ files: DescriptionFiles
    ) -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        var root = DescriptionNode(file: original, value: original.value)
        let version: OpenAPIVersion
        switch Self.version(of: root) {
        case .success(let found): version = found
        case .failure(let failure): return (nil, [failure.diagnostic])
        }
        files.add(original)
        if version == .swagger2 {
            for file in SwaggerConversion.files(of: original.location, source: source) {
                files.add(file)
                if file.location == original.location { root = DescriptionNode(file: file, value: file.value) }
            }
        }
        var reader = DescriptionReader(files: files, version: version)
        var description = reader.description(root)
        reader.tellBrokenReferences()
        description.problems = reader.problems.sorted
        return (description, description.problems)
    }

    /// Why a file is no description.
    private struct VersionFailure: Error {
        var diagnostic: Diagnostic
    }

    private static func version(of root: DescriptionNode) -> Result<OpenAPIVersion, VersionFailure> {
        func failure(_ message: String, at node: DescriptionNode, _ suggestion: String) -> VersionFailure {
            VersionFailure(
                diagnostic: Diagnostic(
                    id: "invalid-openapi", message: message, range: node.range, suggestion: suggestion))
        }
        guard let node = root["openapi"] ?? root["swagger"] else {
            return .failure(
                failure(
                    "\(root.file.name) is no OpenAPI description: it has no \"openapi\"", at: root,
                    "an OpenAPI description begins with a line such as openapi: 3.1.0"))
        }
        let text: String
        switch node.value {
        case .string(let value): text = value
        case .number(let number): text = "\(number)"
        case .null, .bool, .array, .object: text = ""
        }
        let version = OpenAPIVersion.allCases.first { text == $0.rawValue || text.hasPrefix($0.rawValue + ".") }
        guard let version, (version == .swagger2) == (node.name == "swagger") else {
            return .failure(
                failure(
                    "the version \"\(text)\" of OpenAPI is not known", at: node,
                    "known are swagger: \"2.0\", and openapi: 3.0, 3.1 and 3.2"))
        }
        return .success(version)
    }
}
