import FileSystem
import Glibc
import Reports
import RunModel
import SuiteModel

/// Makes reports of records, and says how the program ends.
struct RecordPlay {
    private let player: RecordPlayer
    /// Whether what is to be said of the records is printed, rather than shown by a report.
    private let printsNotes: Bool

    /// Makes the reporters that are asked for.
    ///
    /// - Parameter history: Where the results are kept beside those of earlier runs, if they are.
    /// - Throws: ``ExitStatus/invalid`` when a report cannot be written, which is printed.
    init(_ reports: [String], of records: [String], history: HistoryOptions? = nil) throws {
        let environment = ProcessEnvironment.variables()
        do throws(ReportError) {
            let requests = try RequestedReports(reports)
            for path in requests.paths {
                if let record = records.first(where: { Self.isSameFile($0, path) }) {
                    throw ReportError(path: path, message: "the record \(record) would be overwritten")
                }
            }
            // The history comes first: at the run's end the others read what it has found.
            let board = TrendBoard()
            var reporters: [any Reporter] = []
            if let history = try history?.reporter(board: board) {
                reporters = [history, TrendsLineReporter(board: board, output: StandardError.write)]
            }
            player = RecordPlayer(try reporters + requests.reporters(environment: environment, board: board))
        } catch {
            throw ExitStatus.invalid(because: error.message)
        }
        printsNotes = true
    }

    /// Takes reporters that show what is to be said of the records.
    init(reporters: [any Reporter]) {
        player = RecordPlayer(reporters, showsExchanges: true)
        printsNotes = false
    }

    /// Whether two paths are those of one regular file.
    private static func isSameFile(_ first: String, _ second: String) -> Bool {
        var (left, right) = (stat(), stat())
        return stat(first, &left) == 0 && stat(second, &right) == 0 && left.st_mode & S_IFMT == S_IFREG
            && left.st_dev == right.st_dev && left.st_ino == right.st_ino
    }

    /// Reads records and writes the reports; what cannot be written is printed.
    ///
    /// - Returns: How the recorded run would have ended the program.
    /// - Throws: ``ExitStatus/invalid`` when a record cannot be read, which is printed.
    func status(_ play: (RecordPlayer) throws(RecordError) -> RecordOutcome) throws -> ExitStatus {
        let outcome: RecordOutcome
        do throws(RecordError) {
            outcome = try play(player)
        } catch {
            StandardOutput.flush()
            throw ExitStatus.invalid(because: error.text)
        }
        StandardOutput.flush()
        if printsNotes {
            for note in outcome.notes { StandardError.write("\(note.severity.rawValue): \(note.message)\n") }
        }
        let errors = player.finish()
        for error in errors { StandardError.write("apitest: \(error.message)\n") }
        return PlanExecution.status(of: outcome.summary, reportErrors: errors)
    }
}
