/// Where a suite is, in the forms that readers of JUnit reports want.
struct SuitePlace {
    /// The path relative to the working folder, with `/`; absolute when it is not below it.
    let file: String
    /// The suite's class: the path with dots, without the extension.
    let className: String
    /// What stands before the file's name in a stack trace: the folders as a package, then a class.
    private let traceName: String
    private let fileName: String

    private static let extensions = [".apitest.yaml", ".apitest.yml", ".yaml", ".yml"]

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - path: The suite's path as it was given.
    ///   - documentIndex: The index of the document in its file.
    ///   - workingFolder: The absolute path of the working folder.
    init(path: String, documentIndex: Int, workingFolder: String) {
        var relative = path[...]
        if path.hasPrefix(workingFolder + "/") { relative = relative.dropFirst(workingFolder.count + 1) }
        var parts: [String] = []
        for part in relative.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(String(part))
            }
        }
        file = (relative.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
        let folders = parts.dropLast()
        fileName = parts.last ?? ""

        var stem = fileName
        if let suffix = Self.extensions.first(where: { stem.hasSuffix($0) && stem.utf8.count > $0.utf8.count }) {
            stem.removeLast(suffix.count)
        }
        if documentIndex > 0 { stem += "_\(documentIndex + 1)" }
        className = (folders.filter { $0 != ".." } + [stem]).map(Self.identifier).joined(separator: ".")

        // dorny/test-reporter takes the parts before the first capital as folders, and looks for a file in these.
        let package = folders.reversed().prefix { part in
            (part.unicodeScalars.first?.value ?? 0) > 0x5A && !part.utf8.contains(UInt8(ascii: "."))
        }
        traceName = (package.reversed() + ["Suite"]).joined(separator: ".")
    }

    /// A line of a stack trace that leads to a line of the suite.
    func trace(line: Int) -> String { "at \(traceName)(\(fileName):\(line))" }

    /// A text without what would end a part of a class's name.
    private static func identifier(_ text: String) -> String {
        var result = ""
        for character in text {
            let isPart = character.isLetter || character.isNumber || character == "_" || character == "-"
            result.append(isPart ? character : "_")
        }
        return result.isEmpty ? "_" : result
    }
}
