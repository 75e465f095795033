import Basics
import Diagnostics
import Digests
import Output
import RunModel

/// The report as one page that needs no network: an overview, all tests, and everything that is known of failures.
///
/// Tests are written as they finish, and spilled to a file beside the report when they are many. The report takes its
/// place at the end, whole, by renaming.
typealias HTMLReporter = DocumentReporter<HTMLDocument>

extension HTMLReporter {
    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameters:
    ///   - path: Where the report goes; folders that do not exist are created.
    ///   - keepsExchanges: Whether the exchanges of steps that passed are shown too.
    ///   - trends: Says at the end what earlier runs tell about this one; nil when nothing is known of any.
    /// - Throws: ``ReportError`` when the path cannot be written.
    convenience init(
        path: String, keepsExchanges: Bool = false, hostName: String = SystemFacts.hostName,
        workingFolder: String = SystemFacts.workingFolder, trends: @escaping @Sendable () -> HTMLTrends? = { nil }
    ) throws(ReportError) {
        self.init(
            HTMLDocument(
                file: try ReportFile(path: path), keepsExchanges: keepsExchanges, hostName: hostName,
                workingFolder: workingFolder, trends: trends))
    }
}

/// The page around the data: markup, style and script.
struct HTMLPage {
    /// The outcome in a few words.
    let title: String
    /// What stands there without JavaScript.
    let fallback: [UInt8]

    /// What runs first where scripts may run: the plain content is not shown then.
    ///
    /// A `noscript` element would stay hidden where a server forbids scripts by a policy of its own.
    private static let marking = "document.documentElement.className = 'js'"

    /// The page up to the run's data.
    var head: [UInt8] {
        var output: [UInt8] = []
        output.append(contentsOf: "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n".utf8)
        // Nothing may be loaded or sent, and nothing is run but this style and this script, known by their digests.
        output.append(contentsOf: "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ".utf8)
        output.append(contentsOf: "style-src '\(Self.digest(of: HTMLStyle.text))'; ".utf8)
        output.append(contentsOf: "script-src '\(Self.digest(of: Self.marking))' ".utf8)
        output.append(contentsOf: "'\(Self.digest(of: HTMLScript.text))'; ".utf8)
        output.append(contentsOf: "base-uri 'none'; form-action 'none'\">\n".utf8)
        output.append(contentsOf: "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n".utf8)
        output.append(contentsOf: "<meta name=\"color-scheme\" content=\"light dark\">\n<title>".utf8)
        HTMLText.append(title, to: &output)
        output.append(contentsOf: " · apitest</title>\n<style>".utf8)
        output.append(contentsOf: HTMLStyle.text.utf8)
        output.append(contentsOf: "</style>\n<script>\(Self.marking)</script>\n</head>\n<body>\n".utf8)
        output.append(contentsOf: "<div class=\"plain\">\n".utf8)
        output.append(contentsOf: fallback)
        output.append(contentsOf: "</div>\n".utf8)
        output.append(contentsOf: HTMLMarkup.text.utf8)
        output.append(contentsOf: "<script type=\"application/json\" id=\"data\">".utf8)
        return output
    }

    /// The page behind the data.
    var tail: [UInt8] {
        Array("<script>".utf8) + Array(HTMLScript.text.utf8) + Array("</script>\n</body>\n</html>\n".utf8)
    }

    /// The digest by which a Content Security Policy names an element's text (CSP Level 3, section 2.3.1).
    private static func digest(of text: String) -> String {
        "sha256-" + Base64.encode(SHA256.hash(Array(text.utf8)))
    }
}

/// What a page shows without JavaScript: the counts, and the failures with their messages.
struct HTMLFallback {
    /// Failures that are listed.
    private static let most = 500
    /// Findings of a step that are listed.
    private static let mostFindings = 10
    /// Bytes after which no further failures are listed.
    private static let mostBytes = 1 << 20
    /// Characters of a message.
    private static let longestMessage = 1_000

    private var items: [UInt8] = []
    private var count = 0
    private var listed = 0

    /// Adds a test that failed.
    mutating func add(_ result: TestResult, suite: HTMLSuite?) {
        count += 1
        guard listed < Self.most, items.count < Self.mostBytes else { return }
        listed += 1
        items.append(contentsOf: "<li><b>".utf8)
        if let suite {
            HTMLText.append(suite.info.name, to: &items)
            items.append(contentsOf: " › ".utf8)
        }
        HTMLText.append(result.test.name, to: &items)
        items.append(contentsOf: "</b> ".utf8)
        HTMLText.append(DurationText.text(result.duration), to: &items)
        items.append(contentsOf: "<br><code>".utf8)
        HTMLText.append(result.test.range.description, to: &items)
        items.append(contentsOf: "</code><ul>".utf8)
        for step in result.steps where step.outcome.isFailure || !step.findings.isEmpty {
            for finding in step.findings.prefix(Self.mostFindings) {
                items.append(contentsOf: "<li>".utf8)
                if result.test.hasSteps, step.name != result.test.name {
                    HTMLText.append(step.name + ": ", to: &items)
                }
                items.append(contentsOf: "<code>".utf8)
                HTMLText.append(finding.subject.description, to: &items)
                items.append(contentsOf: "</code> ".utf8)
                HTMLText.append(finding.message, to: &items, limit: Self.longestMessage)
                items.append(contentsOf: "</li>".utf8)
            }
        }
        items.append(contentsOf: "</ul></li>\n".utf8)
    }

    private static func append(_ notices: [(suite: String?, notice: RunNotice)], to output: inout [UInt8]) {
        guard !notices.isEmpty else { return }
        output.append(contentsOf: "<h2>Notices</h2>\n<ul>\n".utf8)
        for (suite, notice) in notices.prefix(most) {
            output.append(contentsOf: "<li><b>\(notice.severity.rawValue)</b> ".utf8)
            if let suite { HTMLText.append(suite + ": ", to: &output, limit: longestMessage) }
            HTMLText.append(notice.message, to: &output, limit: longestMessage)
            if !notice.details.isEmpty {
                output.append(contentsOf: "<pre>".utf8)
                HTMLText.append(notice.details.joined(separator: "\n"), to: &output, limit: longestMessage)
                output.append(contentsOf: "</pre>".utf8)
            }
            output.append(contentsOf: "</li>\n".utf8)
        }
        output.append(contentsOf: "</ul>\n".utf8)
    }

    /// The markup.
    ///
    /// - Parameter notices: What happened beside the tests, with the names of suites.
    func markup(
        counts: OutcomeCounts, title: String, notices: [(suite: String?, notice: RunNotice)] = []
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.append(contentsOf: "<h1>".utf8)
        HTMLText.append(title, to: &output)
        output.append(contentsOf: "</h1>\n<table>\n".utf8)
        let rows = [
            ("passed", counts.passed), ("flaky", counts.flaky), ("failed", counts.failed), ("errors", counts.errored),
            ("skipped", counts.skipped), ("blocked", counts.blocked), ("in all", counts.total),
        ]
        for (name, count) in rows + (counts.known > 0 ? [("known to fail", counts.known)] : []) {
            output.append(contentsOf: "<tr><th scope=\"row\">\(name)</th><td>\(count)</td></tr>\n".utf8)
        }
        output.append(contentsOf: "</table>\n".utf8)
        Self.append(notices, to: &output)
        guard count > 0 else { return output }
        output.append(contentsOf: "<h2>Failures</h2>\n<ol>\n".utf8)
        output.append(contentsOf: items)
        output.append(contentsOf: "</ol>\n".utf8)
        if count > listed {
            output.append(
                contentsOf: "<p>With JavaScript: \(NumberText.count(count - listed, "more failure"))</p>\n".utf8)
        }
        return output
    }
}
