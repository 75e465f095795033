import APITestKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#endif

@Suite("Swift code in the documentation of the test kit")
struct DocumentationTests {
    private static let options = TestRunOptions(callingFile: #filePath)

    private func text(_ path: String) throws -> String {
        let root = try #require(Self.options.fileRoot)
        return String(decoding: try Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
    }

    @Test("The page about Swift Testing shows the file that these tests compile")
    func example() throws {
        let file = try text("Tests/APITestKitTests/BookshopTests.swift")
        #expect(try text("Documentation/swift-testing.md").contains("```swift\n\(file)```\n"))
    }

    @Test(
        "Examples are parts of files that these tests compile",
        arguments: [
            ("Sources/APITestKitTesting/SuiteCase.swift", "BookshopTests.swift"),
            ("Sources/APITestKit/TestRun.swift", "TestRunTests.swift"),
            ("Documentation/swift-testing.md", "TestRunTests.swift"),
        ])
    func examples(in path: String, compiled name: String) throws {
        let lines = try text("Tests/APITestKitTests/\(name)").split(separator: "\n").map { $0.drop { $0 == " " } }
        let documented = try text(path).split(separator: "\n").map { line in
            line.hasPrefix("///") ? line.dropFirst(3).drop { $0 == " " } : line.drop { $0 == " " }
        }
        // The last example of the file or page.
        let end = try #require(documented.lastIndex(of: "```"))
        let start = try #require(documented[..<end].lastIndex(of: "```swift"))
        let example = Array(documented[(start + 1)..<end])
        #expect(!example.isEmpty)
        #expect(lines.indices.contains { lines[$0...].starts(with: example) })
    }
}
