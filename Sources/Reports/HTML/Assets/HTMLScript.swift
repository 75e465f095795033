/// The script of the page: plain JavaScript that makes everything from the embedded data.
enum HTMLScript {
    /// The whole script, in a scope of its own.
    static let text =
        "\n\"use strict\";\n(() => {\n"
        + [core, list, overview, timeline, exchange, detail, strip, app].joined(separator: "\n\n") + "\n})();\n"
}
