import Basics
import Diagnostics
import YAML

/// A Tavern file, whose tags a YAML parser does not know.
///
/// The tags are masked before the file is parsed, without a change of any position. A tag without content, such as
/// `!anyint`, becomes a string that begins with `~`; any other is replaced by blanks, and remembered with the position of
/// its content.
struct TavernSource {
    /// The file as it is written.
    let file: SourceFile
    /// The documents of the masked file.
    let documents: [YAMLNode]
    /// The problems of the masked file.
    let diagnostics: [Diagnostic]
    /// The tags that are not translated, with their lines.
    private(set) var unknownTags: [(tag: String, line: Int)]
    /// The tags by the offset of their content.
    private let tags: [Int: String]
    /// The anchors of made-up values, by the offset of the value.
    private let madeUp: [Int: String]
    /// The texts of files that are included as strings, by the offset of their path.
    private var rawTexts: [Int: String] = [:]
    /// The nodes of anchors that other documents refer to.
    private let anchors: [String: YAMLNode]

    /// The tags that stand for themselves.
    private static let values: Set<String> = [
        "anything", "anyint", "anyfloat", "anynumber", "anystr", "anybool", "anylist", "anydict",
        "uuid",
    ]
    /// The tags of a content.
    static let conversions: Set<String> = [
        "int", "float", "bool", "raw", "str", "include", "force_format_include", "force_original_structure", "approx",
        "re_match", "re_fullmatch", "re_search", "!binary", "include_raw",
    ]

    /// The tags that the parser knows, after their first exclamation mark.
    private static let coreTags: Set<String> = ["!str", "!int", "!float", "!bool", "!null", "!map", "!seq"]

    /// Parses a file, and reads the files that it includes as strings.
    init(_ file: SourceFile, _ context: inout ImportContext) {
        self.init(file)
        guard tags.values.contains("include_raw") else { return }
        for document in documents { readRawTexts(document, &context) }
        for (offset, tag) in tags where tag == "include_raw" && rawTexts[offset] == nil {
            unknownTags.append(("!include_raw", Int(file.position(atByteOffset: min(offset, file.text.count)).line)))
        }
    }

    /// Reads the files of `!include_raw`.
    ///
    /// Reading limits the depth, including aliases, so this recursion is bounded.
    private mutating func readRawTexts(_ node: YAMLNode, _ context: inout ImportContext) {
        let offset = node.range.byteRange.lowerBound
        if tag(node) == "include_raw", rawTexts[offset] == nil, let path = node.text,
            let bytes = try? context.files.read(path, from: file)
        {
            rawTexts[offset] = String(decoding: bytes, as: UTF8.self)
        }
        for element in node.elements { readRawTexts(element, &context) }
        for member in node.members { readRawTexts(member.value, &context) }
    }

    /// Returns the text of the file that a node includes as a string.
    func rawText(_ node: YAMLNode) -> String? { rawTexts[node.range.byteRange.lowerBound] }

    /// Returns the name of the anchor of a made-up value, which all its uses share.
    func madeUpName(_ node: YAMLNode) -> String? {
        madeUp.isEmpty ? nil : madeUp[node.range.byteRange.lowerBound]
    }

    /// Parses a file.
    private init(_ file: SourceFile) {
        self.file = file
        let (text, tags, madeUp) = Self.masked(file.text)
        let masked = SourceFile(name: file.name, text: text)
        let (documents, problems) = YAMLSource.parse(masked)
        self.tags = tags
        self.madeUp = madeUp
        self.documents = documents
        unknownTags = tags.filter { !Self.conversions.contains($0.value) }.sorted { $0.key < $1.key }.map {
            ("!\($0.value)", Int(file.position(atByteOffset: min($0.key, file.text.count)).line))
        }
        // In Tavern, anchors are known in all later documents of a file.
        let undefined = problems.filter { $0.id == "undefined-alias" }
        var anchors: [String: YAMLNode] = [:]
        if !undefined.isEmpty { for document in documents { Self.collect(document, text, &anchors) } }
        self.anchors = anchors
        diagnostics = problems.filter { problem in
            guard problem.id == "undefined-alias", let alias = problem.range?.text.dropFirst() else { return true }
            return anchors[String(alias)] == nil
        }
    }

    /// Whether the file is a global configuration, which has variables for all tests but no test.
    var isConfiguration: Bool {
        !documents.isEmpty
            && documents.allSatisfy { document in
                document["test_name"] == nil && document["is_defaults"] == nil
                    && ["variables", "backends", "strict"].contains { document[$0] != nil }
            }
    }

    /// Returns the node that an alias to another document stands for, or the node itself.
    func resolved(_ node: YAMLNode) -> YAMLNode {
        guard !anchors.isEmpty, node.isReported, node.range.text.hasPrefix("*") else { return node }
        return anchors[String(node.range.text.dropFirst())] ?? node
    }

    /// Collects the nodes with an anchor.
    ///
    /// Reading limits the depth, including aliases, so this recursion is bounded.
    private static func collect(_ node: YAMLNode, _ text: [UInt8], _ anchors: inout [String: YAMLNode]) {
        if node.aliasRange == nil, let name = anchor(before: node.range.byteRange.lowerBound, text) {
            anchors[name] = node
        }
        for element in node.elements { collect(element, text, &anchors) }
        for member in node.members { collect(member.value, text, &anchors) }
    }

    /// Returns the name of the anchor directly before a position.
    private static func anchor(before position: Int, _ text: [UInt8]) -> String? {
        let start = text[..<min(position, text.count)]
        let name = start.reversed().drop(while: ASCII.isWhitespace).prefix { !ASCII.isWhitespace($0) }.reversed()
        return name.first == UInt8(ascii: "&") ? String(decoding: name.dropFirst(), as: UTF8.self) : nil
    }

    /// Returns the name of the tag of a node; nil if it has none.
    func tag(_ node: YAMLNode) -> String? {
        if let text = node.scalar?.text, node.scalar?.style == .plain, text.hasPrefix("~") {
            let name = text.dropFirst()
            if Self.values.contains(String(name)) { return String(name) }
        }
        return tags.isEmpty ? nil : tags[node.range.byteRange.lowerBound]
    }

    /// Returns a value, or that of the file that it includes, with the reading of its tags.
    func included(_ node: YAMLNode, _ context: inout ImportContext) -> (node: YAMLNode, values: TavernValues) {
        guard tag(node) == "include", let path = node.text, let bytes = try? context.files.read(path, from: file)
        else { return (node, TavernValues(source: self)) }
        let other = TavernSource(SourceFile(name: path, text: bytes), &context)
        return (other.documents.first ?? node, TavernValues(source: other))
    }

    /// Replaces the tags of a file.
    private static func masked(
        _ source: [UInt8]
    ) -> (text: [UInt8], tags: [Int: String], madeUp: [Int: String]) {
        var text = source
        var tags: [Int: String] = [:]
        var madeUp: [Int: String] = [:]
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "!")) {
            index = start + 1
            guard isValuePosition(text, start) else { continue }
            let name = text[index...].prefix { ASCII.isAlphanumeric($0) || "_!.:/".utf8.contains($0) }
            let word = String(decoding: name, as: UTF8.self)
            let end = index + name.count
            let next = end < text.count ? text[end] : 0x0A
            guard ASCII.isWhitespace(next) || ",]}".utf8.contains(next) else { continue }
            if values.contains(word) {
                text[start] = UInt8(ascii: "~")
                let line = text[end...].prefix { $0 != 0x0A && $0 != UInt8(ascii: "#") && !",]}".utf8.contains($0) }
                let anchor = line.drop(while: ASCII.isBlank).prefix { !ASCII.isWhitespace($0) }
                // A content, which such a tag ignores.
                for position in line.indices { text[position] = 0x20 }
                // With an anchor, a made-up value has other uses, which need the same one. The anchor moves before it.
                if word == "uuid", anchor.first == UInt8(ascii: "&"), anchor.count > 1 {
                    let moved = Array(anchor) + [0x20] + "~uuid".utf8
                    text.replaceSubrange(start..<start + moved.count, with: moved)
                    madeUp[start + anchor.count + 1] = String(decoding: anchor.dropFirst(), as: UTF8.self)
                }
            } else if !word.isEmpty, !coreTags.contains(word) {
                for position in start..<end { text[position] = 0x20 }
                let content = text[end...].firstIndex { !ASCII.isWhitespace($0) } ?? text.count
                if word != "str" { tags[content] = word }
            }
            index = end
        }
        return (text, tags, madeUp)
    }

    /// Whether a value can begin at a position.
    private static func isValuePosition(_ text: [UInt8], _ position: Int) -> Bool {
        guard position > 0 else { return false }
        var index = position - 1
        while index > 0, ASCII.isBlank(text[index]) { index -= 1 }
        let previous = text[index]
        if previous == 0x0A { return true }
        let isSeparated = index < position - 1
        return isSeparated && ":-?,".utf8.contains(previous) || "[{,".utf8.contains(previous)
    }
}
