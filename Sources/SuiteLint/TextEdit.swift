public import Diagnostics
import YAML

/// A replacement of a part of a file that removes a finding.
public struct TextEdit: Sendable, Hashable {
    /// The part to replace.
    public var range: SourceRange
    /// The new text.
    public var text: String

    /// Creates an edit.
    public init(range: SourceRange, text: String) {
        self.range = range
        self.text = text
    }
}

extension TextEdit {
    /// Returns the contents of each file with its edits applied, in the order of their first edits.
    ///
    /// Of edits that overlap, only the first is applied. A file that would not be valid YAML is left out.
    public static func applied(_ edits: [TextEdit]) -> [(file: SourceFile, text: [UInt8])] {
        var files: [SourceFile] = []
        var editsByFile: [SourceFile: [TextEdit]] = [:]
        for edit in edits {
            if editsByFile[edit.range.file] == nil { files.append(edit.range.file) }
            editsByFile[edit.range.file, default: []].append(edit)
        }
        return files.compactMap { file in
            let text = applied(editsByFile[file] ?? [], to: file)
            let hasErrors = YAMLStream.parse(SourceFile(name: file.name, text: text)).diagnostics
                .contains { $0.severity == .error }
            return hasErrors ? nil : (file, text)
        }
    }

    private static func applied(_ edits: [TextEdit], to file: SourceFile) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        for edit in edits.sorted(by: { $0.range.start < $1.range.start }) {
            let bytes = edit.range.byteRange
            guard bytes.lowerBound >= position else { continue }
            result += file.text[position..<bytes.lowerBound]
            result += Array(edit.text.utf8)
            position = bytes.upperBound
        }
        return result + file.text[position...]
    }
}
