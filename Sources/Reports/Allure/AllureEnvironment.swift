import SuiteModel

/// Allure's `environment.properties`: what a run had in common.
enum AllureEnvironment {
    /// The file.
    ///
    /// - Parameter notices: What happened beside the tests, for which Allure has no other place.
    static func bytes(
        run: RunInfo, suites: [Int: SuiteInfo], notices: [RunNotice] = [], missing: MissingTests? = nil,
        wasInterrupted: Bool = false
    ) -> [UInt8] {
        var output: [UInt8] = []
        func write(_ name: String, _ value: String) {
            append(name, to: &output, isKey: true)
            output += " = ".utf8
            append(value, to: &output, isKey: false)
            output.append(0x0A)
        }
        write("apitest", run.version)
        write("seed", String(run.seed))
        write("host", run.hostName)
        write("jobs", String(run.jobs))
        if let shard = run.shard { write("shard", shard) }
        let environments = Set(suites.values.compactMap(\.environment)).sorted()
        if !environments.isEmpty { write("environment", environments.joined(separator: ", ")) }
        let addresses = Set(suites.values.compactMap(\.baseURL)).sorted()
        // The servers that suites start have addresses without end.
        if !addresses.isEmpty, addresses.count <= 10 { write("baseURL", addresses.joined(separator: ", ")) }
        if wasInterrupted { write("interrupted", "true") }
        if let missing { write("incomplete", missing.message) }
        for (index, notice) in notices.enumerated() {
            let name = notice.suite.flatMap { suites[$0]?.name }.map { $0 + ": " } ?? ""
            write("notice \(index + 1)", "\(notice.severity.rawValue): \(name)\(notice.message)")
        }
        return output
    }

    /// Appends a key or value, escaped as Java's properties are, in ASCII.
    private static func append(_ text: String, to output: inout [UInt8], isKey: Bool) {
        var isFirst = true
        for unit in text.utf16.prefix(FailureSummary.longestMessage) {
            defer { isFirst = false }
            switch unit {
            case 0x20 where isKey || isFirst: output += "\\ ".utf8
            case 0x3A where isKey, 0x3D where isKey, 0x23 where isKey, 0x21 where isKey, 0x5C:
                output += [0x5C, UInt8(truncatingIfNeeded: unit)]
            case 0x20..<0x7F: output.append(UInt8(truncatingIfNeeded: unit))
            default:
                let digits = String(unit, radix: 16, uppercase: true)
                output += "\\u".utf8
                output += String(repeating: "0", count: 4 - digits.utf8.count).utf8
                output += digits.utf8
            }
        }
    }
}
