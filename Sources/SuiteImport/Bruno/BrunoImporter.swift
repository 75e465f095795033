import Basics
package import Diagnostics
import FileSystem
import JSON

/// Reads collections of Bruno: `.bru` files with `bruno.json`, environments, and settings of directories; or the same in
/// YAML.
package enum BrunoImporter: Importer {
    package static var format: ImportFormat { .bruno }

    /// The names of blocks that a file can start with.
    private static let starts: Set<String> = BrunoRequest.methods.union([
        "meta", "vars", "vars:secret", "vars:pre-request", "vars:post-response", "headers", "auth", "docs", "tests",
        "script:pre-request", "script:post-response", "query", "params:query", "params:path",
    ])

    package static func recognizes(_ file: SourceFile) -> Bool {
        if OpenCollectionFile.recognizes(file) { return true }
        let text = String(decoding: file.text.prefix(1 << 12), as: UTF8.self)
        if isSettings(file) { return text.contains("\"version\"") && text.contains("\"name\"") }
        guard let line = text.split(whereSeparator: \.isNewline).first(where: { !BruFile.trimmed($0).isEmpty }) else {
            return false
        }
        let start = BruFile.trimmed(line)
        guard let bracket = start.last, bracket == "{" || bracket == "[" else { return false }
        return starts.contains(String(BruFile.trimmed(start.dropLast())))
    }

    /// Returns whether a file is `bruno.json`.
    private static func isSettings(_ file: SourceFile) -> Bool { Path.lastComponent(of: file.name) == "bruno.json" }

    package static func suites(of files: [SourceFile], _ context: inout ImportContext) -> [ImportedSuite] {
        var roots: [String: String?] = [:]
        for file in files where isSettings(file) {
            let name = (try? JSONParser().parse(file.text))?["name"]?.stringValue
            roots[Path.parent(of: file.name)] = .some(name)
        }
        for file in files where OpenCollectionFile.isYAML(file.name) {
            if let name = OpenCollectionFile.collectionName(file) { roots[Path.parent(of: file.name)] = .some(name) }
        }
        for file in files where Path.lastComponent(of: file.name) == "collection.bru" {
            let directory = Path.parent(of: file.name)
            if roots[directory] == nil { roots[directory] = .some(nil) }
        }
        var groups: [String: [SourceFile]] = [:]
        var order: [String] = []
        for file in files where !isSettings(file) {
            let root = root(of: file.name, roots) ?? Self.commonDirectory(of: files)
            if groups[root] == nil { order.append(root) }
            groups[root, default: []].append(file)
        }
        return order.compactMap { root in
            let collection = BrunoCollection(root: root, name: roots[root] ?? nil, groups[root] ?? [], &context)
            var builder = BrunoSuite(collection, &context)
            return builder.suite(&context)
        }
    }

    /// Returns the outermost directory of a collection around a file.
    ///
    /// A collection in another one, such as a directory that was also opened by itself, is one of its directories.
    private static func root(of name: String, _ roots: [String: String?]) -> String? {
        var directory = Path.parent(of: name)
        var result: String?
        for _ in 0..<ImportLimits.depth {
            if roots[directory] != nil { result = directory }
            let parent = Path.parent(of: directory)
            if parent == directory || directory.isEmpty { break }
            directory = parent
        }
        return result
    }

    /// Returns the directory that contains all files.
    private static func commonDirectory(of files: [SourceFile]) -> String {
        var common = files.first.map { Path.parent(of: $0.name) } ?? ""
        for file in files {
            while !common.isEmpty, !file.name.hasPrefix(common + "/") {
                let parent = Path.parent(of: common)
                if parent == common { break }
                common = parent
            }
        }
        return common == "." ? "" : common
    }
}
