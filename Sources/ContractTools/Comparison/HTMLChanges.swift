import CAssets
import Diagnostics
import OpenAPI
import Output

/// A comparison as a self-contained HTML page without scripts.
struct HTMLChanges {
    private let report: ComparisonReport

    /// Creates the page of a report.
    init(_ report: ComparisonReport) {
        self.report = report
    }

    /// The HTML of the page.
    var text: String {
        let title = Self.escaped(report.headline)
        var output = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(title)</title>
            <style>
            \(Self.style)</style>
            </head>
            <body>
            <h1><code>\(Self.escaped(report.oldName))</code> → <code>\(Self.escaped(report.newName))</code></h1>
            <p class="summary \(report.hasFailed ? "failed" : "passed")">\(Self.escaped(report.summary))</p>

            """
        output += levels
        output += "<main>\n"
        for (operation, changes) in report.groups {
            let worst = changes.map(\.level).max() ?? .info
            output += "<section class=\"worst-\(worst.rawValue)\">\n<h2>"
            output += operation.map { "<code>\(Self.escaped($0))</code>" } ?? "The whole description"
            output += "</h2>\n<table>\n"
            for change in changes { output += row(change) }
            output += "</table>\n</section>\n"
        }
        output += ignored
        return output + "</main>\n</body>\n</html>\n"
    }

    /// The controls that select the levels to show.
    private var levels: String {
        guard Set(report.shown.map(\.level)).count > 1 else { return "" }
        return """
            <input type="radio" name="level" id="all" checked><label for="all">All changes</label>
            <input type="radio" name="level" id="warnings"><label for="warnings">Warnings and breaking changes</label>
            <input type="radio" name="level" id="breaking"><label for="breaking">Breaking changes</label>

            """
    }

    private func row(_ change: Change) -> String {
        let level = change.level.rawValue
        return "<tr class=\"\(level)\"><td><span>\(level)</span></td><td>\(Self.escaped(change.message))"
            + "<div><code>\(Self.escaped(change.id))</code> \(Self.escaped(report.locationsText(change)))</div></td></tr>\n"
    }

    private var ignored: String {
        guard !report.ignored.isEmpty else { return "" }
        var output = "<section>\n<h2>Ignored</h2>\n<table>\n"
        for (change, entry) in report.ignored {
            let location = change.operation.map { " (\($0))" } ?? ""
            output += "<tr><td>\(change.level.rawValue)</td><td>\(Self.escaped(change.message + location))"
            output += "<div><code>\(Self.escaped(change.id))</code> \(Self.escaped(entry.reason))</div></td></tr>\n"
        }
        return output + "</table>\n</section>\n"
    }

    /// Returns a string on a single line, escaped for character data and attribute values.
    private static func escaped(_ text: String) -> String { HTMLText.escaped(DisplayWidth.printable(text)) }

    /// The CSS of the page, with a line break after each line.
    private static var style: String {
        let sheet = Asset.comparisonStyle
        return String(decoding: UnsafeBufferPointer(start: sheet.bytes, count: sheet.count), as: UTF8.self)
    }
}
