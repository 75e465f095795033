public import Basics

/// A problem in a source text, with its location and a suggestion.
public struct Diagnostic: Sendable, Hashable {
    /// The stable identifier of the kind of problem, in lowercase with hyphens, such as `unknown-key`.
    public var id: String
    /// The severity of the problem.
    public var severity: Severity
    /// The description of the problem, one sentence without a period.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public var wording: MessageText
    /// The location of the problem, if any.
    public var range: SourceRange?
    /// A short label next to the underline; may be empty.
    public var label: String { labelWording.text }
    /// The label with the distinction of words and data.
    public var labelWording: MessageText
    /// Related locations and notes that help to understand the problem.
    public var related: [Related]
    /// The suggested fix, such as `write "url"`.
    public var suggestion: String? { suggestionWording?.text }
    /// The suggested fix with the distinction of words and data.
    public var suggestionWording: MessageText?

    /// Creates a diagnostic.
    public init(
        id: String, severity: Severity = .error, message: MessageText, range: SourceRange? = nil,
        label: MessageText = "", related: [Related] = [], suggestion: MessageText? = nil
    ) {
        self.id = id
        self.severity = severity
        wording = message
        self.range = range
        labelWording = label
        self.related = related
        suggestionWording = suggestion
    }
}

extension Diagnostic {
    /// A note about a problem, with its location if any.
    public struct Related: Sendable, Hashable {
        /// The text of the note, without a period.
        public var message: String { wording.text }
        /// The text with the distinction of words and data.
        public var wording: MessageText
        /// The location that the note refers to.
        public var range: SourceRange?

        /// Creates a note.
        public init(message: MessageText, range: SourceRange? = nil) {
            wording = message
            self.range = range
        }
    }
}

/// The severity of a problem; `error` is the highest.
public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    /// A problem that prevents a run.
    case error
    /// A probable error in valid input.
    case warning
    /// Information only.
    case note

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }

    /// Orders severities from `note` to `error`.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

/// A collection of problems in the order in which they were found.
public struct DiagnosticBag: Sendable {
    /// The problems in the order in which they were added.
    public private(set) var diagnostics: [Diagnostic] = []
    /// Whether any of the problems is an error.
    public private(set) var hasErrors = false

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection of problems.
    public init(_ diagnostics: some Sequence<Diagnostic>) {
        add(contentsOf: diagnostics)
    }

    /// Whether the collection is empty.
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

    /// The problems sorted by file, in order of first appearance, then by position; problems without a location come
    /// first.
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
