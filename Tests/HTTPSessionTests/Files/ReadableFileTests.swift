import Testing

@testable import HTTPSession

@Suite("Random-access files")
struct ReadableFileTests {
    @Test("Bytes are read at any offset, and none are returned at the end of the file")
    func bytes() throws {
        let source = try TemporaryFile(Array("0123456789".utf8))
        let file = try ReadableFile.open(source.path)
        #expect(file.length == 10)
        #expect(try file.bytes(4, at: 3) == Array("3456".utf8))
        #expect(try file.bytes(4, at: 8) == Array("89".utf8))
        #expect(try file.bytes(4, at: 10).isEmpty)
    }

    @Test(
        "Opening anything other than a regular file fails with the reason",
        arguments: [("/tmp", "directory"), ("/dev/null", "argument")])
    func refused(path: String, word: String) throws {
        let failure = #expect(throws: FileFailure.self) { try ReadableFile.open(path) }
        #expect("\(try #require(failure))".contains(word))
    }

    @Test("A file is read in consecutive pieces")
    func pieces() async throws {
        let source = try TemporaryFile([UInt8](repeating: 7, count: 70_000))
        let pieces = try await FilePieces.open(source.path)
        var sizes: [Int] = []
        while let piece = try await pieces.next() { sizes.append(piece.count) }
        #expect(sizes == [65_536, 4_464])
    }
}
