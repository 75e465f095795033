/// A part of a string in a Hurl file.
enum HurlPart: Sendable, Hashable {
    case literal(String)
    /// The contents of `{{…}}`.
    case placeholder(HurlPlaceholder)
}

/// A string with placeholders.
struct HurlText: Sendable, Hashable {
    /// The parts, without two adjacent literals and without empty ones.
    private(set) var parts: [HurlPart] = []

    /// Creates an empty string.
    init() {}

    /// Creates a string without placeholders.
    init(_ literal: String) { append(literal) }

    /// The text if there are no placeholders; otherwise nil.
    var literal: String? {
        if parts.isEmpty { return "" }
        if parts.count == 1, case .literal(let text) = parts[0] { return text }
        return nil
    }

    /// Whether the string is empty.
    var isEmpty: Bool { parts.isEmpty }

    mutating func append(_ text: String) {
        if text.isEmpty { return }
        if case .literal(let last)? = parts.last {
            parts[parts.count - 1] = .literal(last + text)
        } else {
            parts.append(.literal(text))
        }
    }

    mutating func append(_ placeholder: HurlPlaceholder) { parts.append(.placeholder(placeholder)) }

    /// The string without blanks around it.
    var trimmed: HurlText {
        var result = HurlText()
        for (index, part) in parts.enumerated() {
            switch part {
            case .literal(let text): result.append(index == 0 ? String(text.drop { $0 == " " || $0 == "\t" }) : text)
            case .placeholder(let placeholder): result.append(placeholder)
            }
        }
        result.trimEnd()
        return result
    }

    /// Removes white space at the end.
    mutating func trimEnd() {
        guard case .literal(let last)? = parts.last else { return }
        let kept = last.utf8.lastIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        parts.removeLast()
        if let kept { append(String(last[...kept])) }
    }
}

/// A variable or function in a placeholder, with filters.
struct HurlPlaceholder: Sendable, Hashable {
    var name: String
    /// The text argument of a function, such as that of `getEnv`.
    var argument: HurlText?
    var filters: [HurlFilter] = []
    /// Whether the placeholder makes up a whole string in quotes, so that its value is sent as text.
    var isQuoted = false
}

/// A line with a name and a value.
struct HurlField: Sendable, Hashable {
    var name: HurlText
    var value: HurlText
    /// The file of a multipart field, in place of the value.
    var file: HurlText?
    /// The media type of the file.
    var type: String?
    /// The offset of the line.
    var offset: Int
}

/// A body of a request or a response.
enum HurlBody: Sendable, Hashable {
    case json(HurlText)
    case xml(String)
    /// A string in backticks, with the language of a string of several lines.
    case text(HurlText, language: String?)
    /// A GraphQL request with the text of its variables.
    case graphQL(HurlText, variables: HurlText?)
    case bytes([UInt8])
    case file(HurlText)
}

/// A value that an assertion compares with, or an argument of a filter.
enum HurlValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(String)
    case string(HurlText)
    case placeholder(HurlPlaceholder)
    case bytes([UInt8])
    case file(HurlText)
    case regex(String)
}

/// A transformation of a value.
struct HurlFilter: Sendable, Hashable {
    var name: String
    var arguments: [HurlValue] = []
}

/// The origin of a value in a response.
struct HurlQuery: Sendable, Hashable {
    var name: String
    var argument: HurlValue?
    var filters: [HurlFilter] = []
}

/// A condition of an assertion.
struct HurlPredicate: Sendable, Hashable {
    var isNegated = false
    /// The name of the predicate, with symbols for comparisons.
    var name: String
    var value: HurlValue?
}

/// A line of `[Asserts]`.
struct HurlAssert: Sendable, Hashable {
    var query: HurlQuery
    var predicate: HurlPredicate
}

/// A line of `[Captures]`.
struct HurlCapture: Sendable, Hashable {
    var name: HurlText
    var query: HurlQuery
    var isRedacted = false
}

/// A line, or one that is not understood.
struct HurlLine<Content: Sendable & Hashable>: Sendable, Hashable {
    /// The content; nil if the line contains something unknown.
    var content: Content?
    /// The range of the line in bytes.
    var range: Range<Int>
}

/// The request of an entry.
struct HurlRequest: Sendable, Hashable {
    var method: String
    var url: HurlText
    var headers: [HurlField] = []
    var query: [HurlField] = []
    var form: [HurlField] = []
    var multipart: [HurlField] = []
    var cookies: [HurlField] = []
    var credentials: [HurlField] = []
    var options: [HurlField] = []
    var body: HurlBody?
}

/// The expected response of an entry.
struct HurlResponse: Sendable, Hashable {
    /// The version, such as `HTTP/1.1`.
    var version: String
    /// The status, or `*`.
    var status: String
    var headers: [HurlField] = []
    var captures: [HurlLine<HurlCapture>] = []
    var asserts: [HurlLine<HurlAssert>] = []
    var body: HurlBody?
    /// The offset of the body.
    var bodyOffset = 0
}

/// A request with its expected response.
struct HurlEntry: Sendable, Hashable {
    /// The comments before the request, in paragraphs.
    var comments: [[String]] = []
    /// The comments within the request.
    var requestComments: [String] = []
    /// The comments within the response.
    var responseComments: [String] = []
    /// The offset of the request.
    var offset: Int
    var request: HurlRequest
    var response: HurlResponse?
}
