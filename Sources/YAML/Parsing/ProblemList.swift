import Diagnostics

/// The problems found in a file, up to a number.
struct ProblemList {
    let file: SourceFile
    let maximumCount: Int
    private(set) var diagnostics: [Diagnostic] = []

    init(file: SourceFile, maximumCount: Int) {
        self.file = file
        self.maximumCount = maximumCount
    }

    mutating func add(_ diagnostic: Diagnostic) {
        if diagnostics.count < maximumCount { diagnostics.append(diagnostic) }
    }

    func range(_ start: SourcePosition, _ end: SourcePosition) -> SourceRange {
        SourceRange(file: file, start: start, end: end)
    }

    func range(of record: NodeRecord) -> SourceRange { range(record.start, record.end) }
}

extension Diagnostic {
    /// The problem of a file whose lists and maps are nested too deep.
    static func tooDeep(_ limits: YAMLLimits, _ range: SourceRange) -> Diagnostic {
        Diagnostic(
            id: "too-deep", message: "lists and maps are nested more than \(limits.maximumDepth) deep", range: range)
    }
}
