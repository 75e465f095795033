import Basics
import Glibc
import Testing

@testable import Runner

@Testing.Suite("Files that suites name")
struct FileAccessTests {
    /// Creates a temporary directory with the files `in/a.txt` and `b.txt`, and a link `in/link` to the latter.
    private func withDirectory(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/apitest-files-XXXXXX".utf8CString)
        let path = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        let directory = try #require(path)
        defer {
            for entry in ["/in/a.txt", "/in/link", "/b.txt"] { unlink(directory + entry) }
            rmdir(directory + "/in")
            rmdir(directory)
        }
        mkdir(directory + "/in", 0o755)
        for file in ["/in/a.txt", "/b.txt"] {
            let descriptor = open(directory + file, O_CREAT | O_WRONLY, 0o644)
            write(descriptor, "text", 4)
            close(descriptor)
        }
        symlink(directory + "/b.txt", directory + "/in/link")
        try body(directory)
    }

    @Test("Files inside the root are read relative to the suite")
    func inside() throws {
        try withDirectory { directory in
            let files = FileAccess(root: directory + "/in")
            for path in ["a.txt", "../in/a.txt", directory + "/in/a.txt"] {
                let bytes = try files.read(path, relativeTo: directory + "/in")
                #expect(bytes == Array("text".utf8))
            }
        }
    }

    @Test("Files of any size are read in pieces", arguments: [0, 4, 1 << 16, (3 << 16) + 5])
    func pieces(size: Int) throws {
        try withDirectory { directory in
            let contents = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
            let descriptor = open(directory + "/in/a.txt", O_TRUNC | O_WRONLY)
            #expect(contents.withUnsafeBytes { write(descriptor, $0.baseAddress, size) } == size)
            close(descriptor)
            let files = FileAccess(root: directory + "/in")
            var read: [UInt8] = []
            var largest = 0
            try files.readPieces("a.txt", relativeTo: directory + "/in") { piece in
                read += piece
                largest = max(largest, piece.count)
            }
            #expect(read == contents)
            #expect(largest <= 1 << 16)
            #expect(throws: FileAccess.Failure.self) {
                try files.readPieces("link", relativeTo: directory + "/in") { _ in }
            }
        }
    }

    @Test(
        "Files outside the root are rejected by relative path, absolute path, and link",
        arguments: ["../b.txt", "link"])
    func outside(path: String) throws {
        try withDirectory { directory in
            let files = FileAccess(root: directory + "/in")
            #expect(throws: FileAccess.Failure.self) { try files.read(path, relativeTo: directory + "/in") }
            #expect(throws: FileAccess.Failure.self) { try files.read(directory + "/b.txt", relativeTo: directory) }
        }
    }

    @Test("Missing files and directories are reported as such")
    func missing() throws {
        try withDirectory { directory in
            let files = FileAccess(root: directory)
            #expect { try files.read("none", relativeTo: directory) } throws: { error in
                (error as? FileAccess.Failure)?.message == "the file \"none\" cannot be read: No such file or directory"
            }
            #expect { try files.read("in", relativeTo: directory) } throws: { error in
                (error as? FileAccess.Failure)?.message == "\"in\" is not a regular file"
            }
        }
    }
}
