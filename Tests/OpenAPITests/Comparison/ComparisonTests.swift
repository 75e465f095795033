import OpenAPI
import Testing

@Suite("Comparing descriptions")
struct ComparisonTests {
    private static func lines(_ changes: [Change]) -> [String] {
        Set(changes.map { "\($0.level.rawValue) \($0.id)" }).sorted()
    }

    @Test("Each pair has exactly the expected changes", arguments: ComparisonPair.all)
    func differs(_ pair: ComparisonPair) throws {
        let changes = try pair.changes()
        let found = Self.lines(changes)
        let missing = pair.expected.filter { !found.contains($0) }
        let extra = found.filter { !pair.expected.contains($0) }
        #expect(missing.isEmpty && extra.isEmpty, "\(pair.name): missing \(missing), unexpected \(extra)")
        for message in pair.messages where !changes.contains(where: { $0.message == message }) {
            Issue.record("\(pair.name): no \"\(message)\" among \(changes.map(\.message))")
        }
        for change in changes {
            #expect(change.oldLocation != nil || change.newLocation != nil, "\(change.id) has no location")
            #expect(!change.message.contains("{") || change.message.contains("\""), "\(change.message)")
            #expect(!change.message.contains("  ") && !change.message.hasSuffix(" "), "\(change.message)")
        }
    }

    @Test(
        "A description equals itself, and a reversed comparison reports only known changes",
        arguments: ComparisonPair.all)
    func sameAndBackwards(_ pair: ComparisonPair) throws {
        #expect(try pair.changes(sameTwice: true).isEmpty)
        for change in try pair.changes(backwards: true) { #expect(ChangeCatalog.check(change.id) != nil) }
    }

    @Test("Every check of the catalog occurs in a pair and has a unique id")
    func complete() {
        #expect(ComparisonPair.all.count == 398)
        let ids = ChangeCatalog.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        let found = Set(
            ComparisonPair.all.flatMap(\.expected).compactMap { $0.split(separator: " ").last.map(String.init) })
        let missing = ids.filter { !found.contains($0) }
        #expect(missing.isEmpty, "no pair for \(missing)")
        for check in ChangeCatalog.all {
            #expect(!check.summary.contains("{") && !check.summary.contains("  "), "\(check.id): \(check.summary)")
        }
    }
}
