/// Suggestions for spellings that other languages use and CEL does not.
enum ForeignSpelling {
    private static let bind = "a name is given by cel.bind(name, value, expression)"
    private static let lambda = "a macro takes the variable and the expression: x.all(e, e > 0)"
    private static let pattern = "a pattern is tested with text.matches(\"…\")"
    private static let presence = "whether a field is there is asked by has(x.field)"
    private static let choice = "a choice is written condition ? a : b"

    /// Returns the error message for a character sequence that is an operator in other languages, otherwise nil.
    ///
    /// Callers must try longer sequences first.
    static func ofSigns(_ signs: String) -> String? {
        switch signs {
        case "===": "\"===\" is no operator; equality is written =="
        case "!==": "\"!==\" is no operator; inequality is written !="
        case "<>": "\"<>\" is no operator; inequality is written !="
        case "=<": "\"=<\" is no operator; it is written <="
        case "=>", "->": "\"\(signs)\" is no operator; \(lambda)"
        case ":=": "\"=\" is no operator; equality is written == and \(bind)"
        case "+=", "-=", "*=", "/=", "%=": "there is no assignment; \(bind)"
        case "=~": "\"=~\" is no operator; \(pattern)"
        case "=": "\"=\" is no operator; equality is written =="
        case "&": "\"&\" is no operator; \"and\" is written &&"
        case "|": "\"|\" is no operator; \"or\" is written ||"
        case "**": "\"**\" is no operator; multiply the value by itself"
        case "??": "\"??\" is no operator; a default is written x.?field.orValue(default)"
        case "?.": "\"?.\" is no operator; an optional selection is written a.?field"
        case "?[": "\"?[\" is no operator; an optional index is written a[?index]"
        case "${": "\"$\" is no part of an expression; within ${ } a name stands alone, without ${ }"
        case "$": "\"$\" is no part of an expression; a JSONPath is evaluated by jsonpath(value, \"$.a\")"
        case ";": "an expression does not end with \";\"; conditions are joined with &&"
        default: nil
        }
    }

    /// Returns a suggestion for a character that CEL does not use; nil if there is none.
    static func ofCharacter(_ character: Unicode.Scalar) -> String? {
        switch character {
        case "#": "a comment begins with //"
        case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{AB}", "\u{BB}":
            "quotation marks are \" and '"
        default: nil
        }
    }

    /// Returns a suggestion for a word in the position of an operator; nil if there is none.
    static func ofOperator(_ word: String) -> String? {
        switch word.lowercased() {
        case "and": "\"and\" is written &&"
        case "or": "\"or\" is written ||"
        case "not": "\"not\" is written !"
        case "is", "eq": "equality is written =="
        case "if": choice
        case "matches", "contains", "startswith", "endswith": "it is a method: text.\(word)(…)"
        case "like": pattern
        default: nil
        }
    }

    /// Returns a suggestion for a word before an operand; nil if there is none.
    static func ofPrefix(_ word: String) -> String? {
        switch word {
        case "not", "NOT": "\"not\" is written !"
        case "typeof": "the type of a value is type(x)"
        case "new": "the present time is now()"
        default: nil
        }
    }

    /// Returns a suggestion for an unknown function; nil if there is none.
    static func ofFunction(_ name: String) -> String? {
        switch name.lowercased() {
        case "and", "or", "not": ofOperator(name)
        case "len", "length", "count": "did you mean \"size\"?"
        case "str": "did you mean \"string\"?"
        case "float": "did you mean \"double\"?"
        case "parseint": "write int(x)"
        case "parsefloat", "number": "write double(x)"
        case "date.now", "time.now", "today", "time": "the present time is now()"
        case "isnan": "did you mean \"math.isNaN\"?"
        case "exists", "defined", "isset": presence
        case "btoa": "did you mean \"base64.encode\"?"
        case "atob": "did you mean \"base64.decode\"?"
        case "encodeuricomponent": "did you mean \"url.encode\"?"
        default: nil
        }
    }

    /// Returns a suggestion for an unknown method; nil if there is none.
    static func ofMethod(_ name: String) -> String? {
        switch name.lowercased() {
        case "length", "len", "count": "write size(x)"
        case "touppercase", "upper", "toupper": "write x.upperAscii()"
        case "tolowercase", "lower", "tolower": "write x.lowerAscii()"
        case "tostring", "str": "write string(x)"
        case "includes", "has", "contain": "write x.contains(…) of a text, element in list of a list"
        case "some", "any": "write x.exists(e, …)"
        case "every": "write x.all(e, …)"
        case "find": "write x.filter(e, …)[0]"
        case "substr": "write x.substring(from, to)"
        case "test", "match", "search": "write x.matches(\"…\")"
        case "replaceall": "write x.replace(old, new)"
        case "strip": "write x.trim()"
        case "get": "write x.?name.orValue(default)"
        case "keys": "write x.map(key, key)"
        default: nil
        }
    }

    /// Returns a suggestion for an unknown variable; nil if there is none.
    static func ofVariable(_ name: String) -> String? {
        switch name {
        case "None", "nil", "undefined", "NULL": "no value is written null"
        default: nil
        }
    }

    /// Returns a suggestion for a reserved word; nil if there is none.
    static func ofReservedWord(_ word: String) -> String? {
        switch word {
        case "if": choice
        case "let", "var", "const": bind
        case "function": lambda
        case "return": "the expression itself is the value"
        case "for", "while", "loop": "lists are gone through by macros: x.all(e, e > 0), x.map(e, e * 2)"
        default: nil
        }
    }
}
