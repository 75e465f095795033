import Basics
import Diagnostics
import Expectations
import JSON
import YAML

/// A parser of response locks that reports every problem with its location.
struct LockReader {
    private(set) var diagnostics: [Diagnostic] = []
    /// The node of each entry.
    private(set) var nodes: [LockKey: YAMLNode] = [:]

    /// Reads a file.
    ///
    /// - Returns: The contents; if there are problems, only the valid parts.
    mutating func read(_ file: SourceFile) -> LockFile {
        let stream = YAMLStream.parse(file)
        diagnostics += stream.diagnostics
        guard !stream.diagnostics.contains(where: { $0.severity == .error }) else { return LockFile() }
        guard let root = stream.documents.first, let map = root.mapping, stream.documents.count == 1 else {
            let range = SourceRange(
                file: file, start: file.position(atByteOffset: 0), end: file.position(atByteOffset: 0))
            problem("not a response lock: expected a mapping with \"lock\" and \"tests\"", at: range)
            return LockFile()
        }
        checkKeys(map, among: ["lock", "tests"])
        guard let version = map["lock"]?.scalar?.value.numberValue?.int64 else {
            problem("missing version: add \"lock: \(LockFile.version)\"", at: root.range)
            return LockFile()
        }
        guard version == LockFile.version else {
            problem(
                "unsupported version \(version): this apitest supports \(LockFile.version)",
                at: map["lock"]?.range ?? root.range)
            return LockFile()
        }
        guard let tests = map["tests"]?.sequence else {
            problem("expected a sequence under \"tests\"", at: map["tests"]?.range ?? root.range)
            return LockFile()
        }
        return LockFile(entries: tests.compactMap { entry($0) })
    }

    private mutating func entry(_ node: YAMLNode) -> LockFile.Entry? {
        guard let map = node.mapping else {
            problem("expected a mapping with \"test\" and \"responses\"", at: node.range)
            return nil
        }
        checkKeys(map, among: ["test", "step", "document", "responses"])
        guard let test = map["test"]?.scalar?.text, !test.isEmpty else {
            problem("missing key \"test\" with the name of a test", at: node.range)
            return nil
        }
        var key = LockKey(test: test, step: map["step"]?.scalar?.text)
        if let document = map["document"] {
            guard let number = document.scalar?.value.numberValue?.int64, (1...100_000).contains(number) else {
                problem("expected a document number from 1", at: document.range)
                return nil
            }
            key.document = Int(number) - 1
        }
        guard let responses = map["responses"]?.mapping, !responses.isEmpty else {
            problem("expected a mapping from statuses to responses", at: map["responses"]?.range ?? node.range)
            return nil
        }
        if let previous = nodes[key] {
            problem("\(key.title) already has an entry on line \(previous.range.start.line)", at: node.range)
            return nil
        }
        var shapes: [Int: ResponseShape] = [:]
        for (name, value) in responses {
            guard let status = name.scalar.flatMap({ Int($0.text) }), (100...999).contains(status) else {
                problem("expected a status of three digits", at: name.range)
                continue
            }
            shapes[status] = response(value)
        }
        nodes[key] = node
        return LockFile.Entry(key: key, shapes: shapes)
    }

    private mutating func response(_ node: YAMLNode) -> ResponseShape? {
        guard let map = node.mapping else {
            problem("expected a mapping with \"contentType\"", at: node.range)
            return nil
        }
        checkKeys(map, among: ["contentType", "headers", "optionalHeaders", "body"])
        var shape = ResponseShape(contentTypes: Set(texts(map["contentType"]).map { $0.lowercased() }))
        if shape.contentTypes.isEmpty {
            problem(
                "expected a content type or \"\(ResponseShape.noContentType)\"",
                at: map["contentType"]?.range ?? node.range)
        }
        for name in texts(map["optionalHeaders"]) { shape.headers[name.lowercased()] = false }
        for name in texts(map["headers"]) { shape.headers[name.lowercased()] = true }
        guard let body = map["body"] else { return shape }
        do throws(ShapeSchemaError) {
            shape.body = try Shape(schema: body.json)
        } catch {
            let location = Self.node(error.path, in: body)
            diagnostics.append(
                Diagnostic(
                    id: "invalid-lock", message: error.message, range: location.range, suggestion: error.suggestion))
        }
        return shape
    }

    /// Returns the strings of a sequence, or the single string.
    private mutating func texts(_ node: YAMLNode?) -> [String] {
        guard let node else { return [] }
        var texts: [String] = []
        for element in node.sequence.map(Array.init) ?? [node] {
            guard let text = element.scalar?.text, !text.isEmpty else {
                problem("expected a string", at: element.range)
                continue
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the node at a path, or its nearest existing ancestor.
    static func node(_ path: [String], in root: YAMLNode) -> YAMLNode {
        var node = root
        for step in path {
            if let member = node[step] {
                node = member
            } else if let elements = node.sequence, let index = Int(step), elements.indices.contains(index) {
                node = elements[index]
            } else {
                break
            }
        }
        return node
    }

    private mutating func checkKeys(_ map: YAMLMapping, among known: [String]) {
        for (key, _) in map {
            let name = key.scalar?.text ?? ""
            if known.contains(name) || name.hasPrefix("x-") { continue }
            diagnostics.append(
                Diagnostic(
                    id: "unknown-key", message: "unknown key \"\(name)\"", range: key.range,
                    suggestion: Spelling.suggestion(for: name, among: known)))
        }
    }

    private mutating func problem(_ message: MessageText, at range: SourceRange) {
        diagnostics.append(Diagnostic(id: "invalid-lock", message: message, range: range))
    }
}
