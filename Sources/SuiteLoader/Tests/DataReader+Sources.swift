import Basics
import Diagnostics
import SuiteModel
import YAML

extension DataReader {
    /// Reads a mapping with a file or with generated columns.
    func readSource(_ node: YAMLNode, into draft: inout DataDraft, scope: inout SuiteScope) {
        var request: FileRequest?
        var format: DataFormat?
        var delimiter: UInt8?
        var columns: (texts: [(text: String, node: YAMLNode)], node: YAMLNode)?
        var generated = DataDraft.Generated(range: node.range)
        var generatedColumns: YAMLNode?
        let firstUse = context.uses.count
        let problems = context.diagnostics.count
        let found = MapReader(context, CasesKey.schema).read(node) { key, _, value in
            switch key {
            case .file:
                request = FileRequest(path: templates.name(value, what: "the path of a data file"), node: value)
            case .format: format = context.choice(value, DataFormat.self)
            case .delimiter: delimiter = self.delimiter(value)
            case .columns: columns = (context.strings(value, what: "a column"), value)
            case .generate: generatedColumns = value
            case .count:
                generated.count =
                    context.count(value, named: key.rawValue, CasesKey.counts, id: "invalid-cases") ?? generated.count
            case .seed:
                generated.seed =
                    context.count(value, named: key.rawValue, CasesKey.seeds, id: "invalid-cases") ?? generated.seed
            }
        }
        generated.uses = firstUse..<context.uses.count
        checkKeys(node, found)
        if let generatedColumns {
            // Warnings about a schema do not prevent the rows.
            let isUsable = context.diagnostics.count == problems
            generated.columns = readColumns(generatedColumns, into: &draft, scope: &scope)
            if isUsable, generated.columns.count == generatedColumns.members.count, !generated.columns.isEmpty {
                draft.sources.append(.generated(generated))
            } else {
                draft.hasUnknownColumns = true
            }
            return
        }
        guard var request, context.diagnostics.count == problems else {
            draft.hasUnknownColumns = true
            return
        }
        request.format = format
        request.delimiter = delimiter
        request.columns = columns?.texts
        let known = format ?? DataFormat.format(ofFile: request.path)?.format
        if let known, known != .csv, delimiter != nil || columns != nil {
            context.report(
                "conflicting-keys", "only a CSV file can have \"delimiter\" and \"columns\"", node.range)
        }
        readFile(request, into: &draft, scope: &scope)
    }

    /// Reports a mapping without a source of rows, and keys that belong to the other source.
    private func checkKeys(_ node: YAMLNode, _ found: FoundKeys<CasesKey>) {
        guard found.contains(.file) || found.contains(.generate) else {
            context.report(
                "missing-key", "\"cases\" needs \"file\" or \"generate\"",
                node.mapping?.first?.key.range ?? node.range, suggestion: "add \"file: …\"")
            return
        }
        guard !found.hasConflict else { return }
        let ofFiles: [CasesKey] = [.format, .delimiter, .columns]
        let isGenerated = found.contains(.generate)
        for (key, _) in node.members {
            guard let name = key.scalar?.text, let known = CasesKey(rawValue: name) else { continue }
            let isOfFiles = ofFiles.contains(known)
            guard isGenerated ? isOfFiles : known == .count || known == .seed else { continue }
            context.report(
                "conflicting-keys",
                isGenerated ? "generated rows cannot have \"\(name)\"" : "only generated rows can have \"\(name)\"",
                key.range)
        }
    }

    private func delimiter(_ node: YAMLNode) -> UInt8? {
        let text = node.scalar?.text ?? ""
        if text.utf8.count == 1, let byte = text.utf8.first, byte != UInt8(ascii: "\""), byte != 10, byte != 13 {
            return byte
        }
        context.report(
            "invalid-delimiter", "a delimiter must be one ASCII character other than a quotation mark", node.range,
            suggestion: "for example, write \";\"")
        return nil
    }

    /// Reads the columns of `generate`, and defines them.
    private func readColumns(
        _ node: YAMLNode, into draft: inout DataDraft, scope: inout SuiteScope
    ) -> [DataDraft.Generated.Column] {
        if node.members.isEmpty {
            context.report(
                "no-rows", "\"generate\" has no columns", node.range,
                suggestion: "for example, add \"title: { schema: { type: string } }\"")
        }
        var columns: [DataDraft.Generated.Column] = []
        context.readMembers(node, .map("generate")) { name, key, value in
            context.checkName(name, key, what: "a column")
            var schema: (node: YAMLNode, compiled: CompiledSchema)?
            var isInvalid = false
            MapReader(context, GenerateKey.schema).read(value) { key, _, value in
                switch key {
                case .jsonSchema: schema = SchemaReader(context).schema(value).map { (value, $0) }
                case .invalid: isInvalid = value.isTrue
                }
            }
            add(name, key.range, uses: 0..<0, to: &draft, scope: &scope)
            guard let schema else { return }
            columns.append(.init(name: name, schema: schema.node, compiled: schema.compiled, isInvalid: isInvalid))
        }
        return columns
    }

    /// Reads the rows of a file.
    func readFile(_ request: FileRequest, into draft: inout DataDraft, scope: inout SuiteScope) {
        guard let source = DataFileReader(context).source(request) else {
            draft.hasUnknownColumns = true
            return
        }
        for name in source.columns { add(name, request.node.range, uses: 0..<0, to: &draft, scope: &scope) }
        draft.sources.append(.rows(source))
    }
}
