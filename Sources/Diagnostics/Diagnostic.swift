/// A problem in a text, with its place and what to do about it.
public struct Diagnostic: Sendable, Hashable {
    /// The stable name of the kind of problem, in lower case with hyphens, such as `unknown-key`.
    public var id: String
    /// How bad the problem is.
    public var severity: Severity
    /// What is wrong, in one sentence without a full stop.
    public var message: String
    /// The place of the problem, if it has one.
    public var range: SourceRange?
    /// A few words beside the underlined place; may be empty.
    public var label: String
    /// Other places, and further facts, that help to understand the problem.
    public var related: [Related]
    /// What to do, such as `write "url"`.
    public var suggestion: String?

    /// Creates a diagnostic.
    public init(
        id: String, severity: Severity = .error, message: String, range: SourceRange? = nil, label: String = "",
        related: [Related] = [], suggestion: String? = nil
    ) {
        self.id = id
        self.severity = severity
        self.message = message
        self.range = range
        self.label = label
        self.related = related
        self.suggestion = suggestion
    }
}

extension Diagnostic {
    /// A further fact about a problem, with its place if it has one.
    public struct Related: Sendable, Hashable {
        /// The fact, in a few words without a full stop.
        public var message: String
        /// The place that the fact is about.
        public var range: SourceRange?

        /// Creates a further fact.
        public init(message: String, range: SourceRange? = nil) {
            self.message = message
            self.range = range
        }
    }
}

/// How bad a problem is; `error` is the greatest.
public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing can be run with this problem.
    case error
    /// Probably a mistake, but what was written has a meaning.
    case warning
    /// Information.
    case note

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }

    /// Orders from `note` to `error`.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

/// A collection of the problems that were found, in the order in which they were found.
public struct DiagnosticBag: Sendable {
    /// The problems in the order in which they were added.
    public private(set) var diagnostics: [Diagnostic] = []
    /// Whether one of them is an error.
    public private(set) var hasErrors = false

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection of some problems.
    public init(_ diagnostics: some Sequence<Diagnostic>) {
        add(contentsOf: diagnostics)
    }

    /// Whether there is no problem.
    public var isEmpty: Bool { diagnostics.isEmpty }

    /// The number of problems.
    public var count: Int { diagnostics.count }

    /// Adds a problem.
    public mutating func add(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
        if diagnostic.severity == .error { hasErrors = true }
    }

    /// Adds several problems.
    public mutating func add(contentsOf others: some Sequence<Diagnostic>) {
        for diagnostic in others { add(diagnostic) }
    }

    /// The problems by file, in the order in which the files first appear, then by position; those without a place first.
    public var sorted: [Diagnostic] {
        var fileOrder: [SourceFile: Int] = [:]
        for diagnostic in diagnostics {
            guard let file = diagnostic.range?.file, fileOrder[file] == nil else { continue }
            fileOrder[file] = fileOrder.count
        }
        let keyed = diagnostics.enumerated().map { index, diagnostic in
            let start = diagnostic.range?.start
            let file = diagnostic.range.flatMap { fileOrder[$0.file] } ?? -1
            return (key: (file, Int(start?.line ?? 0), Int(start?.column ?? 0), index), diagnostic: diagnostic)
        }
        return keyed.sorted { $0.key < $1.key }.map(\.diagnostic)
    }
}
