import Basics
import Diagnostics
import FileSystem
import YAML

/// Reads the files of `dotenv`.
struct DotenvReader {
    /// What the readers share.
    let context: LoadContext

    /// Creates a reader.
    init(_ context: LoadContext) {
        self.context = context
    }

    /// What some files define; later files win.
    ///
    /// A file that is not there defines nothing: where a suite runs unattended, the process's environment has the
    /// values.
    func values(of files: [(text: String, node: YAMLNode)]) -> [String: String] {
        var values: [String: String] = [:]
        for (path, node) in files {
            let absolute = Path.absolute(path, in: context.folder)
            guard FileSystem.realPath(absolute) != nil else {
                warnOfMissing(path, absolute, node)
                continue
            }
            guard let bytes = context.bytes(ofFile: path, node.range) else { continue }
            let suitePath = node.file.name
            let isBare = path.hasPrefix("/") || !suitePath.utf8.contains(UInt8(ascii: "/"))
            let environment = context.options.processEnvironment
            let result = DotenvParser.parse(
                bytes, name: isBare ? path : Path.parent(of: suitePath) + "/" + path, earlier: values
            ) { environment[$0] }
            context.diagnostics.add(contentsOf: result.diagnostics)
            for (name, value) in result.values { values[name] = value }
        }
        return values
    }

    private func warnOfMissing(_ path: String, _ absolute: String, _ node: YAMLNode) {
        let names = FileSystem.names(inFolder: Path.parent(of: absolute)) ?? []
        guard let nearest = Spelling.nearest(to: Path.lastComponent(of: path), among: names) else { return }
        context.report(
            "missing-file", "there is no file \"\(path)\"", node.range, suggestion: "did you mean \"\(nearest)\"?",
            severity: .warning)
    }
}
