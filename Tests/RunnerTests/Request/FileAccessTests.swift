import Glibc
import Testing

@testable import Runner

@Testing.Suite("Files that suites name")
struct FileAccessTests {
    /// Creates a temporary directory with the files `in/a.txt` and `b.txt`, and a link `in/link` to the latter.
    private func withFolder(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/apitest-files-XXXXXX".utf8CString)
        let path = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        let folder = try #require(path)
        defer {
            for entry in ["/in/a.txt", "/in/link", "/b.txt"] { unlink(folder + entry) }
            rmdir(folder + "/in")
            rmdir(folder)
        }
        mkdir(folder + "/in", 0o755)
        for file in ["/in/a.txt", "/b.txt"] {
            let descriptor = open(folder + file, O_CREAT | O_WRONLY, 0o644)
            write(descriptor, "text", 4)
            close(descriptor)
        }
        symlink(folder + "/b.txt", folder + "/in/link")
        try body(folder)
    }

    @Test("Files inside the root are read relative to the suite")
    func inside() throws {
        try withFolder { folder in
            let files = FileAccess(root: folder + "/in")
            for path in ["a.txt", "../in/a.txt", folder + "/in/a.txt"] {
                let bytes = try files.read(path, relativeTo: folder + "/in")
                #expect(bytes == Array("text".utf8))
            }
        }
    }

    @Test("Files of any size are read in pieces", arguments: [0, 4, 1 << 16, (3 << 16) + 5])
    func pieces(size: Int) throws {
        try withFolder { folder in
            let contents = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
            let descriptor = open(folder + "/in/a.txt", O_TRUNC | O_WRONLY)
            #expect(contents.withUnsafeBytes { write(descriptor, $0.baseAddress, size) } == size)
            close(descriptor)
            let files = FileAccess(root: folder + "/in")
            var read: [UInt8] = []
            var largest = 0
            try files.readPieces("a.txt", relativeTo: folder + "/in") { piece in
                read += piece
                largest = max(largest, piece.count)
            }
            #expect(read == contents)
            #expect(largest <= 1 << 16)
            #expect(throws: FileAccess.Failure.self) {
                try files.readPieces("link", relativeTo: folder + "/in") { _ in }
            }
        }
    }

    @Test(
        "Files outside the root are rejected by relative path, absolute path, and link",
        arguments: ["../b.txt", "link"])
    func outside(path: String) throws {
        try withFolder { folder in
            let files = FileAccess(root: folder + "/in")
            #expect(throws: FileAccess.Failure.self) { try files.read(path, relativeTo: folder + "/in") }
            #expect(throws: FileAccess.Failure.self) { try files.read(folder + "/b.txt", relativeTo: folder) }
        }
    }

    @Test("Missing files and directories are reported as such")
    func missing() throws {
        try withFolder { folder in
            let files = FileAccess(root: folder)
            #expect { try files.read("none", relativeTo: folder) } throws: { error in
                (error as? FileAccess.Failure)?.message == "the file \"none\" cannot be read: No such file or directory"
            }
            #expect { try files.read("in", relativeTo: folder) } throws: { error in
                (error as? FileAccess.Failure)?.message == "\"in\" is not a regular file"
            }
        }
    }
}
