import Diagnostics
import FileSystem
import YAML

/// A file of rows that a suite names.
struct FileRequest {
    /// The path as written.
    var path: String
    /// The scalar that holds it.
    var node: YAMLNode
    /// How the file is written, when that is said.
    var format: DataFormat?
    /// The byte between the fields of a CSV file, when that is said.
    var delimiter: UInt8?
    /// The columns of a CSV file without a header.
    var columns: [(text: String, node: YAMLNode)]?

    /// Names a file.
    init(path: String, node: YAMLNode) {
        self.path = path
        self.node = node
    }

    /// The path as it is shown: from where the suite's own is shown.
    var shownPath: String {
        let suite = node.file.name
        let isBare = path.hasPrefix("/") || !suite.utf8.contains(UInt8(ascii: "/"))
        return isBare ? path : Path.parent(of: suite) + "/" + path
    }
}
