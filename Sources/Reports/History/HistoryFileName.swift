/// The name of a file that holds the results of one run: `20231114T221320.250Z-0123456789ab.apitest-run`.
///
/// Names sort as the runs began. A part of a run has its number in it, so that parts are kept as long as whole runs are.
struct HistoryFileName: Hashable {
    /// What every name ends in.
    private static let ending = ".apitest-run"

    /// The whole name.
    let text: String
    /// The part of the tests that the run took, as in `2of5`; empty for all.
    let shard: String

    /// Makes the name for a run.
    ///
    /// - Parameters:
    ///   - start: Seconds since 1970-01-01T00:00:00Z.
    ///   - shard: The part of the tests, as in `2/5`.
    ///   - id: A word that no run of the same moment has.
    init(start: Double, shard: String?, id: String) {
        let clamped = start.isFinite ? min(max(0, start), 253_402_300_799) : 0
        let time = Timestamp.text(clamped).filter { $0 != "-" && $0 != ":" }
        let thousandths = String(Int((clamped - clamped.rounded(.down)) * 1_000))
        self.shard = (shard ?? "").split(separator: "/").joined(separator: "of").filter { $0.isLetter || $0.isNumber }
        text =
            time + "." + String(repeating: "0", count: max(0, 3 - thousandths.utf8.count)) + thousandths + "Z-" + id
            + (self.shard.isEmpty ? "" : "-" + self.shard) + Self.ending
    }

    /// Reads a name; nil for that of another file, which is none of the history's business.
    init?(_ text: String) {
        guard text.hasSuffix(Self.ending) else { return nil }
        let parts = text.dropLast(Self.ending.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let time = parts.first,
            time.utf8.count == 20, time.utf8.last == UInt8(ascii: "Z"),
            time.utf8.prefix(8).allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.text = text
        shard = parts.count == 3 ? String(parts[2]) : ""
    }
}
