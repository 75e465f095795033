import Glibc
import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports

struct ReportFileTests {
    @Test func aPathThatCannotBeWrittenIsFoundAtOnce() throws {
        let folder = try TemporaryFolder()
        try TemporaryFolder.write([], to: folder.path + "/file")
        for path in [folder.path, folder.path + "/new/", folder.path + "/file/report.xml"] {
            do {
                _ = try JUnitReporter(path: path)
                Issue.record("\(path) was accepted")
            } catch {
                #expect(error.path == path)
                #expect(error.message.hasPrefix("cannot write the report \"\(path)\": "))
            }
        }
        #expect(TemporaryFolder.names(in: folder.path) == ["file"])
    }

    @Test func nothingIsLeftBehindBeforeTheEnd() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/deep/er/report.xml"
        let reporter = try JUnitReporter(path: path)
        #expect(TemporaryFolder.names(in: folder.path + "/deep/er") == [])
        try reporter.finish()
        #expect(TemporaryFolder.names(in: folder.path + "/deep/er") == ["report.xml"])
    }

    @Test func anOldReportIsReplacedAsAWhole() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/report.xml"
        try TemporaryFolder.write(Array("old".utf8), to: path)
        #expect(symlink("report.xml", folder.path + "/link.xml") == 0)
        let reporter = try JUnitReporter(path: folder.path + "/link.xml")
        #expect(try TemporaryFolder.read(path) == Array("old".utf8))
        try reporter.finish()
        #expect(try TemporaryFolder.read(path).starts(with: "<?xml".utf8))
        #expect(try TemporaryFolder.read(folder.path + "/link.xml") == (try TemporaryFolder.read(path)))
    }

    @Test func aFolderThatCannotBeCreatedAnyMoreIsAnError() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/gone/report.xml"
        let reporter = try JUnitReporter(path: path)
        #expect(TemporaryFolder.names(in: folder.path).isEmpty)
        try TemporaryFolder.write([], to: folder.path + "/gone")
        #expect(throws: ReportError.self) { try reporter.finish() }
    }

    @Test func aDeviceIsWrittenToAndNotReplaced() throws {
        let reporter = try JUnitReporter(path: "/dev/null")
        let fixture = Fixture()
        for event in fixture.events([fixture.result("a", .passed)]) { reporter.receive(event) }
        try reporter.finish()
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }
}
