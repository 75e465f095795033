import JSON
public import OpenAPI
import Output

extension ChangeCatalog {
    /// A format for lists of the catalog.
    public enum ListFormat: String, Sendable, CaseIterable {
        case text, json, markdown
    }

    /// Returns all checks with their levels and summaries.
    public static func list(as format: ListFormat) -> String {
        switch format {
        case .text:
            let width = all.reduce(0) { max($0, $1.id.utf8.count) }
            return all.map { check in
                let padding = String(repeating: " ", count: width - check.id.utf8.count)
                let levelPadding = String(repeating: " ", count: 8 - check.level.rawValue.utf8.count)
                return "\(check.id)\(padding)  \(check.level.rawValue)\(levelPadding)  \(check.summary)\n"
            }.joined()
        case .json:
            let checks = all.map { check -> JSONValue in
                [
                    "id": .string(check.id), "level": .string(check.level.rawValue), "summary": .string(check.summary),
                ]
            }
            return JSONValue.array(checks).serialized(.pretty) + "\n"
        case .markdown: return page
        }
    }

    /// The documentation page that lists the checks.
    private static var page: String {
        var output = """
            # Changes that `apitest contract diff` reports

            Written by `apitest contract diff --checks --format markdown`. [Contracts](contracts.md) explains how descriptions \
            are compared.

            """
        for group in groups {
            output += "\n## \(group.title)\n\n" + MarkdownText.head("check", "level", "change")
            for check in group.checks {
                output += MarkdownText.row("`\(check.id)`", check.level.rawValue, check.summary)
            }
        }
        return output
    }
}
