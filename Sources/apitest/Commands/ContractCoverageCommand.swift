import Diagnostics
import JSON
import Reports
import RunModel
import RunRecord
import SuiteModel

/// The `apitest contract coverage RECORD…` command.
struct ContractCoverageCommand: SynchronousCommand {
    /// The output format of the coverage.
    enum Format: String, ArgumentValue, CaseIterable {
        case text, json, markdown
    }

    static let description = CommandDescription(
        name: "coverage", abstract: "Report the contract coverage of recorded runs",
        discussion: """
            A record is a file written by "--report json=PATH". The coverage of a description is added up across \
            records, such as those of shards. Exit status: 0 success; 1 coverage is below --threshold; 2 a record \
            cannot be read, or no record has a contract.
            """)

    var records: [String] = []
    var format: Format = .text
    var threshold: Double?

    static var syntax: [Syntax] {
        [
            .arguments(
                "record", \.records, isRequired: true, "Record files, or - for standard input",
                completion: .files(["jsonl"])),
            .option("format", \.format, "Output format"),
            .option(
                "threshold", value: "percent", \.threshold,
                "Fail if less than this percentage of a description is covered"),
        ]
    }

    func validate() throws {
        if records.count(where: { $0 == "-" }) > 1 {
            throw UsageError(.conflictingOptions, "standard input (-) can be given only once")
        }
        guard let threshold, !(0...100).contains(threshold) else { return }
        throw UsageError(.invalidOption, "--threshold \(CoverageGate.text(threshold)): must be from 0 to 100")
    }

    func run() throws {
        let recorded: RecordedCoverage
        do throws(RecordError) {
            recorded = try RecordedCoverage(of: records)
        } catch {
            throw ExitStatus.invalid(error.id, because: error.text)
        }
        for note in recorded.notes { StandardError.write("\(note.severity.rawValue): \(note.messageWithID)\n") }
        guard !recorded.coverages.isEmpty else {
            throw ExitStatus.invalid(
                .missingContract,
                because:
                    "no record contains contract coverage: run suites with \"contract: openapi.yaml\" or --contract FILE"
            )
        }
        let listing = CoverageListing(recorded.coverages)
        switch format {
        case .text: StandardOutput.write(listing.text)
        case .json: StandardOutput.write(listing.json.serialized(.pretty) + "\n")
        case .markdown: StandardOutput.write(listing.markdown)
        }
        StandardOutput.flush()
        let gate = CoverageGate(threshold: threshold, option: "--threshold", showsAll: true)
        let shortfalls = gate.shortfalls(recorded.coverages)
        for shortfall in shortfalls { StandardError.report(.coverage, "\(shortfall)") }
        if !shortfalls.isEmpty { throw ExitStatus.failed }
    }
}
