import Diagnostics
public import JSON
import Output
public import RunModel

/// A complete listing of the coverage of API descriptions by operation.
public struct CoverageListing {
    private let coverages: [ContractCoverage]

    /// The coverage of an operation.
    private struct Operation {
        var name: String
        var share = ContractCoverage.Share()
        /// The parts that are not covered, except the operation itself.
        var missed: [ContractCoverage.Item] = []

        /// The names of the parts that are not covered, or `all` for an operation without exchanges.
        var missedNames: [String] {
            share.covered == 0 ? ["all"] : missed.map { DisplayWidth.printable(CoverageText.name(of: $0)) }
        }
    }

    /// Creates a listing of the coverage of each description.
    public init(_ coverages: [ContractCoverage]) {
        self.coverages = coverages
    }

    /// Returns the operations of a description, in its order.
    private static func operations(of coverage: ContractCoverage) -> [Operation] {
        var operations: [Operation] = []
        var positions: [String: Int] = [:]
        for item in coverage.items {
            let position = positions[item.operation] ?? operations.count
            if position == operations.count {
                positions[item.operation] = position
                operations.append(Operation(name: item.operation))
            }
            operations[position].share.total += 1
            if item.isCovered {
                operations[position].share.covered += 1
            } else if item.kind != .operation {
                operations[position].missed.append(item)
            }
        }
        return operations
    }

    // MARK: Text

    /// The listing as plain text.
    public var text: String {
        coverages.map { coverage in
            var lines = [CoverageText(coverage).line, ""]
            for operation in Self.operations(of: coverage) {
                let share = operation.share
                let figures = "\(share.covered) of \(share.total)"
                let indentation = String(repeating: " ", count: max(0, 11 - figures.utf8.count))
                lines.append("\(indentation)\(figures)  \(DisplayWidth.printable(operation.name))")
                let missed = operation.missedNames.joined(separator: ", ")
                if !missed.isEmpty { lines.append("             not covered: \(missed)") }
            }
            if !coverage.undocumented.isEmpty {
                lines += ["", "not documented:"]
                lines += coverage.undocumented.map { "  \(DisplayWidth.printable($0))" }
            }
            return lines.map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    // MARK: Markdown

    /// The listing as Markdown with a table for each description.
    public var markdown: String {
        coverages.map { coverage in
            var text = "## \(MarkdownText.code(coverage.description)): \(coverage.total.percentText) covered\n\n"
            text += MarkdownText.head(.left("Operation"), .right("Covered"), .right("Of"), .left("Not covered"))
            for operation in Self.operations(of: coverage) {
                let missed = operation.missedNames.map { MarkdownText.code($0, inTable: true) }
                text += MarkdownText.row(
                    MarkdownText.code(operation.name, inTable: true), "\(operation.share.covered)",
                    "\(operation.share.total)", missed.joined(separator: ", "))
            }
            if !coverage.undocumented.isEmpty {
                text += "\nNot documented:\n\n"
                for thing in coverage.undocumented { text += "- \(MarkdownText.code(thing))\n" }
            }
            return text
        }.joined(separator: "\n")
    }

    // MARK: JSON

    /// The listing as JSON: `contracts`, each with `operations` and their `missed` parts.
    public var json: JSONValue {
        .object(["contracts": .array(coverages.map(Self.json))])
    }

    private static func json(_ coverage: ContractCoverage) -> JSONValue {
        var object = JSONObject()
        object.append("description", .string(coverage.description))
        append(coverage.total, to: &object)
        var kinds = JSONObject()
        for (kind, share) in CoverageText(coverage).shares {
            var figures = JSONObject()
            append(share, to: &figures)
            kinds.append(kind.rawValue, .object(figures))
        }
        object.append("kinds", .object(kinds))
        object.append(
            "operations",
            .array(
                operations(of: coverage).map { operation in
                    var object = JSONObject()
                    object.append("operation", .string(operation.name))
                    append(operation.share, to: &object)
                    object.append(
                        "missed",
                        .array(
                            operation.missed.map {
                                .object(["kind": .string($0.kind.rawValue), "name": .string($0.name)])
                            }))
                    return .object(object)
                }))
        object.append("undocumented", .array(coverage.undocumented.map { .string($0) }))
        return .object(object)
    }

    private static func append(_ share: ContractCoverage.Share, to object: inout JSONObject) {
        object.append("covered", .number(JSONNumber(share.covered)))
        object.append("total", .number(JSONNumber(share.total)))
    }
}

/// Descriptions of the coverage of an API description in words.
struct CoverageText {
    private let coverage: ContractCoverage

    /// The maximum number of names to list.
    static let maximumNamed = 50

    init(_ coverage: ContractCoverage) {
        self.coverage = coverage
    }

    /// A summary in one line, such as `openapi.yaml: 64.2 % covered, 2 of 3 operations, 1 of 1 parameter`.
    var line: String {
        var parts = ["\(DisplayWidth.printable(coverage.description)): \(coverage.total.percentText) covered"]
        for (kind, share) in shares {
            parts.append("\(share.covered) of \(share.total) \(share.total == 1 ? kind.singular : kind.plural)")
        }
        return parts.joined(separator: ", ")
    }

    /// The kinds of parts in the description, with the number of covered ones.
    var shares: [(kind: ContractCoverage.Item.Kind, share: ContractCoverage.Share)] {
        ContractCoverage.Item.Kind.allCases.map { ($0, coverage.share(of: $0)) }.filter { $0.1.total > 0 }
    }

    /// The parts that are not covered, each as a line such as `GET /books 200 text/csv`.
    var missed: [String] {
        coverage.missed.map { item in
            DisplayWidth.printable(item.name.isEmpty ? item.operation : "\(item.operation): \(Self.name(of: item))")
        }
    }

    /// The undocumented parts, each as a line.
    var undocumented: [String] { coverage.undocumented.map { DisplayWidth.printable($0) } }

    /// Returns the name of a part of an operation, such as `response 404`.
    static func name(of item: ContractCoverage.Item) -> String {
        switch item.kind {
        case .operation, .parameter: item.name
        case .request: "request \(item.name)"
        case .response, .responseContent: "response \(item.name)"
        }
    }

    /// Returns the lines of a list with a heading, truncated to a maximum, or none for an empty list.
    static func section(_ heading: String, _ lines: [String]) -> [String] {
        guard !lines.isEmpty else { return [] }
        let more = lines.count - maximumNamed
        return ["\(heading):"] + lines.prefix(maximumNamed).map { "  \($0)" } + (more > 0 ? ["  … \(more) more"] : [])
    }
}
