import Basics
import Diagnostics
import FileSystem
import JSON
import SuiteModel
import YAML

/// Reads data files.
struct DataFileReader {
    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns the rows of a file; reports an error and returns nil if the file is invalid.
    func source(_ request: FileRequest) -> RowSource? {
        let known = DataFormat.format(ofFile: request.path)
        guard let format = request.format ?? known?.format else {
            let node = request.node
            context.report(
                "unknown-format", "unknown format of the data file \"\(request.path)\"", node.range,
                suggestion: "use the extension .csv, .tsv, .json, .ndjson or .yaml, or write { file: …, format: csv }")
            return nil
        }
        let problems = context.diagnostics.count
        let absolute = context.existingFile(request.path, request.node.range)
        guard context.diagnostics.count == problems else { return nil }
        switch format {
        case .csv: return csv(request, absolute, delimiter: request.delimiter ?? known?.delimiter)
        case .json: return json(request, absolute, isList: true)
        case .ndjson: return json(request, absolute, isList: false)
        case .yaml: return yaml(request, absolute)
        }
    }

    private func csv(_ request: FileRequest, _ absolute: String, delimiter: UInt8?) -> RowSource? {
        let delimiter = delimiter.flatMap { $0 == 0 ? nil : $0 } ?? UInt8(ascii: ",")
        var columns: [DataColumn]?
        if let texts = request.columns {
            guard let read = self.columns(texts) else { return nil }
            columns = read
        }
        var scan = CSVFileScan(delimiter: delimiter, columns: columns)
        do {
            var window = try FileWindow(path: absolute)
            let stamp = window.stamp
            try scan.scan(&window)
            return source(
                request, absolute, .csv(delimiter: delimiter), scan.columns, scan.rows, scan.problems, stamp: stamp)
        } catch {
            reportUnreadable(request, error)
            return nil
        }
    }

    private func json(_ request: FileRequest, _ absolute: String, isList: Bool) -> RowSource? {
        var scan = JSONFileScan(isList: isList)
        do {
            var window = try FileWindow(path: absolute)
            let stamp = window.stamp
            try scan.scan(&window)
            return source(request, absolute, .json, scan.columns, scan.rows, scan.problems, stamp: stamp)
        } catch {
            reportUnreadable(request, error)
            return nil
        }
    }

    private func source(
        _ request: FileRequest, _ absolute: String, _ format: DataFile.Format, _ columns: [DataColumn],
        _ rows: RowIndex, _ problems: DataProblems, stamp: FileStamp
    ) -> RowSource? {
        guard problems.count == 0 else {
            problems.report(request, absolutePath: absolute, size: stamp.size, in: context)
            return nil
        }
        if rows.isEmpty {
            context.report("no-rows", "the file \"\(request.path)\" has no rows", request.node.range)
            return nil
        }
        var rows = rows
        rows.finish()
        return .file(
            DataFile(
                path: request.shownPath, absolutePath: absolute, format: format, columns: columns, rows: rows,
                stamp: stamp))
    }

    /// Returns the columns of a CSV file without a header; reports an error and returns nil if one is invalid.
    private func columns(_ texts: [(text: String, node: YAMLNode)]) -> [DataColumn]? {
        var columns: [DataColumn] = []
        var isGood = true
        for (text, node) in texts {
            do {
                let column = try ColumnHeader.column(text)
                if columns.contains(where: { $0.name == column.name }) {
                    context.report("duplicate-column", "duplicate column \"\(column.name)\"", node.range)
                    isGood = false
                }
                columns.append(column)
            } catch {
                context.report(error.id, error.message, node.range, suggestion: error.suggestion)
                isGood = false
            }
        }
        return isGood ? columns : nil
    }

    private func reportUnreadable(_ request: FileRequest, _ failure: File.Failure) {
        context.report(
            "unreadable-file", "the file \"\(request.path)\" cannot be read: \(failure.reason)", request.node.range)
    }

    // MARK: YAML

    /// Returns the rows of a YAML file, which are kept in memory because YAML cannot be read in parts.
    private func yaml(_ request: FileRequest, _ absolute: String) -> RowSource? {
        let bytes: [UInt8]
        do {
            bytes = try File.bytes(at: absolute)
        } catch {
            reportUnreadable(request, error)
            return nil
        }
        let file = SourceFile(name: request.shownPath, text: bytes)
        let (documents, diagnostics) = YAMLStream.parse(file)
        context.diagnostics.add(contentsOf: diagnostics)
        if diagnostics.contains(where: { $0.severity == .error }) { return nil }
        if documents.count > 1 {
            context.report(
                "several-documents", "a data file must contain a single document", documents[1].range,
                suggestion: "move it to a separate file")
            return nil
        }
        guard let root = documents.first, !root.isNull else {
            context.report("no-rows", "the file \"\(request.path)\" has no rows", request.node.range)
            return nil
        }
        guard let sequence = root.sequence else {
            context.reportType(root, expected: "a sequence of mappings", suggestion: "start each row with \"- \"")
            return nil
        }
        var columns: [String] = []
        var known: Set<String> = []
        let problems = context.diagnostics.count
        for element in sequence {
            guard let mapping = element.mapping else {
                context.reportType(element, expected: "a mapping of columns")
                continue
            }
            if mapping.isEmpty {
                context.report(
                    "row-columns", "the row has no columns", element.range,
                    suggestion: "for example, write \"{ id: 1 }\"")
            }
            for (key, _) in mapping {
                guard let name = key.scalar?.text, known.insert(name).inserted else { continue }
                context.checkName(name, key, what: "a column")
                columns.append(name)
            }
        }
        if sequence.isEmpty {
            context.report("no-rows", "the file \"\(request.path)\" has no rows", request.node.range)
        }
        guard context.diagnostics.count == problems else { return nil }
        let rows = sequence.map { element in
            columns.map { ValueTemplate.constant(element.mapping?[$0]?.json ?? .null) }
        }
        return .table(RowTable(columns: columns, rows: rows, ranges: sequence.map(\.range)))
    }
}
