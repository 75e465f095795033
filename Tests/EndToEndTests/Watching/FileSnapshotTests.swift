import Glibc
import Testing

@testable import apitest

/// Tests of the state of files and of change notifications.
struct FileSnapshotTests {
    @Test func changedNewAndGoneFilesAreChanges() throws {
        let folder = try TemporaryFolder()
        let paths = ["same", "longer", "replaced", "gone", "new"].map { "\(folder.path)/\($0)" }
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
        let folder = try TemporaryFolder()
        TestFiles.write("one".utf8, to: folder.path + "/a")
        let before = FileSnapshot.now(of: [])
        #expect(FileSnapshot.now(of: [folder.path + "/a"]).changes(since: before).isEmpty)
    }

    @Test func hintsComeFromWatchedFolders() throws {
        let folder = try TemporaryFolder()
        let hints = ChangeHints()
        hints.watch([folder.path])
        #expect(!hints.take())
        TestFiles.write("x".utf8, to: folder.path + "/a")
        #expect(hints.take())
        #expect(!hints.take())
        unlink(folder.path + "/a")
        #expect(hints.take())
    }

    @Test func whereAFolderCannotBeWatchedThereIsAlwaysAHint() throws {
        let hints = ChangeHints()
        hints.watch(["/nowhere/at/all"])
        #expect(hints.take())
        #expect(hints.take())
    }
}
