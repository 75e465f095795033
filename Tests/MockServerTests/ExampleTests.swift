import Diagnostics
import SuiteLoader
import SuiteModel
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Tests that the introductory examples load without diagnostics.
@Suite struct ExampleTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")
    private static let options = LoaderOptions(fileRoot: root, workingDirectory: root)

    @Test func theMockIsRead() {
        let (definition, diagnostics) = MockLoader(options: Self.options)
            .load(path: "examples/bookshop/bookshop.mock.yaml")
        #expect(diagnostics.map { TextRenderer(color: false).render([$0]) } == [])
        #expect(definition?.collections.map(\.seed.count) == [4, 0])
        #expect((definition?.routes.count ?? 0) > 10)
    }

    @Test(arguments: [
        "examples/bookshop/bookshop.apitest.yaml", "examples/bookshop/failing.yaml",
        "examples/httpbin/httpbin.apitest.yaml",
    ])
    func suitesAreRead(_ path: String) {
        let result = SuiteLoader(options: Self.options).load(paths: [path])
        #expect(result.diagnostics.map { TextRenderer(color: false).render([$0]) } == [])
        #expect(result.suites.count == 1)
    }

    @Test func theSchemaIsCurrent() throws {
        let path = "\(Self.root)/schemas/mock.schema.json"
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var text: [UInt8] = []
        var byte = fgetc(file)
        while byte != EOF {
            text.append(UInt8(truncatingIfNeeded: byte))
            byte = fgetc(file)
        }
        #expect(
            String(decoding: text, as: UTF8.self) == MockSchema.json,
            "schemas/mock.schema.json does not match MockSchema")
    }
}
