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
