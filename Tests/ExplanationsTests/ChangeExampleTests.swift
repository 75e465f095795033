import Basics
import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

@testable import Explanations

/// Tests of the examples of changes: each pair of descriptions has the change, and each correction does not.
struct ChangeExampleTests {
    /// The descriptions of an explanation: the old one, the new one, and the corrected one if there is one.
    private static func descriptions(_ explanation: Explanation) -> [OpenAPIDescription] {
        explanation.text.split(separator: "```yaml ").dropFirst().compactMap { part in
            let name = part.prefix { $0 != "\n" }
            let text = part[name.endIndex...].split(separator: "```", maxSplits: 1).first ?? ""
            return TextSource(["/\(name)": String(text)]).load("/\(name)").description
        }
    }

    private static func changes(
        from old: OpenAPIDescription, to new: OpenAPIDescription, deprecationDays: Int
    ) throws -> [Change] {
        let today = try #require(CalendarDate(fullDate: "2026-11-22"))
        return DescriptionComparison(
            old: old, new: new, options: ComparisonOptions(today: today, deprecationDays: deprecationDays)
        ).changes
    }

    @Test("Each check of the catalog has an example", arguments: ChangeCatalog.all)
    func examples(_ check: ChangeCheck) throws {
        let explanation = try #require(Explanations.of(check.id).last)
        let descriptions = Self.descriptions(explanation)
        try #require(descriptions.count == (check.level == .info ? 2 : 3), "\(explanation.text)")
        let days = explanation.text.contains("--deprecation-days 30") ? 30 : 0
        let found = try Self.changes(from: descriptions[0], to: descriptions[1], deprecationDays: days)
        #expect(found.contains { $0.id == check.id }, "\(explanation.text)\n\(found.map(\.id))")
        guard let corrected = descriptions.dropFirst(2).first else { return }
        let left = try Self.changes(from: descriptions[0], to: corrected, deprecationDays: days)
        #expect(!left.contains { $0.id == check.id || $0.level == .breaking }, "\(explanation.text)\n\(left.map(\.id))")
    }
}
