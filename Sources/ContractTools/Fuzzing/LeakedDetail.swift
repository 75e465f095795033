import Basics
import RunModel

/// Details of the server that no response may contain: stack traces of the usual languages, and private keys in errors.
enum LeakedDetail: String, CaseIterable {
    case python = "Python"
    case java = "Java"
    case dotNET = ".NET"
    case node = "Node.js"
    case go = "Go"
    case php = "PHP"
    case ruby = "Ruby"
    case rust = "Rust"
    case privateKey = "private key"

    /// The detail with its article.
    var wording: MessageText {
        let name = MessageText(words: rawValue)
        return self == .privateKey ? "a \(name)" : "a \(name) stack trace"
    }

    private static let maximumScannedBytes = 1 << 20

    /// Strings that a trace contains, all of them.
    private var marks: [String] {
        switch self {
        case .python: ["Traceback (most recent call last)", "File \"", ", line "]
        case .java: ["\tat ", ".java:"]
        case .dotNET: ["   at ", ".cs:line "]
        case .node: ["    at ", ".js:"]
        case .go: ["goroutine ", "[running]", ".go:"]
        case .php: ["Stack trace:", "#0 ", ".php"]
        case .ruby: [".rb:", ":in `"]
        case .rust: ["thread '", "panicked at "]
        case .privateKey: ["-----BEGIN ", "PRIVATE KEY-----"]
        }
    }

    /// Returns a string of the detail in a response.
    static func mark(in exchange: Exchange) -> String {
        exchange.response.flatMap { detail(in: $0) }.map {
            $0 == .privateKey ? "PRIVATE KEY-----" : $0.marks.first?.escaped ?? ""
        } ?? ""
    }

    /// Returns the detail in a response, or `nil` if there is none.
    static func detail(in response: Exchange.Response) -> LeakedDetail? {
        let text = String(decoding: response.body.prefix(maximumScannedBytes), as: UTF8.self)
        return allCases.first { detail in
            // A service may create keys for its clients.
            if detail == .privateKey, response.status < 400 { return false }
            return detail.marks.allSatisfy { text.contains($0) || text.contains($0.escaped) }
        }
    }
}

extension String {
    /// The text as it appears within a JSON string.
    fileprivate var escaped: String {
        replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
    }
}
