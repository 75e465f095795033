import Basics

/// Suggestions for spellings that other languages use and CEL does not.
enum ForeignSpelling {
    private static let bind: MessageText = "to name a value, write cel.bind(name, value, expression)"
    private static let lambda: MessageText = "pass the variable and the expression to a macro: x.all(e, e > 0)"
    private static let pattern: MessageText = "to match a pattern, write text.matches(\"…\")"
    private static let presence: MessageText = "to test whether a field exists, write has(x.field)"
    private static let choice: MessageText = "write a conditional as condition ? a : b"

    /// Returns the error message for a character sequence that is an operator in other languages, otherwise nil.
    ///
    /// Callers must try longer sequences first.
    static func ofSigns(_ signs: String) -> MessageText? {
        switch signs {
        case "===": "\"===\" is not an operator; write =="
        case "!==": "\"!==\" is not an operator; write !="
        case "<>": "\"<>\" is not an operator; write !="
        case "=<": "\"=<\" is not an operator; write <="
        case "=>", "->": "\"\(signs)\" is not an operator; \(lambda)"
        case ":=": "\":=\" is not an operator; for equality, write ==; \(bind)"
        case "+=", "-=", "*=", "/=", "%=": "assignment is not supported; \(bind)"
        case "=~": "\"=~\" is not an operator; \(pattern)"
        case "=": "\"=\" is not an operator; for equality, write =="
        case "&": "\"&\" is not an operator; write &&"
        case "|": "\"|\" is not an operator; write ||"
        case "**": "\"**\" is not an operator; multiply the value by itself"
        case "??": "\"??\" is not an operator; for a default, write x.?field.orValue(default)"
        case "?.": "\"?.\" is not an operator; for an optional selection, write a.?field"
        case "?[": "\"?[\" is not an operator; for an optional index, write a[?index]"
        case "${": "\"$\" is not allowed in an expression; inside ${ }, write the plain name"
        case "$": "\"$\" is not allowed in an expression; to evaluate a JSONPath, write jsonpath(value, \"$.a\")"
        case ";": "remove \";\", and join conditions with &&"
        default: nil
        }
    }

    /// Returns a suggestion for a character that CEL does not use; nil if there is none.
    static func ofCharacter(_ character: Unicode.Scalar) -> MessageText? {
        switch character {
        case "#": "comments start with //"
        case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{AB}", "\u{BB}":
            "the quotation marks are \" and '"
        default: nil
        }
    }

    /// Returns a suggestion for a word in the position of an operator; nil if there is none.
    static func ofOperator(_ word: String) -> MessageText? {
        switch word.lowercased() {
        case "and": "write && instead of \"and\""
        case "or": "write || instead of \"or\""
        case "not": "write ! instead of \"not\""
        case "is", "eq": "for equality, write =="
        case "if": choice
        case "matches", "contains", "startswith", "endswith": "call it as a method: text.\(MessageText(words: word))(…)"
        case "like": pattern
        default: nil
        }
    }

    /// Returns a suggestion for a word before an operand; nil if there is none.
    static func ofPrefix(_ word: String) -> MessageText? {
        switch word {
        case "not", "NOT": "write ! instead of \"not\""
        case "typeof": "for the type of a value, write type(x)"
        case "new": "for the current time, write now()"
        default: nil
        }
    }

    /// Returns a suggestion for an unknown function; nil if there is none.
    static func ofFunction(_ name: String) -> MessageText? {
        switch name.lowercased() {
        case "and", "or", "not": ofOperator(name)
        case "len", "length", "count": "did you mean \"size\"?"
        case "lower", "tolower", "lowercase": "write x.lowerAscii()"
        case "upper", "toupper", "uppercase": "write x.upperAscii()"
        case "str": "did you mean \"string\"?"
        case "float": "did you mean \"double\"?"
        case "parseint": "write int(x)"
        case "parsefloat", "number": "write double(x)"
        case "date.now", "time.now", "today", "time": "for the current time, write now()"
        case "isnan": "did you mean \"math.isNaN\"?"
        case "exists", "defined", "isset": presence
        case "btoa": "did you mean \"base64.encode\"?"
        case "atob": "did you mean \"base64.decode\"?"
        case "encodeuricomponent": "did you mean \"url.encode\"?"
        case "jwt.encode": "did you mean \"jwt.sign\"?"
        case "math.min": "did you mean \"math.least\"?"
        case "math.max": "did you mean \"math.greatest\"?"
        case "math.sum": "write x.sum()"
        case "object.keys": "write x.keys()"
        case "object.values": "write x.values()"
        case "range": "did you mean \"lists.range\"?"
        default: nil
        }
    }

    /// Returns a suggestion for an unknown method; nil if there is none.
    static func ofMethod(_ name: String) -> MessageText? {
        switch name.lowercased() {
        case "length", "len", "count": "write size(x)"
        case "touppercase", "upper", "toupper": "write x.upperAscii()"
        case "tolowercase", "lower", "tolower": "write x.lowerAscii()"
        case "tostring", "str": "write string(x)"
        case "includes", "has", "contain": "write x.contains(…) for a string, or x in list for a list"
        case "some", "any": "write x.exists(e, …)"
        case "every": "write x.all(e, …)"
        case "find": "write x.filter(e, …)[0]"
        case "substr": "write x.substring(from, to)"
        case "test", "match", "search": "write x.matches(\"…\")"
        case "replaceall": "write x.replace(old, new)"
        case "strip": "write x.trim()"
        case "get": "write x.?name.orValue(default)"
        case "average", "mean": "write x.avg()"
        case "unique", "uniq": "write x.distinct()"
        case "assign", "extend": "write x.merge(y)"
        default: nil
        }
    }

    /// Returns a suggestion for an unknown method of a response; nil if there is none.
    static func ofResponseMethod(_ name: String) -> MessageText? {
        switch name.lowercased() {
        case "json", "body": "for the parsed body, write body"
        case "text", "content", "getbody": "for the body as a string, write text"
        case "header", "getheader", "headers": "for a header, write headers[\"Name\"]"
        case "status", "code", "statuscode": "for the status, write status"
        default: nil
        }
    }

    /// Returns the notation for a query of Hurl before its argument, such as `jsonpath "$.a"`; nil for any other word.
    static func ofQuery(_ word: String, _ argument: String) -> MessageText? {
        let isPlain = !argument.contains { "\"\\\n".contains($0) }
        let quoted: MessageText = isPlain ? "\"\(argument)\"" : "\"…\""
        switch word {
        case "jsonpath": return "write jsonpath(body, \(quoted))"
        case "header": return "write headers[\(quoted)]"
        case "cookie": return "write cookies[\(quoted)]"
        case "variable": return "write the plain name of the variable"
        case "xpath": return "write the XPath under \"xml\" or \"html\" of \"expect\""
        case "regex": return "write text.matches(\(quoted))"
        default: return nil
        }
    }

    /// Returns the field of a response for its name in other tools; nil if there is none.
    static func ofField(_ name: String) -> String? {
        switch name {
        case "status_code", "statusCode", "code", "statuscode": "status"
        case "content": "text"
        case "elapsed", "time", "responseTime": "duration"
        case "data", "json": "body"
        default: nil
        }
    }

    /// Returns a suggestion for an unknown variable; nil if there is none.
    static func ofVariable(_ name: String) -> MessageText? {
        switch name {
        case "None", "nil", "undefined", "NULL": "write null"
        default: nil
        }
    }

    /// Returns a suggestion for a reserved word; nil if there is none.
    static func ofReservedWord(_ word: String) -> MessageText? {
        switch word {
        case "if": choice
        case "let", "var", "const": bind
        case "function": lambda
        case "return": "write the expression without \"return\""
        case "for", "while", "loop": "to iterate over a list, use a macro such as x.all(e, e > 0) or x.map(e, e * 2)"
        default: nil
        }
    }
}
