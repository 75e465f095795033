/// The state of reading one text: a position in the bytes and what is left of the depth.
struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let count: Int
    var position = 0
    /// Bytes of a string with escapes; kept between strings for its storage.
    var scratch: [UInt8] = []
    private let maximumDepth: Int
    private var depthLeft: Int
    private let duplicateMembers: JSONParser.DuplicateMembers

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, duplicateMembers: JSONParser.DuplicateMembers
    ) {
        self.bytes = bytes
        self.count = bytes.count
        self.maximumDepth = maximumDepth
        self.depthLeft = maximumDepth
        self.duplicateMembers = duplicateMembers
    }

    /// JSON-text = ws value ws
    mutating func readText() throws(JSONParseError) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw failure("JSON text must not start with a byte order mark", at: 0)
        }
        skipWhiteSpace()
        let value = try readValue(after: "")
        skipWhiteSpace()
        if position < count { throw unexpected("the end of the text", at: position) }
        return value
    }

    @inline(__always)
    mutating func skipWhiteSpace() {
        while position < count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// Reads a value; `context` completes "expected a value…" in the message when there is none.
    private mutating func readValue(after context: StaticString) throws(JSONParseError) -> JSONValue {
        guard position < count else { throw unexpected("a value\(context)", at: position) }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            return .string(try readString())
        case UInt8(ascii: "{"):
            return .object(try readObject())
        case UInt8(ascii: "["):
            return .array(try readArray())
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            return .number(try readNumber())
        case UInt8(ascii: "t") where skipWord("true"):
            return .bool(true)
        case UInt8(ascii: "f") where skipWord("false"):
            return .bool(false)
        case UInt8(ascii: "n") where skipWord("null"):
            return .null
        case UInt8(ascii: "'"):
            throw failure(
                "expected a value\(context), found \"'\"; JSON strings are written in double quotes", at: position)
        default:
            throw unexpected("a value\(context)", at: position)
        }
    }

    /// Moves past `word` if it stands here whole.
    private mutating func skipWord(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard count - position >= length else { return false }
        for offset in 0..<length where bytes[position + offset] != word.utf8Start[offset] { return false }
        if position + length < count, JSONReader.isWordByte(bytes[position + length]) { return false }
        position += length
        return true
    }

    private mutating func readNumber() throws(JSONParseError) -> JSONNumber {
        let start = position
        let scan = NumberScan(bytes, at: start)
        position = scan.end
        if let problem = scan.problem {
            switch problem {
            case .digitAfterMinus: throw unexpected("a digit after \"-\"", at: scan.end)
            case .digitAfterPoint: throw unexpected("a digit after the decimal point", at: scan.end)
            case .digitInExponent: throw unexpected("a digit in the exponent", at: scan.end)
            case .leadingZero: throw failure("a number must not have leading zeros", at: start)
            }
        }
        return JSONNumber(
            scan: scan, literal: String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<scan.end]), as: UTF8.self)
        )
    }

    private mutating func readArray() throws(JSONParseError) -> [JSONValue] {
        try enter()
        position += 1
        skipWhiteSpace()
        if position < count, bytes[position] == UInt8(ascii: "]") {
            position += 1
            depthLeft += 1
            return []
        }
        var elements: [JSONValue] = []
        elements.append(try readValue(after: " or \"]\""))
        while true {
            skipWhiteSpace()
            let byte = position < count ? bytes[position] : 0
            if byte == UInt8(ascii: ",") {
                position += 1
                skipWhiteSpace()
                elements.append(try readValue(after: " after \",\""))
            } else if byte == UInt8(ascii: "]") {
                position += 1
                depthLeft += 1
                return elements
            } else {
                throw unexpected("\",\" or \"]\" after the array element", at: position)
            }
        }
    }

    private mutating func readObject() throws(JSONParseError) -> JSONObject {
        try enter()
        position += 1
        var object = JSONObject()
        skipWhiteSpace()
        if position < count, bytes[position] == UInt8(ascii: "}") {
            position += 1
            depthLeft += 1
            return object
        }
        try readMember(into: &object, after: " or \"}\"")
        while true {
            skipWhiteSpace()
            let byte = position < count ? bytes[position] : 0
            if byte == UInt8(ascii: ",") {
                position += 1
                skipWhiteSpace()
                try readMember(into: &object, after: " after \",\"")
            } else if byte == UInt8(ascii: "}") {
                position += 1
                depthLeft += 1
                return object
            } else {
                throw unexpected("\",\" or \"}\" after the member", at: position)
            }
        }
    }

    /// member = string ":" value
    @inline(__always)
    private mutating func readMember(
        into object: inout JSONObject, after context: StaticString
    ) throws(JSONParseError) {
        let start = position
        guard start < count, bytes[start] == UInt8(ascii: "\"") else {
            throw unexpected("a member name in double quotes\(context)", at: start)
        }
        let name = try readString()
        skipWhiteSpace()
        guard position < count, bytes[position] == UInt8(ascii: ":") else {
            throw unexpected("\":\" after the member name", at: position)
        }
        position += 1
        skipWhiteSpace()
        let value = try readValue(after: " after \":\"")
        if let taken = object.insert(name, value) {
            switch duplicateMembers {
            case .reject:
                throw failure("the object has a second member named \(JSONValue.string(name).serialized())", at: start)
            case .keepFirst:
                break
            case .keepLast:
                object.replaceValue(at: taken, with: value)
            }
        }
    }

    private mutating func enter() throws(JSONParseError) {
        guard depthLeft > 0 else {
            throw failure("the text is nested more than \(maximumDepth) levels deep", at: position)
        }
        depthLeft -= 1
    }
}
