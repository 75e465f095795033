import Basics
import CLibYAML
import Diagnostics

/// Parses a file with libyaml and builds its documents.
struct StreamParser: ~Copyable {
    let file: SourceFile
    let limits: YAMLLimits
    let positions: PositionMap
    var problems: ProblemList
    private(set) var documents: [YAMLNode] = []
    var builder: DocumentBuilder
    private var cursor = LineCursor()

    /// The number of problems after which no repairs of unknown tags are tried.
    private static let maximumRepairs = 20

    init(file: SourceFile, limits: YAMLLimits) {
        self.file = file
        self.limits = limits
        positions = PositionMap(file)
        problems = ProblemList(file: file, maximumCount: limits.maximumDiagnostics)
        builder = DocumentBuilder(file: file, limits: limits)
    }

    /// Parses all documents, or those before the first syntax error.
    mutating func parse() {
        let text = file.text
        text.withUnsafeBufferPointer { bytes in
            let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
            let event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
            defer {
                event.deallocate()
                parser.deallocate()
            }
            guard yaml_parser_initialize(parser) != 0 else {
                problems.add(SyntaxProblem.outOfMemory)
                return
            }
            defer { yaml_parser_delete(parser) }
            // The address of an empty array may be nil, and libyaml asserts that it is not.
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
            yaml_parser_set_input_string(parser, start, bytes.count)
            var isFirst = true
            while true {
                guard yaml_parser_parse(parser, event) != 0 else {
                    addSyntaxProblem(parser.pointee)
                    return
                }
                defer { yaml_event_delete(event) }
                switch event.pointee.type {
                case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
                    return
                case YAML_DOCUMENT_START_EVENT:
                    builder = DocumentBuilder(file: file, limits: limits)
                    if isFirst { builder.reserveCapacity(bytes: bytes.count) }
                    isFirst = false
                case YAML_DOCUMENT_END_EVENT:
                    if let root = builder.finished() { documents.append(root) }
                case YAML_SCALAR_EVENT:
                    addScalar(event)
                case YAML_SEQUENCE_START_EVENT:
                    let data = event.pointee.data.sequence_start
                    let isFlow = data.style == YAML_FLOW_SEQUENCE_STYLE
                    guard begin(.sequence, event, anchor: data.anchor, tag: data.tag, isFlow: isFlow) else { return }
                case YAML_MAPPING_START_EVENT:
                    let data = event.pointee.data.mapping_start
                    let isFlow = data.style == YAML_FLOW_MAPPING_STYLE
                    guard begin(.mapping, event, anchor: data.anchor, tag: data.tag, isFlow: isFlow) else { return }
                case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
                    builder.endCollection(end: positions.position(event.pointee.end_mark), problems: &problems)
                case YAML_ALIAS_EVENT:
                    guard addAlias(event) else { return }
                default:
                    break
                }
            }
        }
    }

    private mutating func addScalar(_ event: UnsafeMutablePointer<yaml_event_t>) {
        let data = event.pointee.data.scalar
        var record = NodeRecord(
            kind: .scalar, start: positions.position(event.pointee.start_mark),
            end: positions.position(event.pointee.end_mark))
        switch data.style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: record.style = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: record.style = .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: record.style = .literal
        case YAML_FOLDED_SCALAR_STYLE: record.style = .folded
        default: record.style = .plain
        }
        let bytes = UnsafeBufferPointer(start: data.value, count: Int(data.length))
        if data.tag == nil, data.anchor == nil {
            builder.addScalar(record, text: bytes, anchor: nil)
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let site = record.start
        if let name = data.tag.map({ String(cString: $0) }) {
            if addNegation(name, text, from: site, to: record.end) {
                record.tag = .null
                builder.addScalar(record, text: UnsafeBufferPointer(start: nil, count: 0), anchor: nil)
                return
            }
            record.tag = tag(named: name, isScalar: true, at: site)
        }
        record.start = contentStart(from: record.start, to: record.end)
        if !record.tag.accepts(text) {
            problems.add(
                Diagnostic(
                    id: "wrong-tag",
                    message: "\"\(DisplayWidth.printable(text))\" is not \(record.tag.typeDescription)",
                    range: problems.range(record.start, record.end),
                    related: [
                        Diagnostic.Related(
                            message: "the tag is here", range: SourceScan(file).tagRange(from: site))
                    ]))
            record.tag = .none
        }
        builder.addScalar(record, text: bytes, anchor: data.anchor.map { String(cString: $0) })
    }

    /// Starts a sequence or mapping; returns false if parsing must stop.
    private mutating func begin(
        _ kind: NodeRecord.Kind, _ event: UnsafeMutablePointer<yaml_event_t>, anchor: UnsafeMutablePointer<UInt8>?,
        tag: UnsafeMutablePointer<UInt8>?, isFlow: Bool
    ) -> Bool {
        let start = positions.position(event.pointee.start_mark)
        let end = positions.position(event.pointee.end_mark)
        var record = NodeRecord(kind: kind, start: start, end: end)
        record.isFlow = isFlow
        if let name = tag.map({ String(cString: $0) }) {
            checkCollectionTag(name, kind: kind, at: start)
        }
        if tag != nil || anchor != nil {
            // The event ends after the first indicator, which is empty for a block collection.
            let isIndicator = isFlow || SourceScan(file).byte(before: end) == UInt8(ascii: "-")
            record.start = isIndicator ? SourcePosition(line: end.line, column: max(1, end.column - 1)) : end
        }
        if builder.beginCollection(record, anchor: anchor.map { String(cString: $0) }) { return true }
        let first = SourcePosition(line: start.line, column: start.column + 1)
        problems.add(.tooDeep(limits, problems.range(start, first)))
        return false
    }

    private mutating func checkCollectionTag(_ name: String, kind: NodeRecord.Kind, at start: SourcePosition) {
        let tag = tag(named: name, isScalar: false, at: start)
        let isRight = tag == .none || tag == (kind == .mapping ? .map : .sequence)
        if !isRight {
            problems.add(
                Diagnostic(
                    id: "wrong-tag",
                    message: "\(kind == .mapping ? "a mapping" : "a sequence") is not \(tag.typeDescription)",
                    range: SourceScan(file).tagRange(from: start), suggestion: "remove the tag"))
        }
    }

    private mutating func tag(named name: String, isScalar: Bool, at start: SourcePosition) -> CoreTag {
        if let tag = CoreTag(name: name, isScalar: isScalar) { return tag }
        let range = SourceScan(file).tagRange(from: start)
        problems.add(
            Diagnostic(
                id: "unknown-tag", message: "unknown tag \"\(DisplayWidth.printable(range.text))\"", range: range,
                suggestion: "remove it, or quote the value if \"!\" is part of it; the known tags are \(CoreTag.names)")
        )
        return .none
    }

    /// Reports an unquoted expression that starts with `!`, such as `!has(body.x)`; returns false for any other tag.
    private mutating func addNegation(
        _ name: String, _ content: String, from start: SourcePosition, to end: SourcePosition
    ) -> Bool {
        guard CoreTag(name: name, isScalar: true) == nil else { return false }
        let range = SourceScan(file).tagRange(from: start)
        let bracket = builder.frames.first { builder.records[Int($0.node)].isFlow }.map {
            file.byteOffset(of: builder.records[Int($0.node)].start)
        }
        // Each repair parses the file again.
        let isTried = problems.diagnostics.count < Self.maximumRepairs
        let repair = isTried ? QuotedRepair(of: file, at: range.byteRange.lowerBound, bracket: bracket) : nil
        let isWord = range.text.dropFirst().utf8.allSatisfy { ASCII.isAlphanumeric($0) }
        if let repair, !isWord || repair.text.bytes.upperBound > range.byteRange.upperBound {
            problems.add(
                Diagnostic(
                    id: "unknown-tag", message: "a value that starts with \"!\" must be quoted", range: range,
                    suggestion: repair.suggestion))
            return true
        }
        guard content.isEmpty else { return false }
        _ = tag(named: name, isScalar: true, at: start)
        return true
    }

    /// Returns the start of a node's content, after its anchor and tag.
    private mutating func contentStart(from start: SourcePosition, to end: SourcePosition) -> SourcePosition {
        guard start.line == end.line else {
            return min(end, max(start, SourceScan(file).positionAfterProperties(from: start, to: end)))
        }
        let first = cursor.byteOffset(of: start, in: file)
        let last = cursor.byteOffset(of: end, in: file)
        let offset = SourceScan(file).offsetAfterProperties(from: first, to: last)
        return offset < last ? LineCursor.position(behind: start, at: first, offset, in: file) : end
    }

    /// Adds an alias; returns false if parsing must stop.
    private mutating func addAlias(_ event: UnsafeMutablePointer<yaml_event_t>) -> Bool {
        let start = positions.position(event.pointee.start_mark)
        let end = positions.position(event.pointee.end_mark)
        let record = NodeRecord(kind: .alias, start: start, end: end)
        let name = event.pointee.data.alias.anchor.map { String(cString: $0) } ?? ""
        guard let anchor = builder.anchors[name], !anchor.isOpen else {
            addBadAlias(name, range: problems.range(start, end))
            var null = record
            null.kind = .scalar
            null.tag = .null
            builder.addScalar(null, text: UnsafeBufferPointer(start: nil, count: 0), anchor: nil)
            return true
        }
        switch builder.addAlias(record, anchor: anchor) {
        case .added: return true
        case .tooDeep:
            problems.add(
                Diagnostic(
                    id: "too-deep",
                    message: "this alias nests sequences and mappings more than \(limits.maximumDepth) levels deep",
                    range: problems.range(start, end)))
        case .tooMany:
            problems.add(
                Diagnostic(
                    id: "expansion-limit",
                    message: "aliases expand to more than \(limits.maximumExpandedNodes) values",
                    range: problems.range(start, end), label: "the limit is reached here"))
        case .tooLong:
            problems.add(
                Diagnostic(
                    id: "expansion-limit",
                    message: "aliases expand to more than \(limits.maximumExpandedBytes) bytes of text",
                    range: problems.range(start, end), label: "the limit is reached here"))
        }
        return false
    }

    private mutating func addBadAlias(_ name: String, range: SourceRange) {
        if let open = builder.anchors[name] {
            let record = builder.records[Int(open.node)]
            let start = SourceRange(
                file: file, start: record.start,
                end: SourcePosition(line: record.startLine, column: record.startColumn + 1))
            problems.add(
                Diagnostic(
                    id: "recursive-alias", message: "the alias \"*\(name)\" is inside its own anchor",
                    range: range, related: [Diagnostic.Related(message: "the anchored value starts here", range: start)]
                ))
            return
        }
        let nearest = Spelling.nearest(to: name, among: builder.anchors.keys.sorted())
        problems.add(
            Diagnostic(
                id: "undefined-alias", message: "no anchor \"&\(name)\" precedes this alias", range: range,
                suggestion: nearest.map { "did you mean \"*\($0)\"?" }
                    ?? "define &\(name) earlier, or quote the value if \"*\" is part of it"))
    }

    private mutating func addSyntaxProblem(_ parser: yaml_parser_t) {
        var open: [NodeRecord] = []
        for frame in builder.frames where builder.records[Int(frame.node)].isFlow {
            open.append(builder.records[Int(frame.node)])
        }
        let problem = SyntaxProblem(file: file, positions: positions, parser: parser, openBrackets: open)
        problems.add(problem.diagnostic)
    }
}

/// The problems that were found in a file, up to a maximum number.
struct ProblemList {
    let file: SourceFile
    let maximumCount: Int
    private(set) var diagnostics: [Diagnostic] = []

    init(file: SourceFile, maximumCount: Int) {
        self.file = file
        self.maximumCount = maximumCount
    }

    mutating func add(_ diagnostic: Diagnostic) {
        if diagnostics.count < maximumCount { diagnostics.append(diagnostic) }
    }

    func range(_ start: SourcePosition, _ end: SourcePosition) -> SourceRange {
        SourceRange(file: file, start: start, end: end)
    }

    func range(of record: NodeRecord) -> SourceRange { range(record.start, record.end) }
}

extension Diagnostic {
    /// Returns the diagnostic for collections that are nested too deeply.
    static func tooDeep(_ limits: YAMLLimits, _ range: SourceRange) -> Diagnostic {
        Diagnostic(
            id: "too-deep", message: "sequences and mappings are nested more than \(limits.maximumDepth) levels deep",
            range: range)
    }
}
