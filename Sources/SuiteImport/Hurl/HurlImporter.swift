import Basics
package import Diagnostics
import FileSystem

/// Reads the files of Hurl: each becomes a suite with one test, whose steps are the entries.
package enum HurlImporter: Importer {
    package static var format: ImportFormat { .hurl }

    /// The number of bytes in which a file is recognized.
    private static let searchedBytes = 1 << 16

    package static func recognizes(_ file: SourceFile) -> Bool {
        let start = file.text.prefix(searchedBytes)
        return !start.contains(0) && HurlParser.recognizes(start)
    }

    package static func suites(of files: [SourceFile], _ context: inout ImportContext) -> [ImportedSuite] {
        files.compactMap { file in
            do throws(HurlSyntaxError) {
                let (entries, comments) = try HurlParser.parse(file.text)
                var name = Path.lastComponent(of: file.name)
                if name.hasSuffix(".hurl") { name = String(name.dropLast(5)) }
                if name == "<stdin>" { name = "Hurl" }
                var suite = ImportedSuite(name: name, source: file.name)
                if entries.isEmpty { return suite }
                var translator = HurlTranslator(file)
                suite.tests = [translator.test(name, entries, &context)]
                suite.comments = comments
                return suite
            } catch {
                let end = min(error.offset + 1, file.text.count)
                context.report(
                    "invalid-hurl", "expected \(error.expected)",
                    SourceRange(file: file, bytes: min(error.offset, end)..<end))
                return nil
            }
        }
    }
}
