import Foundation

/// A Swift code block in the documentation.
struct DocumentedCode {
    /// The path of the file, relative to the repository.
    let file: String
    /// The line of the block's first line of code, starting at 1.
    let line: Int
    /// The code without the indentation of its first line.
    let text: String

    /// The directory of the repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Whether the block is a program, which needs its own module.
    var isProgram: Bool { lines.contains { $0.hasPrefix("@main") } }

    /// Whether the block is part of a package manifest rather than a program.
    var isManifest: Bool { text.hasPrefix("// Package.swift") }

    /// The lines of the code.
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Whether the block consists of declarations that belong outside of a function.
    var isDeclarations: Bool {
        let openings = [
            "struct ", "enum ", "final class ", "actor ", "extension ", "protocol ", "func ", "static func ", "import ",
            "@", "//", "}", " ", ")",
        ]
        return lines.allSatisfy { line in line.isEmpty || openings.contains { line.hasPrefix($0) } }
    }

    /// Returns the code blocks of a Markdown file, or of the doc comments in a Swift file.
    ///
    /// - Parameter file: The path, relative to the repository.
    static func blocks(in file: String) throws -> [DocumentedCode] {
        let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
        let isSource = file.hasSuffix(".swift")
        var blocks: [DocumentedCode] = []
        var current: (first: Int, lines: [Substring])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var line = line
            if isSource {
                let trimmed = line.drop { $0 == " " }
                guard trimmed.hasPrefix("///") else {
                    current = nil
                    continue
                }
                line = trimmed.dropFirst(3)
                if line.hasPrefix(" ") { line = line.dropFirst() }
            }
            guard let block = current else {
                if line.drop(while: { $0 == " " }).hasPrefix("```swift") { current = (index + 2, []) }
                continue
            }
            guard line.drop(while: { $0 == " " }) == "```" else {
                current?.lines.append(line)
                continue
            }
            let margin = block.lines.first?.prefix { $0 == " " }.count ?? 0
            let lines = block.lines.map { $0.dropFirst(min(margin, $0.prefix { $0 == " " }.count)) }
            blocks.append(
                DocumentedCode(file: file, line: block.first, text: lines.joined(separator: "\n")))
            current = nil
        }
        return blocks
    }

    /// Returns the expressions and assignments in the second column of a file's tables.
    ///
    /// - Parameter file: The path, relative to the repository.
    static func tableCode(in file: String) throws -> [DocumentedCode] {
        let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
        var code: [DocumentedCode] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where line.hasPrefix("| ") {
            let cells = line.split(separator: "|")
            guard cells.count >= 2 else { continue }
            // DocC symbols are enclosed in double backticks, which would result in empty parts.
            let parts = cells[1].replacing("``", with: "\u{0}").split(separator: "`", omittingEmptySubsequences: false)
            for (position, part) in parts.enumerated() where position % 2 == 1 && isExpression(part) {
                code.append(DocumentedCode(file: file, line: index + 1, text: String(part)))
            }
        }
        return code
    }

    /// Returns whether a piece of code is more than a name.
    private static func isExpression(_ code: Substring) -> Bool {
        if code.hasSuffix(":)") || code.hasPrefix(".") || code.contains("\u{0}") { return false }
        return code.contains("(") || code.contains(" = ") || code.hasPrefix("response.")
    }

    /// Returns the paths of the files with a suffix in a directory and its subdirectories.
    static func files(below directory: String, _ suffix: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: root.appending(path: directory).path)
        return (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(suffix) }.sorted()
            .map { directory + "/" + $0 }
    }
}
