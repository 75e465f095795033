import Digests
import SuiteModel

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
