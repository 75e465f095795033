import Diagnostics
import FileSystem
import SuiteModel
import YAML

/// Reports fragments, and files of fragments, of which nothing is called.
enum UnusedFragment: LintCheck {
    static let rule = LintRule(
        "unused-fragment", "A fragment that nothing calls, or a file under `use` of which nothing is called")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let root = subject.root
        let files = root["use"].map(Self.files) ?? []
        let fragments = root["fragments"]?.members ?? []
        // A document without tests is there for others to call.
        guard root["tests"] != nil, !files.isEmpty || !fragments.isEmpty else { return }
        var called: Set<String> = []
        for unit in subject.names.units {
            for step in unit.steps { note(step["call"], in: &called) }
        }
        for (key, _) in fragments {
            guard let name = key.scalar?.text, !called.contains(name) else { continue }
            report(
                LintFinding(
                    message: "nothing calls the fragment \"\(name)\"", range: key.range, suggestion: "remove it"))
        }
        for (prefix, file) in files {
            guard let path = file.scalar?.text else { continue }
            let absolute = Path.absolute(path, in: subject.suite.folder)
            guard let bytes = try? FileSystem.bytes(ofFile: absolute) else { continue }
            let documents = YAMLStream.parse(SourceFile(name: path, text: bytes)).documents
            let names = documents.flatMap { $0["fragments"]?.members ?? [] }.compactMap { $0.key.scalar?.text }
            if names.isEmpty || names.contains(where: { called.contains(prefix + $0) }) { continue }
            report(
                LintFinding(
                    message: "nothing of \"\(path)\" is called", range: file.range,
                    suggestion: "remove it; it has \(names.prefix(5).map { prefix + $0 }.joined(separator: ", "))"))
        }
    }

    /// The files under `use`, each with what stands before the names of its fragments.
    private static func files(_ node: YAMLNode) -> [(prefix: String, file: YAMLNode)] {
        if let sequence = node.sequence { return sequence.flatMap(files) }
        guard let mapping = node.mapping else { return [("", node)] }
        return mapping.map { key, value in ("\(key.scalar?.text ?? "").", value) }
    }

    private static func note(_ call: YAMLNode?, in called: inout Set<String>) {
        if let text = call?.scalar?.text { called.insert(text) }
    }
}
