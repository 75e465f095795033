public import Basics
import CLibXML2

/// An error of parsing a document or of evaluating an XPath expression.
public struct XMLError: Error, Sendable, Hashable {
    /// A kind of error.
    public enum Kind: String, Sendable, Hashable {
        /// libxml2 is not installed.
        case unavailable
        /// The document is not well-formed.
        case syntax
        /// The document exceeds ``XMLLimits`` or a limit of libxml2.
        case limit
        /// The task was cancelled.
        case cancelled
        /// The XPath expression is invalid or cannot be evaluated.
        case xpath
    }

    /// The kind of the error.
    public var kind: Kind
    /// The description of the error, on one line.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public var wording: MessageText
    /// The line in the document, from 1; nil for an XPath expression or an error without a location.
    public var line: Int?
    /// The column in the line as counted by libxml2, or the character in the XPath expression, from 1.
    public var column: Int?
    /// The length of the invalid part of the XPath expression in characters; nil for a document.
    public var length: Int?
    /// The valid names in place of an unknown name in an XPath expression.
    public var known: [String]

    /// Creates an error.
    public init(
        kind: Kind, message: MessageText, line: Int? = nil, column: Int? = nil, length: Int? = nil, known: [String] = []
    ) {
        self.kind = kind
        wording = message
        self.line = line
        self.column = column
        self.length = length
        self.known = known
    }
}

extension XMLError: CustomStringConvertible {
    /// The location, if any, and the message.
    public var description: String {
        switch (line, column) {
        case (let line?, let column?): "line \(line), column \(column): \(message)"
        case (let line?, nil): "line \(line): \(message)"
        case (nil, let column?): "column \(column): \(message)"
        case (nil, nil): message
        }
    }
}

/// Error messages for the errors of the C layer.
enum ErrorText {
    /// Returns the error of a document that cannot be parsed.
    static func parsing(_ error: clx_error, _ limits: XMLLimits) -> XMLError {
        let first = text(error.first)
        let message: MessageText
        switch error.kind {
        case CLX_DEPTH: message = "elements exceed the maximum depth of \(limits.depth) levels"
        case CLX_NODES:
            message = "the document exceeds the maximum of \(limits.nodes) elements, attributes and other nodes"
        case CLX_ELEMENTS: message = "the document exceeds the maximum of \(limits.elements) elements"
        case CLX_ATTRIBUTES:
            message = "an element exceeds the maximum of \(limits.attributes) attributes and namespace declarations"
        case CLX_DOCUMENT_TYPE:
            message =
                "the document type declaration exceeds the maximum of \(limits.attributes) attributes "
                + "or \(limits.documentTypeBytes) bytes"
        case CLX_TIME: message = "parsing exceeded the maximum time of \(limits.time)"
        case CLX_GIVEN_UP: return XMLError(kind: .cancelled, message: "parsing was canceled")
        case CLX_ENTITIES: message = "the document type declaration exceeds the maximum of \(limits.entities) entities"
        case CLX_EXPANSION:
            message = "the entity references expand to more than \(limits.expandedBytes) bytes"
        case CLX_ENTITY_MARKUP: message = "the entity \"\(first)\" contains elements; only text is allowed"
        case CLX_ENTITY_LOOP: message = "the entity \"\(first)\" refers to itself or is nested too deeply"
        // XML_ERR_ENTITY_LOOP, if libxml2 detects it first.
        case CLX_LIBRARY where error.domain == 1 && error.code == 89: message = "an entity refers to itself"
        // libxml2's own limit, also present in later versions.
        case CLX_LIBRARY where text(error.message).contains("amplification factor"):
            message = "the entity references expand to much more than the length of the document"
        default:
            return XMLError(
                // XML_ERR_RESOURCE_LIMIT
                kind: error.code == 114 ? .limit : .syntax, message: syntax(error),
                line: error.line > 0 ? Int(error.line) : nil,
                column: error.line > 0 && error.column > 0 ? Int(error.column) : nil)
        }
        return XMLError(kind: .limit, message: message)
    }

    /// Returns libxml2's message for a syntax error, improved for frequent errors.
    private static func syntax(_ error: clx_error) -> MessageText {
        let first = text(error.first)
        let second = text(error.second)
        // The codes are those of xmlParserErrors.
        switch error.code {
        case 0: return "the document is empty"
        case 9 where text(error.message).hasPrefix("Input is not proper UTF-8"), 81:
            return "the document is not UTF-8 and does not declare another encoding"
        case 9 where error.domain == 1: return "the document contains a character that XML does not allow"
        // XML_ERR_ENTITYREF_SEMICOL_MISSING
        case 23: return "a reference to an entity does not end with \";\"; write \"&amp;\" for \"&\""
        case 26 where !first.isEmpty: return "undeclared entity \"\(first)\""
        // XML_ERR_ATTRIBUTE_WITHOUT_VALUE
        case 41 where !first.isEmpty: return "the attribute \"\(first)\" has no value"
        case 42 where !first.isEmpty: return "duplicate attribute \"\(first)\""
        // XML_ERR_GT_REQUIRED
        case 73 where error.domain == 1 && !first.isEmpty: return "the start tag \"\(first)\" is not closed by \">\""
        // XML_ERR_NAME_REQUIRED, also for the names of elements
        case 68 where text(error.message).hasPrefix("xmlParseEntityRef"):
            return "\"&\" is not followed by the name of an entity; write \"&amp;\""
        case 76 where !first.isEmpty && !second.isEmpty:
            return "the end tag \"\(second)\" does not match the start tag \"\(first)\" on line \(error.number)"
        case 77 where !first.isEmpty:
            return "the element \"\(first)\" on line \(error.number) has no end tag"
        case 201 where !first.isEmpty: return "undeclared namespace prefix \"\(first)\""
        default: return plain(text(error.message))
        }
    }

    /// Returns the first line of libxml2's message, as part of a sentence.
    private static func plain(_ message: String) -> MessageText {
        let line = message.split(separator: "\n").first ?? "the document cannot be parsed"
        // The user cannot set this option.
        let end = line.firstRange(of: " use XML_PARSE_HUGE")?.lowerBound ?? line.endIndex
        var words = line[..<end]
        // The name of the function of libxml2 that found the error.
        if words.hasPrefix("xmlParse"), let colon = words.firstRange(of: ": ") { words = words[colon.upperBound...] }
        while let last = words.last, last == " " || last == "." || last == "," || last == ":" { words.removeLast() }
        guard let first = words.first, words.dropFirst().first?.isUppercase != true else {
            return MessageText(String(words))
        }
        return MessageText(first.lowercased() + words.dropFirst())
    }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
