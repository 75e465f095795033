/// A workflow command: a line on standard output by which a step tells GitHub Actions something.
package struct WorkflowCommand {
    /// The command: `error`, `warning`, `notice`, …
    package var name: String
    /// The properties, in order; those without a value are left out.
    package var properties: [(name: String, value: String?)]
    /// The text.
    package var message: String

    /// Creates a command.
    package init(name: String, properties: [(name: String, value: String?)] = [], message: String) {
        self.name = name
        self.properties = properties
        self.message = message
    }

    /// The line, with its line break; nothing in its values can end it or begin another.
    package var line: String {
        var line = "::" + name
        var separator = " "
        for (name, value) in properties {
            guard let value, !value.isEmpty else { continue }
            line += separator + name + "=" + Self.escaped(value, isProperty: true)
            separator = ","
        }
        return line + "::" + Self.escaped(message, isProperty: false) + "\n"
    }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where isProperty: result += "%3A"
            case "," where isProperty: result += "%2C"
            case "\t" where !isProperty: result += "\t"
            default:
                // What would disturb the terminal or the log that shows the line.
                if let escape = DisplayWidth.escape(scalar) {
                    result += escape
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
