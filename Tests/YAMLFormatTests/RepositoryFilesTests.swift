import Diagnostics
import FoundationEssentials
import Testing
import YAML
import YAMLFormat

/// Tests of formatting all YAML files in the repository: suites, mock files, invalid files, and fuzzer inputs.
struct RepositoryFilesTests {
    private static let root = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }

    /// Returns the YAML files in a directory and its subdirectories.
    static func files(_ directory: String) throws -> [String] {
        let manager = FileManager.default
        return try manager.subpathsOfDirectory(atPath: root + "/" + directory).map { directory + "/" + $0 }.filter {
            name in
            // Snapshot directories have the same names as their suites.
            var isDirectory = false
            return (name.hasSuffix(".yaml") || name.hasSuffix(".yml"))
                && manager.fileExists(atPath: root + "/" + name, isDirectory: &isDirectory) && !isDirectory
        }.sorted()
    }

    @Test(arguments: [
        ("examples", 6), ("Tests/EndToEndTests/Scenarios", 150), ("Tests/EndToEndTests/BadInput", 1),
        ("Benchmarks/fuzz/corpus/YAML", 25),
    ])
    func everyFile(_ directory: String, _ count: Int) throws {
        let files = try Self.files(directory)
        #expect(files.count >= count)
        for name in files { try check(name) }
    }

    private func check(_ name: String) throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: Self.root + "/" + name)))
        let before = YAMLStream.parse(SourceFile(name: name, text: bytes))
        let isValid = !before.diagnostics.contains { $0.severity == .error }
        let result: [UInt8]
        do throws(FormatFailure) {
            result = try YAMLFormatter().format(bytes)
        } catch {
            // A file with line breaks that only YAML 1.1 and libyaml recognize remains unchanged.
            let hasOtherBreaks = String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
                $0 == "\u{85}" || $0 == "\u{2028}" || $0 == "\u{2029}"
            }
            #expect(!isValid || hasOtherBreaks, "\(name) cannot be formatted: \(error.reason)")
            return
        }
        let text = String(decoding: result, as: UTF8.self)
        let again = try YAMLFormatter().format(result)
        #expect(String(decoding: again, as: UTF8.self) == text, "formatting \(name) again changed it")
        let hasSpaces = text.split(separator: "\n", omittingEmptySubsequences: false).contains { $0.hasSuffix("\t") }
        #expect(!hasSpaces || String(decoding: bytes, as: UTF8.self).contains("\t\n"), "\(name)")
        guard isValid else { return }
        let after = YAMLStream.parse(SourceFile(name: name, text: result))
        #expect(after.diagnostics.map(\.id) == before.diagnostics.map(\.id), "\(name)")
        #expect(before.documents.count == after.documents.count, "\(name)")
        for (left, right) in zip(before.documents, after.documents) {
            #expect(NodeText.text(of: left) == NodeText.text(of: right), "\(name)")
        }
    }
}
