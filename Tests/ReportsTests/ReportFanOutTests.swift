import Reports
import SuiteModel
import Testing

struct ReportFanOutTests {
    @Test func everyReporterGetsEachEventInOrder() {
        let first = EventRecorder()
        let second = EventRecorder()
        let fixture = Fixture()
        let fanOut = ReportFanOut([first, second])
        for event in fixture.events([fixture.result("a", .passed)]) { fanOut.send(event) }
        #expect(first.events.count == 6)
        #expect(first.dump == second.dump)
    }

    @Test func secretsAreNotHandedOn() {
        let recorder = EventRecorder()
        let fanOut = ReportFanOut([recorder])
        fanOut.send(.secretLearned("hunter2"))
        #expect(recorder.events.isEmpty)
    }

    @Test func aReporterThatFailsKeepsNoOtherFromFinishing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/report.xml"
        let fanOut = ReportFanOut([
            EventRecorder(failure: ReportError(path: "x", message: "no")), try JUnitReporter(path: path),
            EventRecorder(failure: ReportError(message: "neither")),
        ])
        #expect(fanOut.finish().map(\.message) == ["no", "neither"])
        #expect(TemporaryFolder.names(in: folder.path) == ["report.xml"])
    }
}
