import Basics
package import Diagnostics
import FileSystem
import YAML

/// Reads the files of gabbi: each becomes a serial suite with the same tests.
package enum GabbiImporter: Importer {
    package static var format: ImportFormat { .gabbi }

    package static func recognizes(_ file: SourceFile) -> Bool {
        let lines = file.text.prefix(1 << 18).split(separator: 0x0A)
        guard lines.contains(where: { $0.starts(with: "tests:".utf8) }) else { return false }
        var hasURL = false
        for line in lines {
            // The first key of a test may follow the dash.
            guard line.first == 0x20 || line.first == UInt8(ascii: "-") else { continue }
            let entry = line.drop { $0 == 0x20 || $0 == UInt8(ascii: "-") }
            let key = entry.prefix { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
            guard entry.dropFirst(key.count).first == UInt8(ascii: ":") else { continue }
            let name = String(decoding: key, as: UTF8.self)
            if name == "request" || name == "stages" { return false }
            if name == "url" || name.count > 2 && GabbiTest.isMethod(name) || name.hasPrefix("response_") {
                hasURL = true
            }
        }
        return hasURL
    }

    package static func suites(of files: [SourceFile], _ context: inout ImportContext) -> [ImportedSuite] {
        files.compactMap { file in
            guard let (documents, notes) = YAMLSource.documents(file, &context), let root = documents.first else {
                return nil
            }
            guard root["tests"]?.sequence != nil else {
                context.report("invalid-gabbi", "expected `tests` with a sequence of tests", root.range)
                return nil
            }
            for node in root["tests"]?.elements ?? [] where node.mapping == nil {
                context.report("invalid-gabbi", "expected a test, got \(node.typeDescription)", node.range)
                return nil
            }
            var name = Path.lastComponent(of: file.name)
            if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = String(name[..<dot]) }
            var translator = GabbiTranslator(file)
            var suite = translator.suite(root, name: name == "<stdin>" ? "gabbi" : name, &context)
            suite.notes += notes
            return suite
        }
    }
}
