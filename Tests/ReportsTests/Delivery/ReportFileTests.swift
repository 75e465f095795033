import Glibc
import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports

struct ReportFileTests {
    @Test func aPathThatCannotBeWrittenIsFoundAtOnce() throws {
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write([], to: directory.path + "/file")
        for path in [directory.path, directory.path + "/new/", directory.path + "/file/report.xml"] {
            do {
                _ = try JUnitReporter(path: path)
                Issue.record("\(path) was accepted")
            } catch {
                #expect(error.path == path)
                #expect(error.message.hasPrefix("cannot write the report \"\(path)\": "))
            }
        }
        #expect(TemporaryDirectory.names(in: directory.path) == ["file"])
    }

    @Test func nothingIsLeftBehindBeforeTheEnd() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/deep/er/report.xml"
        let reporter = try JUnitReporter(path: path)
        #expect(TemporaryDirectory.names(in: directory.path + "/deep/er") == [])
        try reporter.finish()
        #expect(TemporaryDirectory.names(in: directory.path + "/deep/er") == ["report.xml"])
    }

    @Test func anOldReportIsReplacedAsAWhole() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report.xml"
        try TemporaryDirectory.write(Array("old".utf8), to: path)
        #expect(symlink("report.xml", directory.path + "/link.xml") == 0)
        let reporter = try JUnitReporter(path: directory.path + "/link.xml")
        #expect(try TemporaryDirectory.read(path) == Array("old".utf8))
        try reporter.finish()
        #expect(try TemporaryDirectory.read(path).starts(with: "<?xml".utf8))
        #expect(try TemporaryDirectory.read(directory.path + "/link.xml") == (try TemporaryDirectory.read(path)))
    }

    @Test func aDirectoryThatCannotBeCreatedAnyMoreIsAnError() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/gone/report.xml"
        let reporter = try JUnitReporter(path: path)
        #expect(TemporaryDirectory.names(in: directory.path).isEmpty)
        try TemporaryDirectory.write([], to: directory.path + "/gone")
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
