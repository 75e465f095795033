import FileSystem

/// How a file of rows is written.
enum DataFormat: String, CaseIterable, Sendable {
    /// Comma-separated values with a header (RFC 4180).
    case csv
    /// A list of objects.
    case json
    /// An object on each line.
    case ndjson
    /// A list of maps.
    case yaml

    /// The format and the delimiter that the name of a file stands for, or nil when it says neither.
    static func format(ofFile path: String) -> (format: DataFormat, delimiter: UInt8)? {
        let name = Path.lastComponent(of: path).lowercased()
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        switch name[name.index(after: dot)...] {
        case "csv": return (.csv, UInt8(ascii: ","))
        case "tsv", "tab": return (.csv, UInt8(ascii: "\t"))
        case "json": return (.json, 0)
        case "ndjson", "jsonl": return (.ndjson, 0)
        case "yaml", "yml": return (.yaml, 0)
        default: return nil
        }
    }
}
