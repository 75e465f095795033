import RunModel
import TestSupport

@testable import Reports
@testable import RunRecord

/// Records of the rich run.
enum RecordSample {
    /// Returns the record of events, with a clock that advances by 1 ms on each read.
    static func record(_ events: [RunEvent] = RichRun.events, keepsExchanges: Bool = false) throws -> [UInt8] {
        let clock = TestClock()
        return try RichRun.report(events) { path in
            try JSONLinesReporter(path: path, keepsExchanges: keepsExchanges) {
                clock.advance(milliseconds: 1)
                return clock.now()
            }
        }
    }

    /// Returns the lines of a record.
    static func lines(_ record: [UInt8]) -> [ArraySlice<UInt8>] { record.split(separator: UInt8(ascii: "\n")) }

    /// Returns the report that a reporter creates from a record.
    static func replayed(_ record: [UInt8], _ make: (_ path: String) throws -> any Reporter) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write(record, to: directory.path + "/in.jsonl")
        let player = RecordPlayer([try make(directory.path + "/out")])
        _ = try player.play(RecordInput(path: directory.path + "/in.jsonl"))
        for error in player.finish() { throw error }
        return try TemporaryDirectory.read(directory.path + "/out")
    }

    /// Returns the error for a record as printed, without the directory.
    static func error(_ record: [UInt8]) throws -> String? {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/in.jsonl"
        try TemporaryDirectory.write(record, to: path)
        do throws(RecordError) {
            _ = try RecordPlayer([]).play(RecordInput(path: path))
            return nil
        } catch {
            return error.text.split(separator: directory.path + "/").joined()
        }
    }
}
