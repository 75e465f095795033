package import Basics
package import Diagnostics

/// The options of an import.
package struct ImportOptions: Sendable {
    /// The patterns of `--only` (``ImportFilter``); empty for all requests.
    package var only: [String] = []
    /// The absolute path of the directory that relative paths of the sources resolve against.
    package var workingDirectory: String
    /// The absolute path of the directory of the suites.
    package var outputDirectory: String

    /// Creates options.
    package init(workingDirectory: String, outputDirectory: String) {
        self.workingDirectory = workingDirectory
        self.outputDirectory = outputDirectory
    }
}

/// The limits of sources, which may be hostile.
package enum ImportLimits {
    /// The maximum size of a source in bytes.
    package static let bytes = 256 << 20
    /// The maximum nesting depth of a source.
    package static let depth = 128
    /// The maximum number of requests of an import.
    package static let requests = 200_000
    /// The maximum number of files that sources name.
    package static let files = 1_000
    /// The maximum nesting depth of JSON bodies that become mappings; deeper ones stay text.
    package static let bodyDepth = 32
}

/// The state of an import that all importers share: files, diagnostics, and counts.
package struct ImportContext: Sendable {
    /// The options.
    package let options: ImportOptions
    /// The filter of requests.
    package let filter: ImportFilter
    /// The problems of the sources. If any is an error, nothing is written.
    package private(set) var diagnostics = DiagnosticBag()
    /// The numbers for the report.
    package private(set) var counts = ImportCounts()
    /// The files that sources name.
    package var files: ImportFiles

    /// Creates the state at the start of an import.
    package init(_ options: ImportOptions) {
        self.options = options
        filter = ImportFilter(options.only)
        files = ImportFiles(options)
    }

    // MARK: Counts

    /// Counts a part of a source that is not translated, and returns its comment.
    ///
    /// - Parameters:
    ///   - construct: The construct, such as `pm.sendRequest`; equal ones are counted together.
    ///   - file: The source.
    ///   - line: The line of the part.
    ///   - source: The text of the part for the comment, if the construct does not say it all.
    ///   - isAssertion: Whether the part is an assertion.
    package mutating func untranslated(
        _ construct: String, in file: SourceFile, line: Int?, source: String = "", isAssertion: Bool = false
    ) -> ImportNote {
        counts.untranslated.add(construct, 1)
        if isAssertion { counts.assertions += 1 }
        return ImportNote(construct: construct, file: file.name, line: line, source: source)
    }

    /// Counts a part of a source that cannot stand in a suite, and returns its comment.
    mutating func untranslated(_ construct: String, file: String, source: String) -> ImportNote {
        counts.untranslated.add(construct, 1)
        return ImportNote(construct: construct, file: file, line: nil, source: source)
    }

    /// Counts assertions of a source that were translated.
    package mutating func translatedAssertions(_ count: Int = 1) {
        counts.assertions += count
        counts.translatedAssertions += count
    }

    /// Counts requests that are left out on purpose.
    ///
    /// - Parameter kind: The kind of the requests in the plural, such as `static assets`.
    package mutating func omitted(_ kind: String, count: Int = 1) { counts.omitted.add(kind, count) }

    // MARK: Problems

    /// Reports a problem of a source.
    package mutating func report(
        _ id: String, _ message: MessageText, _ range: SourceRange?, suggestion: MessageText? = nil,
        severity: Severity = .error
    ) {
        diagnostics.add(
            Diagnostic(id: id, severity: severity, message: message, range: range, suggestion: suggestion))
    }

    /// Reports problems of a source.
    package mutating func report(_ problems: some Sequence<Diagnostic>) { diagnostics.add(contentsOf: problems) }
}

/// The filter of `--only`: a request must match one of its patterns.
package struct ImportFilter: Sendable {
    private let patterns: [WildcardPattern]

    /// Creates a filter; without patterns, it matches every request.
    package init(_ patterns: [String]) { self.patterns = patterns.map { WildcardPattern($0) } }

    /// Whether the filter matches every request.
    package var isEmpty: Bool { patterns.isEmpty }

    /// Returns whether a request is wanted.
    ///
    /// A pattern applies to the host, the path, the URL without its query, `METHOD path`, and the media type of the
    /// response. `*` matches any text.
    package func matches(method: String, url: String, mediaType: String? = nil) -> Bool {
        if patterns.isEmpty { return true }
        let plain = String(url.prefix { $0 != "?" && $0 != "#" })
        let parts = URLParts(ImportedText(plain))
        var host = parts.authority ?? ""
        if let at = host.lastIndex(of: "@") { host = String(host[host.index(after: at)...]) }
        let path = parts.path.template
        var candidates = [host, path, plain, "\(method) \(path)"]
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") { candidates.append(String(host[..<colon])) }
        if let mediaType { candidates.append(String(mediaType.prefix { $0 != ";" && $0 != " " })) }
        return patterns.contains { pattern in candidates.contains { pattern.matches($0) } }
    }

    /// Returns whether a pattern applies to a directory of a collection, or to one that contains it.
    ///
    /// - Parameter directory: The names of the directories, the outermost first. A pattern separates them with `/`.
    package func selects(directory: [String]) -> Bool {
        directory.indices.contains { index in
            let path = directory[...index].joined(separator: "/")
            return patterns.contains { $0.matches(path) }
        }
    }

    /// Returns whether a pattern applies to a media type.
    package func selects(mediaType: String) -> Bool {
        !mediaType.isEmpty && patterns.contains { $0.matches(mediaType) }
    }
}
