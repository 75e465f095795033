import Basics
import Diagnostics
import Digests
import FileSystem
import Output
import RunModel

/// A reporter that writes a self-contained HTML page: an overview, all tests, and the details of failures.
///
/// Tests are written as they finish and spilled to a file beside the report if there are many. At the end of the run,
/// the complete report is renamed to its path.
typealias HTMLReporter = DocumentReporter<HTMLDocument>

extension HTMLReporter {
    /// Creates a reporter and checks that its report can be written.
    ///
    /// - Parameters:
    ///   - path: The path of the report. Missing directories are created.
    ///   - keepsExchanges: Whether to show the exchanges of passed steps as well.
    ///   - trends: Returns the trends of this and previous runs at the end of the run, or `nil` if there are none.
    /// - Throws: ``ReportError`` if the path is not writable.
    convenience init(
        path: String, keepsExchanges: Bool = false, hostName: String = SystemInfo.hostName,
        workingDirectory: String = SystemInfo.workingDirectory, trends: @escaping @Sendable () -> HTMLTrends? = { nil }
    ) throws(ReportError) {
        self.init(
            HTMLDocument(
                file: try ReportFile(path: path), keepsExchanges: keepsExchanges, hostName: hostName,
                workingDirectory: workingDirectory, trends: trends))
    }
}

/// The page around the data: markup, CSS, and script.
struct HTMLPage {
    /// A short summary of the outcome.
    let title: String
    /// The content shown without JavaScript.
    let fallback: [UInt8]

    /// The script that runs first and hides the content for browsers without JavaScript.
    ///
    /// A `noscript` element would remain hidden if the policy of a server forbids scripts.
    private static let marking = "document.documentElement.className = 'js'"

    /// The page up to the data of the run.
    var head: [UInt8] {
        var output: [UInt8] = []
        output.append(contentsOf: "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n".utf8)
        // The policy forbids all loading and sending, and allows only this CSS and these scripts by their digests.
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

    /// The page after the data.
    var tail: [UInt8] {
        Array("<script>".utf8) + Array(HTMLScript.text.utf8) + Array("</script>\n</body>\n</html>\n".utf8)
    }

    /// Returns the digest of an element's text for a Content Security Policy (CSP Level 3, section 2.3.1).
    private static func digest(of text: String) -> String {
        "sha256-" + Base64.encode(SHA256.hash(Array(text.utf8)))
    }
}

/// The content of the page without JavaScript: counts, and failures with their messages.
struct HTMLFallback {
    /// The maximum number of failures to list.
    private static let maximum = 500
    /// The maximum number of findings of a step to list.
    private static let maximumFindings = 10
    /// The number of bytes after which no more failures are listed.
    private static let maximumBytes = 1 << 20
    /// The maximum number of characters of a message.
    private static let maximumMessageLength = 1_000

    private var items: [UInt8] = []
    private var count = 0
    private var listed = 0

    /// Adds a test that failed.
    mutating func add(_ result: TestResult, suite: HTMLSuite?) {
        count += 1
        guard listed < Self.maximum, items.count < Self.maximumBytes else { return }
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
            for finding in step.findings.prefix(Self.maximumFindings) {
                items.append(contentsOf: "<li>".utf8)
                if result.test.hasSteps, step.name != result.test.name {
                    HTMLText.append(step.name + ": ", to: &items)
                }
                items.append(contentsOf: "<code>".utf8)
                HTMLText.append(finding.subject.description, to: &items)
                items.append(contentsOf: "</code> ".utf8)
                HTMLText.append(finding.message, to: &items, limit: Self.maximumMessageLength)
                items.append(contentsOf: "</li>".utf8)
            }
        }
        items.append(contentsOf: "</ul></li>\n".utf8)
    }

    private static func append(_ notices: [(suite: String?, notice: RunNotice)], to output: inout [UInt8]) {
        guard !notices.isEmpty else { return }
        output.append(contentsOf: "<h2>Notices</h2>\n<ul>\n".utf8)
        for (suite, notice) in notices.prefix(maximum) {
            output.append(contentsOf: "<li><b>\(notice.severity.rawValue)</b> ".utf8)
            if let suite { HTMLText.append(suite + ": ", to: &output, limit: maximumMessageLength) }
            HTMLText.append(notice.messageWithID, to: &output, limit: maximumMessageLength)
            if !notice.details.isEmpty {
                output.append(contentsOf: "<pre>".utf8)
                HTMLText.append(
                    notice.details.map(\.text).joined(separator: "\n"), to: &output, limit: maximumMessageLength)
                output.append(contentsOf: "</pre>".utf8)
            }
            output.append(contentsOf: "</li>\n".utf8)
        }
        output.append(contentsOf: "</ul>\n".utf8)
    }

    /// Returns the markup.
    ///
    /// - Parameter notices: The notices of the run with the names of their suites.
    func markup(
        counts: OutcomeCounts, title: String, notices: [(suite: String?, notice: RunNotice)] = []
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.append(contentsOf: "<h1>".utf8)
        HTMLText.append(title, to: &output)
        output.append(contentsOf: "</h1>\n<table>\n".utf8)
        let rows = [
            ("passed", counts.passed), ("flaky", counts.flaky), ("failed", counts.failed), ("errors", counts.errored),
            ("skipped", counts.skipped), ("blocked", counts.blocked), ("total", counts.total),
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
                contentsOf: "<p>Enable JavaScript to see \(NumberText.count(count - listed, "more failure"))</p>\n".utf8
            )
        }
        return output
    }
}
