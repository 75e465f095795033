import Basics
import Output
import RunModel

/// The tests and records that a merged run lacks, and notices about the records.
extension RecordMerge {
    /// Returns the tests that the records lack, or `nil` if the merged run is complete.
    func missingTests() -> MissingTests? {
        var reasons: [String] = []
        if let shards = missingShardText { reasons.append("no record of shard \(shards)") }
        if let text = missingRecordText { reasons.append(text) }
        for name in emptyNames.prefix(Self.maximumNames) { reasons.append("\"\(name)\" is empty") }
        let parts = sources.filter { !$0.isWhole && !$0.isSuperseded }
        if parts.contains(where: { $0.wasInterrupted || $0.summary?.wasInterrupted == true }) {
            reasons.append("interrupted")
        }
        for source in parts {
            // The reasons of previously merged records are kept.
            for reason in source.summary?.missing?.reasons ?? [] where !reasons.contains(reason) {
                reasons.append(reason)
            }
        }
        guard !reasons.isEmpty || !parts.isEmpty else { return nil }
        let known = suites.indices.reduce(0) { $0 + plannedTests(ofSuite: $1) }
        let isSharded = sources.allSatisfy { $0.shard != nil }
        let planned = max(known, isSharded ? sources.compactMap(\.info.testCountOfShards).max() ?? 0 : 0)
        let done = suites.reduce(0) { $0 + $1.doneCount }
        let lacking = max(0, planned - done)
        if reasons.isEmpty, lacking == 0, let source = parts.first {
            reasons.append("\"\(source.name)\" ends before its run finished")
        }
        return MissingTests(notRun: lacking, planned: planned, reasons: reasons)
    }

    /// Returns the number of planned tests in a suite.
    ///
    /// The numbers of shards are added up.
    private func plannedTests(ofSuite suite: Int) -> Int {
        suites[suite].planned.values.reduce(0, +)
    }

    func notRun(ofSuite suite: Int) -> Int {
        max(0, plannedTests(ofSuite: suite) - suites[suite].doneCount)
    }

    /// The first shards without a record and the number of further ones, or `nil` if none is missing.
    private var missingShardText: String? {
        let missing = missingShards
        guard !missing.isEmpty else { return nil }
        let shown = missing.prefix(Self.maximumNames).map(\.description).joined(separator: ", ")
        return shown + (missing.count > Self.maximumNames ? " and \(missing.count - Self.maximumNames) more" : "")
    }

    /// The shards without a record, for each division that any record belongs to.
    ///
    /// Empty unless all records belong to shards. Without records, all expected shards.
    private var missingShards: [Shard] {
        let shards = sources.compactMap(\.shard)
        guard shards.count == sources.count else { return [] }
        let known = Set(shards)
        var divisions = shards.map(\.division).unique
        if divisions.isEmpty, let expected, let shard = Shard(index: 1, count: expected) {
            divisions = [shard.division]
        }
        return divisions.flatMap { $0.shards.filter { !known.contains($0) } }
    }

    /// The number of expected records that are missing, or `nil` if none is missing or their shards are known.
    private var missingRecordText: String? {
        guard let expected, sources.contains(where: { $0.shard == nil }), sources.count < expected else { return nil }
        return "expected \(NumberText.count(expected, "record")), got \(sources.count)"
    }

    /// Returns notices about inconsistencies between the records.
    func notes() throws(RecordError) -> [RunNotice] {
        var notes: [RunNotice] = []
        if !repeatedShards.isEmpty {
            let shown = repeatedShards.prefix(Self.maximumNames).map(\.description).joined(separator: ", ")
            let more = repeatedShards.count - Self.maximumNames
            notes.append(
                RunNotice(
                    .repeatedShard, severity: .note,
                    message: "several records of shard \(shown)\(more > 0 ? " and \(more) more" : ""): "
                        + "only the complete one counts, or else the last one"))
        }
        let repeated = tests.repeated
        if repeated > 0 {
            var repeatedNames: [String] = []
            for test in tests.firstRepeated { repeatedNames.append(try name(of: test) ?? "") }
            let names = repeatedNames.map { "\"\($0)\"" }.joined(separator: ", ")
            let more = repeated > repeatedNames.count ? " and \(repeated - repeatedNames.count) more" : ""
            let what =
                repeated == 1
                ? "1 test is in several records; only its last run counts"
                : "\(repeated) tests are in several records; only the last run of each counts"
            notes.append(RunNotice(.repeatedTest, severity: .note, message: "\(what): \(names)\(more)"))
        }
        for name in emptyNames {
            notes.append(
                RunNotice(
                    .emptyRecord, severity: .warning,
                    message: "\"\(name)\" is empty: its run was killed at the start"))
        }
        if let shards = missingShardText {
            notes.append(
                RunNotice(.missingShard, severity: .warning, message: "no record was given for shard \(shards)"))
        }
        if let text = missingRecordText {
            notes.append(RunNotice(.missingRecord, severity: .warning, message: MessageText(text)))
        }
        if sources.map(\.info.seed).unique.count > 1 {
            let seeds = sources.prefix(Self.maximumNames).map { "\($0.info.seed) (\($0.title))" }.joined(
                separator: ", ")
            let more = sources.count > Self.maximumNames ? ", …" : ""
            notes.append(
                RunNotice(
                    .differentSeeds, severity: .note, message: "the runs used different seeds: \(seeds)\(more)"))
        }
        return notes
    }
}
