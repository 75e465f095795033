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
        name: "coverage", abstract: "Say what recorded runs have exercised of their contracts.",
        discussion: """
            Records are those that "--report json=PATH" writes; what several cover of one description, such as those of \
            shards, is added up. Exit status: 0; 1 when less is covered than --threshold; 2 when a record cannot be read \
            or none has a contract.
            """)

    var records: [String] = []
    var format: Format = .text
    var threshold: Double?

    static var syntax: [Syntax] {
        [
            .arguments(
                "record", \.records, isRequired: true, "The records; - for standard input.",
                completion: .files(["jsonl"])),
            .option("format", \.format, "How the coverage is written: text, json or markdown."),
            .option(
                "threshold", value: "percent", \.threshold,
                "Fail when less of a description is covered than this, in per cent."),
        ]
    }

    func validate() throws {
        if records.count(where: { $0 == "-" }) > 1 {
            throw UsageError("standard input can be one of the records only")
        }
        guard let threshold, !(0...100).contains(threshold) else { return }
        throw UsageError("--threshold \(CoverageGate.text(threshold)): write a number from 0 to 100")
    }

    func run() throws {
        let recorded: RecordedCoverage
        do throws(RecordError) {
            recorded = try RecordedCoverage(of: records)
        } catch {
            throw ExitStatus.invalid(because: error.text)
        }
        for note in recorded.notes { StandardError.write("\(note.severity.rawValue): \(note.message)\n") }
        guard !recorded.coverages.isEmpty else {
            throw ExitStatus.invalid(
                because: "there is no coverage to tell; run suites with \"contract: openapi.yaml\" or --contract FILE")
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
        for shortfall in shortfalls { StandardError.write("apitest: \(shortfall)\n") }
        if !shortfalls.isEmpty { throw ExitStatus.failed }
    }
}
