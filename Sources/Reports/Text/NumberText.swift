/// Counts, sizes and rates as reports write them.
enum NumberText {
    /// A count with its noun: `1 test`, `2 tests`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// A size in powers of 1,000: `61 B`, `1.2 KB`, `34 MB`.
    static func size(_ bytes: Int) -> String {
        if bytes < 1_000 { return "\(bytes) B" }
        var unit = 1_000
        var name = "KB"
        for next in ["MB", "GB", "TB"] where bytes / unit >= 1_000 {
            unit *= 1_000
            name = next
        }
        let tenths = bytes / (unit / 10)
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(name)" : "\(bytes / unit) \(name)"
    }

    /// How many of something there are per second, with a decimal below 100; nil when no time has passed.
    static func rate(_ number: Int, nanoseconds: Int64) -> String? {
        guard nanoseconds > 0, number > 0 else { return nil }
        let rate = Double(number) * 1e9 / Double(nanoseconds)
        guard rate < 1e12 else { return nil }
        if rate >= 99.95 { return String(Int64(rate.rounded())) }
        let tenths = Int64((rate * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
