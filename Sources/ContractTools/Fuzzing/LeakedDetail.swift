import Basics
import Glibc
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

    /// The marks of each detail as bytes, plain and as they appear within a JSON string.
    private static let needles: [(detail: LeakedDetail, marks: [(plain: [UInt8], escaped: [UInt8])])] = allCases.map {
        ($0, $0.marks.map { (Array($0.utf8), Array($0.escaped.utf8)) })
    }

    /// Returns the detail in a response, or `nil` if there is none.
    static func detail(in response: Exchange.Response) -> LeakedDetail? {
        response.body.prefix(maximumScannedBytes).withUnsafeBytes { body in
            needles.first { detail, marks in
                // A service may create keys for its clients.
                if detail == .privateKey, response.status < 400 { return false }
                return marks.allSatisfy { contains($0.plain, body) || contains($0.escaped, body) }
            }?.detail
        }
    }

    private static func contains(_ needle: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard var position = bytes.baseAddress, let first = needle.first else { return false }
        let end = position + bytes.count
        while end - position >= needle.count,
            let found = memchr(position, Int32(first), end - position - needle.count + 1)
        {
            if memcmp(found, needle, needle.count) == 0 { return true }
            position = UnsafeRawPointer(found) + 1
        }
        return false
    }
}

extension String {
    /// The text as it appears within a JSON string.
    fileprivate var escaped: String {
        replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
    }
}
