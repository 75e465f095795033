import APITestKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#endif

@Suite("The Swift Testing documentation page")
struct DocumentationTests {
    @Test("The page shows the file that these tests compile")
    func example() throws {
        let options = TestRunOptions(callingFile: #filePath)
        let root = try #require(options.fileRoot)
        func text(_ path: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        }
        let page = try text(root + "/Documentation/swift-testing.md")
        let file = try text(options.directory + "/BookshopTests.swift")
        #expect(page.contains("```swift\n\(file)```\n"))
    }
}
