import Basics

/// The queries, filters and predicates of captures and assertions.
extension HurlScanner {
    /// The queries, with whether they have an argument.
    private static let queries: [String: Bool] = [
        "status": false, "version": false, "url": false, "header": true, "cookie": true, "body": false, "bytes": false,
        "rawbytes": false, "jsonpath": true, "xpath": true, "regex": true, "variable": true, "duration": false,
        "sha256": false, "md5": false, "certificate": true, "ip": false, "redirects": false,
    ]

    /// The filters, with the number of their arguments.
    private static let filters: [String: Int] = [
        "base64Decode": 0, "base64Encode": 0, "base64UrlSafeDecode": 0, "base64UrlSafeEncode": 0, "charsetDecode": 1,
        "count": 0, "dateFormat": 1, "daysAfterNow": 0, "daysBeforeNow": 0, "decode": 1, "first": 0, "format": 1,
        "htmlEscape": 0, "htmlUnescape": 0, "jsonpath": 1, "last": 0, "location": 0, "nth": 1, "regex": 1,
        "replace": 2, "replaceRegex": 2, "split": 1, "toDate": 1, "toFloat": 0, "toHex": 0, "toInt": 0, "toString": 0,
        "urlDecode": 0, "urlEncode": 0, "urlQueryParam": 1, "utf8Decode": 0, "utf8Encode": 0, "xpath": 1,
    ]

    /// The predicates, with whether they have a value.
    private static let predicates: [String: Bool] = [
        "==": true, "!=": true, ">": true, ">=": true, "<": true, "<=": true, "startsWith": true, "endsWith": true,
        "contains": true, "includes": true, "matches": true, "exists": false, "isBoolean": false,
        "isCollection": false, "isDate": false, "isEmpty": false, "isFloat": false, "isInteger": false,
        "isIpv4": false, "isIpv6": false, "isIsoDate": false, "isList": false, "isNumber": false, "isObject": false,
        "isString": false, "isUuid": false, "countEquals": true,
    ]

    /// The former names of predicates.
    private static let formerNames = [
        "equals": "==", "equal": "==", "notEquals": "!=", "notEqual": "!=", "greaterThan": ">",
        "greaterThanOrEquals": ">=", "lessThan": "<", "lessThanOrEquals": "<=",
    ]

    /// Reads a query with its filters; nil if it is not known.
    mutating func query() throws(HurlSyntaxError) -> HurlQuery? {
        let name = word
        guard let hasArgument = Self.queries[name] else { return nil }
        position += name.utf8.count
        var query = HurlQuery(name: name)
        if hasArgument {
            skipBlanks()
            guard let argument = try literal() else { throw fail("the argument of the query") }
            query.argument = argument
        }
        skipBlanks()
        while let filter = try filter() {
            query.filters.append(filter)
            skipBlanks()
        }
        return query
    }

    /// Reads a filter; nil if none is at the position.
    mutating func filter() throws(HurlSyntaxError) -> HurlFilter? {
        let name = word
        guard let count = Self.filters[name] else { return nil }
        position += name.utf8.count
        var filter = HurlFilter(name: name)
        for _ in 0..<count {
            skipBlanks()
            guard let argument = try literal() else { throw fail("the argument of the filter") }
            filter.arguments.append(argument)
        }
        return filter
    }

    /// Reads a predicate; nil if it is not known.
    mutating func predicate() throws(HurlSyntaxError) -> HurlPredicate? {
        var isNegated = false
        if word == "not" {
            isNegated = true
            position += 3
            skipBlanks()
        }
        var name = word
        if name.isEmpty {
            for symbol in ["==", "!=", ">=", "<=", ">", "<"] where starts(with: symbol) {
                name = symbol
                break
            }
        }
        let length = name.utf8.count
        if let current = Self.formerNames[name] { name = current }
        guard let hasValue = Self.predicates[name] else { return nil }
        position += length
        var predicate = HurlPredicate(isNegated: isNegated, name: name)
        if hasValue {
            skipBlanks()
            guard let value = try literal() else { return nil }
            predicate.value = value
        }
        return predicate
    }

    /// Reads a value; nil if none is at the position.
    mutating func literal() throws(HurlSyntaxError) -> HurlValue? {
        guard let byte = current else { return nil }
        switch byte {
        case UInt8(ascii: "\""): return .string(try quoted())
        case UInt8(ascii: "`"):
            switch try backticks() {
            case .text(let text, _), .json(let text): return .string(text)
            case .graphQL, .xml, .bytes, .file: return nil
            }
        case UInt8(ascii: "/"): return .regex(try regex())
        case UInt8(ascii: "{") where peek(1) == UInt8(ascii: "{"): return .placeholder(try placeholder())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            var end = position + 1
            while end < bytes.count, ASCII.isAlphanumeric(bytes[end]) || ".+-".utf8.contains(bytes[end]) { end += 1 }
            defer { position = end }
            return .number(text(position..<end))
        default: break
        }
        if let bytes = try encodedBytes() { return .bytes(bytes) }
        if take("file,") { return .file(try delimited()) }
        let name = word
        switch name {
        case "true", "false":
            position += name.utf8.count
            return .bool(name == "true")
        case "null":
            position += 4
            return .null
        default: return nil
        }
    }

    /// Reads bytes in base64 or hexadecimal digits; nil if none are at the position.
    mutating func encodedBytes() throws(HurlSyntaxError) -> [UInt8]? {
        let start = position
        let isBase64 = starts(with: "base64,")
        guard isBase64 || starts(with: "hex,") else { return nil }
        position += isBase64 ? 7 : 4
        guard let text = try delimited().literal else { throw fail("bytes without placeholders", at: start) }
        let digits = text.utf8.filter { !ASCII.isWhitespace($0) }
        guard let bytes = isBase64 ? Base64.decode(digits) : Hexadecimal.decode(digits) else {
            throw fail(isBase64 ? "valid base64" : "an even number of hexadecimal digits", at: start)
        }
        return bytes
    }
}
