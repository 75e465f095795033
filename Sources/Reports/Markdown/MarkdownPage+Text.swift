import Basics
import Diagnostics
import Output
import RunModel
import RunRecord

extension MarkdownPage {
    /// The maximum number of bytes of each section other than the failures.
    private static let sectionLimit = 6_000

    /// Returns the report.
    ///
    /// - Parameter limit: The maximum number of bytes. Failures that do not fit are only counted. The first failure of
    ///   each cause takes precedence.
    func text(limit: Int) -> String {
        let head = title + overview + loads.joined() + noticeSection + trendSection
        var tail = [knownSection, coverageSection, flakySection, suiteSection, notRunSection, slowestSection, footer]
        // If the limit is very small, failures take precedence over all other sections.
        let room = max(0, limit - head.utf8.count)
        while tail.count > 1, tail.reduce(0, { $0 + $1.utf8.count }) > room / 2 { tail.remove(at: tail.count - 2) }
        let rest = tail.joined()
        return head + failureSection(limit: room - rest.utf8.count) + rest
    }

    // MARK: Header

    private var title: String {
        var problems = (summary?.failures() ?? []).map { RunProblem(kind: $0).name }
        if counts.failed + counts.errored + counts.blocked > 0 {
            let blocked = counts.blocked > 0 ? ["\(counts.blocked) blocked"] : []
            let parts = (failureCounts(counts.failed, counts.errored) + blocked).joined(separator: ", ")
            problems.append("\(parts) of \(NumberText.count(counts.total, "test"))")
        } else if problems.isEmpty, suites.contains(where: \.hasError) {
            problems.append(RunProblem(kind: .server).name)
        }
        let ran = summary.flatMap { $0.missing == nil ? nil : ", \($0.testCountText) ran" } ?? ""
        if summary?.wasInterrupted == true || isInterrupted {
            if problems.isEmpty { return "# ⚠️ API tests: interrupted\(ran)\n\n" }
            problems.append("interrupted" + ran)
        } else if summary == nil || summary?.missing != nil {
            problems.append("incomplete" + ran)
        }
        if !problems.isEmpty { return "# ❌ API tests: \(problems.joined(separator: ", "))\n\n" }
        if counts.total == counts.skipped { return "# ⚪ API tests: no tests ran\n\n" }
        return "# ✅ API tests: \(NumberText.count(counts.passed + counts.flaky, "test")) passed"
            + (counts.flaky > 0 ? ", \(counts.flaky) only after a retry" : "")
            + (counts.known > 0 ? ", \(counts.known) known to fail\n\n" : "\n\n")
    }

    /// Returns the nonzero numbers of failures and errors in words.
    private func failureCounts(_ failed: Int, _ errored: Int) -> [String] {
        (failed > 0 ? ["\(failed) failed"] : []) + (errored > 0 ? [NumberText.count(errored, "error")] : [])
    }

    private var overview: String {
        var columns = [("Tests", counts.total), ("Passed", counts.passed), ("Flaky", counts.flaky)]
        // Few runs have known failures.
        if counts.known > 0 { columns.append(("Known", counts.known)) }
        columns += [
            ("Failed", counts.failed), ("Errored", counts.errored), ("Skipped", counts.skipped),
            ("Blocked", counts.blocked),
        ]
        let facts = [summary.map { String($0.exchanges) } ?? "", summary.map { DurationText.text($0.duration) } ?? ""]
        var text = MarkdownText.head((columns.map(\.0) + ["Requests", "Time"]).map { .right($0) })
        text += MarkdownText.row(columns.map { String($0.1) } + facts) + "\n"
        if counts.known > 0 { text += "\(NumberText.count(counts.known, "test")) known to fail.\n\n" }
        if let missing = summary?.missing {
            let title = MarkdownText.code(RunProblem(kind: .incomplete).title)
            text += "❌ \(title): \(MarkdownText.code(missing.message, limit: 1_000))\n\n"
        } else if isInterrupted || summary?.wasInterrupted == true {
            text += "The run was interrupted.\n\n"
        }
        return text
    }

    private var noticeSection: String {
        guard !notices.isEmpty else { return "" }
        var blocks: [String] = []
        for severity in [RunNotice.Severity.error, .warning, .note] {
            for notice in notices where notice.severity == severity {
                let name = notice.suite.map { MarkdownText.code(suiteName($0)) + ": " } ?? ""
                var block =
                    "**\(severity.rawValue)**: \(name)\(MarkdownText.code(notice.messageWithID, limit: 1_000))\n\n"
                if !notice.details.isEmpty {
                    let lines = notice.details.flatMap {
                        $0.text.split(separator: "\n", omittingEmptySubsequences: false)
                    }
                    let text = lines.map { "  " + DisplayWidth.printable(String($0)) }.joined(separator: "\n")
                    block += MarkdownText.block(text, language: "text", limit: 1_500) + "\n"
                }
                blocks.append(block)
            }
        }
        return fitted(blocks, omitted: omittedNotices, noun: "notice", into: "## Notices\n\n")
    }

    /// The changes since previous runs.
    private var trendSection: String {
        guard let trends, !trends.isEmpty else { return "" }
        return "## Compared with \(NumberText.count(trends.runs - 1, "previous run"))\n\n"
            + trends.markdownSections(level: "###", limit: Self.sectionLimit)
    }

    /// The coverage of each API description.
    private var coverageSection: String {
        guard let coverages = summary?.coverages, !coverages.isEmpty else { return "" }
        var text = "## Contract coverage\n\n"
        text += MarkdownText.head(
            .left("Description"), .right("Covered"), .left("Part"), .right("Covered"), .right("Of"))
        for coverage in coverages {
            var first = [MarkdownText.code(coverage.description), coverage.total.percentText]
            for (kind, share) in CoverageText(coverage).shares {
                text += MarkdownText.row(first + [kind.plural, "\(share.covered)", "\(share.total)"])
                first = ["", ""]
            }
        }
        text += "\n"
        for coverage in coverages {
            let words = CoverageText(coverage)
            for (title, lines) in [("Not covered", words.missed), ("Not documented", words.undocumented)]
            where !lines.isEmpty {
                let shown = lines.prefix(CoverageText.maximumNamed)
                let more = lines.count - shown.count
                let block = shown.joined(separator: "\n") + (more > 0 ? "\n… \(more) more" : "")
                text += "\(title) in \(MarkdownText.code(coverage.description)):\n\n"
                text += MarkdownText.block(block, language: "text", limit: 3_000) + "\n"
            }
        }
        return text
    }

    // MARK: Failures

    private func failureSection(limit: Int) -> String {
        guard counts.failed + counts.errored > 0 else { return "" }
        let heading = "## Failures\n\n"
        let listBytes = min(Self.maximumListBytes, limit / 4)
        // The first failure of each cause is selected first. On the page, failures are in the order of the run.
        var shown = Set<Int>()
        var left = limit - heading.utf8.count - listBytes
        let ranks = failures.indices.sorted { (failures[$0].rank, $0) < (failures[$1].rank, $1) }
        for index in ranks where failures[index].text.utf8.count <= left {
            left -= failures[index].text.utf8.count
            shown.insert(index)
        }
        var text = heading
        for index in failures.indices where shown.contains(index) { text += failures[index].text }
        let lines = failures.indices.filter { !shown.contains($0) }.map { failures[$0].line } + otherFailures
        return text + failureList(lines, shown: shown.count, limit: listBytes + left)
    }

    /// The number of bytes reserved for failures that are not shown in full.
    private static let maximumListBytes = 12_000

    /// Returns the failures that are not shown in full, one per line.
    private func failureList(_ lines: [MarkdownFailureLine], shown: Int, limit: Int) -> String {
        let count = counts.failed + counts.errored - shown
        guard count > 0 else { return "" }
        var text = "Not shown in full: \(NumberText.count(count, "more failure")).\n\n"
        var listed = 0
        for line in lines {
            let item = line.item
            guard text.utf8.count + item.utf8.count + 30 <= limit else { break }
            text += item
            listed += 1
        }
        if listed > 0, count > listed { text += "- … \(count - listed) more\n" }
        return text + (listed > 0 ? "\n" : "")
    }

    // MARK: Other sections

    private var knownSection: String {
        guard counts.known > 0 else { return "" }
        let rows = known.map { test in
            MarkdownText.row([test.title, test.message, test.location].map { MarkdownText.code($0, inTable: true) })
        }
        let head = MarkdownText.head("Test", "Problem", "")
        return fitted(
            rows, omitted: counts.known - known.count, noun: "known failure", into: "## Known failures\n\n" + head)
    }

    private var flakySection: String {
        guard flakyCount > 0 else { return "" }
        var rows: [String] = []
        for test in flaky {
            let reason = MarkdownText.code(String((test.attempts.first ?? "").drop { $0 == " " }), inTable: true)
            rows.append(
                MarkdownText.row(
                    MarkdownText.code(test.title, inTable: true), reason, DurationText.text(test.duration)))
        }
        let head = MarkdownText.head("Test", "First failure", .right("Time"))
        return fitted(
            rows, omitted: flakyCount - flaky.count, noun: "flaky test", into: "## Flaky\n\n" + head)
    }

    private var suiteSection: String {
        guard !suites.isEmpty else { return "" }
        func isBad(_ suite: Suite) -> Bool {
            suite.hasError || suite.counts.failed + suite.counts.errored + suite.counts.blocked > 0
        }
        var rows: [String] = []
        // Suites with problems come first, so that they are not buried below many others.
        for suite in suites.filter(isBad) + suites.filter({ !isBad($0) }) {
            let counts = suite.counts
            let mark =
                isBad(suite)
                ? "❌"
                : suite.notRun > 0
                    ? "➖" : counts.flaky > 0 ? "⚠️" : counts.total == counts.skipped ? "⚪" : "✅"
            var name = MarkdownText.code(suite.name, limit: 120, inTable: true)
            if let description = suite.description, !description.isEmpty {
                name += " " + MarkdownText.code(description, limit: 200, inTable: true)
            }
            let file = MarkdownText.code(suite.file, limit: 200, inTable: true)
            let outcomes = OutcomeText.counts(counts, painter: Painter(color: false)).text
            let time = suite.duration.map { DurationText.text($0) } ?? ""
            rows.append(MarkdownText.row(mark, name, file, outcomes, time))
            if rows.count == 500 { break }
        }
        let head = MarkdownText.head("", "Suite", "File", "Tests", .right("Time"))
        return fitted(rows, omitted: suites.count - rows.count, noun: "suite", into: "## Suites\n\n" + head)
    }

    private var notRunSection: String {
        guard !notRun.groups.isEmpty else { return "" }
        var rows: [String] = []
        for group in notRun.groups {
            let suite = MarkdownText.code(suiteName(group.suite), limit: 120, inTable: true)
            let reason = MarkdownText.code(NotRunList.words(for: group.outcome), inTable: true)
            let names = group.names.map { MarkdownText.code($0, limit: 100, inTable: true) }.joined(separator: ", ")
            let more = group.count > group.names.count ? ", … \(group.count - group.names.count) more" : ""
            rows.append(MarkdownText.row(suite, reason, names + more))
        }
        let counts = notRun.groups.map(\.count)
        let head = MarkdownText.head("Suite", "Reason", "Tests")
        return fitted(
            rows, standingFor: counts, omitted: notRun.others, noun: "test", into: "## Not run\n\n" + head)
    }

    private var slowestSection: String {
        guard slowest.items.count > 1 else { return "" }
        let rows = slowest.items.map { duration, test in
            MarkdownText.row(MarkdownText.code(title(test), inTable: true), DurationText.text(duration))
        }
        let head = MarkdownText.head("Test", .right("Time"))
        return fitted(rows, omitted: 0, noun: "test", into: "## Slowest\n\n" + head)
    }

    private var footer: String {
        guard let info else { return "" }
        let links = info.origin.links.map { title, link in
            let shown = MarkdownText.htmlCode(link.shortName, limit: 100)
            return title.lowercased() + " " + (link.url.map { MarkdownText.htmlLink(shown, to: $0) } ?? shown) + ", "
        }
        return "<sub>" + links.joined() + "apitest \(MarkdownText.htmlCode(info.version, limit: 40)), "
            + "seed \(info.seed), \(NumberText.count(suites.count, "suite"))</sub>\n"
    }

    /// Returns a section with as many parts as fit, followed by the number of omitted ones.
    ///
    /// - Parameters:
    ///   - counts: The number of items that each part represents, or `nil` if each represents one.
    ///   - omitted: The number of items that have no part.
    private func fitted(
        _ parts: [String], standingFor counts: [Int]? = nil, omitted: Int, noun: String, into head: String
    ) -> String {
        var text = head
        var count = 0
        for part in parts {
            guard text.utf8.count + part.utf8.count <= Self.sectionLimit else { break }
            text += part
            count += 1
        }
        let left = (counts?[count...].reduce(0, +) ?? parts.count - count) + omitted
        if !text.hasSuffix("\n\n") { text += "\n" }
        if left > 0 { text += "… and \(NumberText.count(left, "more " + noun))\n\n" }
        return text
    }
}
