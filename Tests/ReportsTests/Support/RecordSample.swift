import RunModel
import TestSupport

@testable import Reports
@testable import RunRecord

/// Records of the rich run.
enum RecordSample {
    /// The record of events, with a clock that moves by 1 ms at each look.
    static func record(_ events: [RunEvent] = RichRun.events, keepsExchanges: Bool = false) throws -> [UInt8] {
        let clock = TestClock()
        return try RichRun.report(events) { path in
            try JSONLinesReporter(path: path, keepsExchanges: keepsExchanges) {
                clock.advance(milliseconds: 1)
                return clock.now()
            }
        }
    }

    /// The lines of a record.
    static func lines(_ record: [UInt8]) -> [ArraySlice<UInt8>] { record.split(separator: UInt8(ascii: "\n")) }

    /// What a reporter makes of a record.
    static func replayed(_ record: [UInt8], _ make: (_ path: String) throws -> any Reporter) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        try TemporaryFolder.write(record, to: folder.path + "/in.jsonl")
        let player = RecordPlayer([try make(folder.path + "/out")])
        _ = try player.play(folder.path + "/in.jsonl")
        for error in player.finish() { throw error }
        return try TemporaryFolder.read(folder.path + "/out")
    }

    /// The error that a record gives, as it is printed without the folder.
    static func error(_ record: [UInt8]) throws -> String? {
        let folder = try TemporaryFolder()
        let path = folder.path + "/in.jsonl"
        try TemporaryFolder.write(record, to: path)
        do throws(RecordError) {
            _ = try RecordPlayer([]).play(path)
            return nil
        } catch {
            return error.text.split(separator: folder.path + "/").joined()
        }
    }
}
