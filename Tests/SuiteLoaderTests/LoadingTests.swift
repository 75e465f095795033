import Testing

@testable import SuiteLoader
@Suite struct LoadingTests { @Test func x() { #expect(SuiteSchema.json.utf8.count > 100) } }
