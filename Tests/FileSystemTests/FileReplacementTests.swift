import Basics
import Glibc
import Testing

@testable import FileSystem

@Suite
struct FileReplacementTests {
    /// Runs a closure in a directory that is removed afterwards.
    private func inDirectory(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/file-replacement-XXXXXX".utf8CString)
        let directory = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { rmdir(directory) }
        try body(directory)
    }

    private func contents(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test("A file is replaced atomically, and no temporary file is left")
    func replaces() throws {
        try inDirectory { directory in
            let path = directory + "/file"
            try FileReplacement.write(Array("first".utf8), to: path, permissions: 0o600)
            try FileReplacement.write(Array("second".utf8), to: path, permissions: 0o640)
            #expect(contents(path) == "second")
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o640)
            #expect(unlink(path) == 0)
        }
    }

    @Test("A file whose replacement is declined stays unchanged")
    func unwanted() throws {
        try inDirectory { directory in
            let path = directory + "/file"
            try FileReplacement.write(Array("first".utf8), to: path)
            #expect(try !FileReplacement.write(Array("second".utf8), to: path, if: { false }))
            #expect(contents(path) == "first")
            #expect(unlink(path) == 0)
        }
    }

    @Test("A symbolic link is replaced, and its target stays unchanged")
    func link() throws {
        try inDirectory { directory in
            let (target, path) = (directory + "/target", directory + "/link")
            try FileReplacement.write(Array("kept".utf8), to: target)
            #expect(symlink(target, path) == 0)
            try FileReplacement.write(Array("new".utf8), to: path)
            #expect(contents(target) == "kept")
            #expect(contents(path) == "new")
            #expect(unlink(target) == 0 && unlink(path) == 0)
        }
    }

    @Test("A failure has the system's reason")
    func failures() throws {
        #expect(throws: SystemError(ENOENT)) { try FileReplacement.write([], to: "/this/is/not/there") }
        #expect(throws: SystemError(ENOENT)) { try FileReplacement.check("/this/is/not/there") }
        #expect(SystemError(ENOENT).message == "No such file or directory")
        try inDirectory { directory in
            #expect(mkdir(directory + "/full", 0o777) == 0)
            // A file does not replace a directory. The removal proves that the temporary file is gone.
            #expect(throws: SystemError(EISDIR)) { try FileReplacement.write([1], to: directory + "/full") }
            #expect(rmdir(directory + "/full") == 0)
        }
    }
}
