import Testing

@testable import FileSystem

struct FileTests {
    @Test func filesAreReadWhole() throws {
        let path = #filePath
        #expect(File.kind(of: path) == .file)
        let bytes = try File.bytes(at: path)
        #expect(bytes.starts(with: "import Testing".utf8))
        #expect(File.failure(ofReading: path) == nil)
    }

    @Test func whatIsNotThereIsReported() {
        let path = #filePath + ".missing"
        #expect(File.kind(of: path) == nil)
        #expect(File.realPath(path) == nil)
        #expect(File.failure(ofReading: path)?.reason == "no such file or directory")
        let failure = #expect(throws: File.Failure.self) { try File.bytes(at: path) }
        #expect(failure?.reason == "no such file or directory")
    }

    @Test func directoriesHaveSortedNames() throws {
        let names = try #require(File.names(inDirectory: Path.parent(of: #filePath)))
        #expect(names.contains("FileTests.swift"))
        #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(File.names(inDirectory: #filePath) == nil)
        #expect(File.kind(of: Path.parent(of: #filePath)) == .directory)
    }

    /// A pipe has no size, and a device may be infinite.
    @Test func streamsAreReadUpToALimit() throws {
        #expect(try File.bytes(at: "/dev/null").isEmpty)
        #expect(throws: File.Failure.self) { try File.bytes(at: "/dev/zero") }
    }

    @Test func theLedgerHasWhatWasReadOrLookedFor() {
        let (count, paths) = FileLedger.recording {
            _ = File.realPath("/no/such/./file")
            return (try? File.bytes(at: #filePath))?.count ?? 0
        }
        #expect(count > 0)
        #expect(paths == ["/no/such/file", #filePath])
        // Nothing is recorded outside.
        FileLedger.note("/a")
        #expect(FileLedger.recording { FileLedger.note("a/b") }.paths == [])
    }
}
