import Diagnostics
import OpenAPI

/// What a run has exercised of a description, in words.
struct CoverageText {
    private let coverage: ContractCoverage

    /// How many parts are named of each list.
    static let mostNamed = 50

    init(_ coverage: ContractCoverage) {
        self.coverage = coverage
    }

    /// The whole on one line: `openapi.yaml: 64.2 % covered, 2 of 3 operations, 1 of 1 parameter`.
    var line: String {
        var parts = ["\(DisplayWidth.printable(coverage.description)): \(coverage.total.percentText) covered"]
        for (kind, share) in shares {
            parts.append("\(share.covered) of \(share.total) \(share.total == 1 ? kind.singular : kind.plural)")
        }
        return parts.joined(separator: ", ")
    }

    /// The kinds of parts that the description has, with how many of them are covered.
    var shares: [(kind: ContractCoverage.Item.Kind, share: ContractCoverage.Share)] {
        ContractCoverage.Item.Kind.allCases.map { ($0, coverage.share(of: $0)) }.filter { $0.1.total > 0 }
    }

    /// What is not covered, each a line: `GET /books 200 text/csv`.
    var missed: [String] {
        coverage.missed.map { item in
            DisplayWidth.printable(item.name.isEmpty ? item.operation : "\(item.operation): \(Self.name(of: item))")
        }
    }

    /// What is not documented, each a line.
    var undocumented: [String] { coverage.undocumented.map { DisplayWidth.printable($0) } }

    /// What a part of an operation is called: `response 404`.
    static func name(of item: ContractCoverage.Item) -> String {
        switch item.kind {
        case .operation, .parameter: item.name
        case .request: "request \(item.name)"
        case .response, .responseContent: "response \(item.name)"
        }
    }

    /// A list's lines with its heading, cut after some; nothing of an empty list.
    static func section(_ heading: String, _ lines: [String]) -> [String] {
        guard !lines.isEmpty else { return [] }
        let more = lines.count - mostNamed
        return ["\(heading):"] + lines.prefix(mostNamed).map { "  \($0)" } + (more > 0 ? ["  … \(more) more"] : [])
    }
}
