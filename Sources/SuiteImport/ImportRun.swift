import Basics
package import Diagnostics
import FileSystem

/// The result of an import: suites to write, problems, and counts.
package struct ImportResult: Sendable {
    /// A suite to write.
    package struct File: Sendable {
        /// The name of the file, or its path relative to the output directory.
        package var name: String
        /// The suite.
        package var suite: SuiteWriter.Output
    }

    /// The suites in the order of their sources.
    package var files: [File] = []
    /// The problems of the sources. If any is an error, ``files`` is empty.
    package var diagnostics: [Diagnostic] = []
    /// The numbers for the report.
    package var counts = ImportCounts()
}

/// Imports files of other tools: recognizes their formats, reads them, and writes suites.
package enum ImportRun {
    /// Imports files.
    ///
    /// - Parameters:
    ///   - sources: The files, with their paths for messages and for files that they name.
    ///   - format: The format of all files; nil to recognize it by content.
    ///   - isSplit: Whether each directory or group of a source becomes a suite of its own.
    package static func run(
        _ sources: [SourceFile], format: ImportFormat? = nil, isSplit: Bool = false, options: ImportOptions
    ) -> ImportResult {
        var context = ImportContext(options)
        var groups: [ImportFormat: [SourceFile]] = [:]
        for source in sources {
            if source.text.count > ImportLimits.bytes {
                context.report(
                    "import-too-large",
                    "\"\(source.name)\" is larger than \(ImportLimits.bytes >> 20) MiB: import it in parts", nil)
            } else if let found = format ?? recognized(source) {
                groups[found, default: []].append(source)
            } else {
                context.report(
                    "unknown-import-format",
                    "the format of \"\(source.name)\" is not known: import one of \(titles), or name the format with --format",
                    nil)
            }
        }
        var suites: [ImportedSuite] = []
        for format in ImportFormat.allCases {
            if let files = groups[format] { suites += format.importer.suites(of: files, &context) }
        }
        if suites.reduce(0, { $0 + $1.steps.count }) > ImportLimits.requests {
            context.report(
                "import-too-large",
                "the files have more than \(ImportLimits.requests) requests: select some with --only", nil)
        }
        var result = ImportResult()
        var names: Set<String> = []
        for suite in suites where !context.diagnostics.hasErrors {
            var suite = suite
            if !suite.isFiltered { suite.keepOnly(context.filter) }
            for (name, part) in isSplit ? parts(of: suite) : [(baseName(suite.source), suite)] {
                let name = unique(name, &names)
                if let output = SuiteWriter.write(part, as: name, &context) {
                    result.files.append(ImportResult.File(name: name, suite: output))
                }
            }
        }
        result.counts = context.counts
        result.diagnostics = context.diagnostics.sorted
        if context.diagnostics.hasErrors { result.files = [] }
        return result
    }

    /// Returns the suite of recorded exchanges; nil if no exchange belongs in a suite.
    ///
    /// - Parameter path: The path of the suite.
    package static func suite(
        of exchanges: [RecordedExchange], at path: String, options: ImportOptions
    ) -> (suite: SuiteWriter.Output?, counts: ImportCounts) {
        var context = ImportContext(options)
        let file = SourceFile(name: path, text: "")
        let name = Path.lastComponent(of: path)
        let suite = TrafficTranslator.suite(
            of: exchanges, name: name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : baseName(path),
            file: file,
            &context)
        let output = SuiteWriter.write(suite, as: name, &context)
        return (output, context.counts)
    }

    /// Returns the name of the file of a suite, such as for a host.
    package static func suiteName(_ text: String) -> String { (fileName(text) ?? "recorded") + suffix }

    /// Returns the format of a file, by its contents; nil if no importer recognizes it.
    package static func recognized(_ source: SourceFile) -> ImportFormat? {
        // The documentation in a file of any format may show a command of curl.
        let formats = ImportFormat.allCases.filter { $0 != .curl } + [.curl]
        return formats.first { $0.importer.recognizes(source) }
    }

    /// Returns the format of a file in a directory by its contents, or `nil`. Documentation with commands of curl has none.
    package static func recognizedInDirectory(_ source: SourceFile) -> ImportFormat? {
        let found = recognized(source)
        let isDocumentation = documentation.contains { source.name.lowercased().hasSuffix($0) }
        return found == .curl && isDocumentation ? nil : found
    }

    /// The suffixes of the names of documentation.
    private static let documentation = [".md", ".mdx", ".markdown", ".rst", ".adoc"]

    /// The titles of all formats, for messages.
    private static var titles: String { ImportFormat.allCases.map(\.title).joined(separator: ", ") }

    // MARK: Names

    /// The suffix of the names of suites.
    private static let suffix = ".apitest.yaml"

    private static func unique(_ name: String, _ names: inout Set<String>) -> String {
        var result = name
        var number = 2
        // Some file systems ignore case.
        while !names.insert(result.lowercased()).inserted {
            result = "\(name)-\(number)"
            number += 1
        }
        return result + suffix
    }

    /// Returns the name of a suite's file for a source, without its extension.
    private static func baseName(_ path: String) -> String {
        var name = Path.lastComponent(of: path)
        while let suffix = ImportFormat.suffixes.first(where: { name.lowercased().hasSuffix($0) }),
            name.utf8.count > suffix.utf8.count
        {
            name = String(name.dropLast(suffix.count))
        }
        return fileName(name) ?? "imported"
    }

    /// Returns a text as the name of a file, which cannot lead to another directory; nil if nothing is left.
    static func fileName(_ text: String) -> String? {
        var name = ""
        for scalar in text.unicodeScalars {
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "-_.".unicodeScalars.contains(scalar)
            {
                name.unicodeScalars.append(scalar)
            } else if !name.isEmpty, name.last != "-" {
                name += "-"
            }
        }
        name = String(name.drop { $0 == "." || $0 == "-" }.prefix(100))
        while name.hasSuffix("-") || name.hasSuffix(".") { name.removeLast() }
        return name.isEmpty ? nil : name
    }

    // MARK: Parts

    /// Returns the parts of a suite: one for each of the outermost groups, unless captures connect them.
    private static func parts(of suite: ImportedSuite) -> [(name: String, suite: ImportedSuite)] {
        let base = baseName(suite.source)
        var groups: [String] = []
        for test in suite.tests {
            let group = test.group.first ?? ""
            if !groups.contains(group) { groups.append(group) }
        }
        if groups.count < 2 { return [(base, suite)] }
        let joined = suite.connected(groups)
        var result: [(name: String, suite: ImportedSuite)] = []
        for group in groups where joined[group] == group {
            var part = suite
            part.tests = suite.tests.filter { joined[$0.group.first ?? ""] == group }
            let isAlone = Set(part.tests.map { $0.group.first ?? "" }).count == 1
            if isAlone, !group.isEmpty {
                part.name = suite.name.isEmpty ? group : "\(suite.name): \(group)"
                part.tests = part.tests.map { test in
                    var test = test
                    test.group.removeFirst()
                    return test
                }
            }
            let name = fileName(group.lowercased()) ?? base
            result.append((group.isEmpty ? base : name, part))
        }
        return result
    }
}
