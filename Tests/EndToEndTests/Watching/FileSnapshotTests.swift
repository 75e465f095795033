import Glibc
import Testing

@testable import apitest

/// Tests of the state of files and of change notifications.
struct FileSnapshotTests {
    @Test func changedNewAndGoneFilesAreChanges() throws {
        let directory = try TemporaryDirectory()
        let paths = ["same", "longer", "replaced", "gone", "new"].map { "\(directory.path)/\($0)" }
        for path in paths.dropLast() { TestFiles.write("one".utf8, to: path) }
        let before = FileSnapshot.now(of: paths)
        #expect(FileSnapshot.now(of: paths) == before)
        TestFiles.write("three".utf8, to: paths[1])
        // Editors write this way: another file takes over the name.
        TestFiles.write("two".utf8, to: paths[2] + "~")
        #expect(rename(paths[2] + "~", paths[2]) == 0)
        unlink(paths[3])
        TestFiles.write("".utf8, to: paths[4])
        #expect(FileSnapshot.now(of: paths).changes(since: before) == Set(paths.dropFirst()))
    }

    @Test func filesThatWereNotWatchedAreNoChanges() throws {
        let directory = try TemporaryDirectory()
        TestFiles.write("one".utf8, to: directory.path + "/a")
        let before = FileSnapshot.now(of: [])
        #expect(FileSnapshot.now(of: [directory.path + "/a"]).changes(since: before).isEmpty)
    }

    @Test func hintsComeFromWatchedDirectories() throws {
        let directory = try TemporaryDirectory()
        let hints = ChangeHints()
        hints.watch([directory.path])
        #expect(!hints.take())
        TestFiles.write("x".utf8, to: directory.path + "/a")
        #expect(hints.take())
        #expect(!hints.take())
        unlink(directory.path + "/a")
        #expect(hints.take())
    }

    @Test func whereADirectoryCannotBeWatchedThereIsAlwaysAHint() throws {
        let hints = ChangeHints()
        hints.watch(["/nowhere/at/all"])
        #expect(hints.take())
        #expect(hints.take())
    }
}
