/// How the language writes what other languages write differently.
enum ForeignSpelling {
    private static let bind = "a name is given by cel.bind(name, value, expression)"
    private static let lambda = "a macro takes the variable and the expression: x.all(e, e > 0)"
    private static let pattern = "a pattern is tested with text.matches(\"…\")"
    private static let presence = "whether a field is there is asked by has(x.field)"
    private static let choice = "a choice is written condition ? a : b"

    /// What is wrong with a sequence of signs that is an operator elsewhere, or nil; longer ones are to be asked for first.
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

    /// What to write instead of a character that is no part of the language, or nil.
    static func ofCharacter(_ character: Unicode.Scalar) -> String? {
        switch character {
        case "#": "a comment begins with //"
        case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{AB}", "\u{BB}":
            "quotation marks are \" and '"
        default: nil
        }
    }

    /// What to write instead of a word that stands where an operator is needed, or nil.
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

    /// What to write instead of a word that stands before an operand, or nil.
    static func ofPrefix(_ word: String) -> String? {
        switch word {
        case "not", "NOT": "\"not\" is written !"
        case "typeof": "the type of a value is type(x)"
        case "new": "the present time is now()"
        default: nil
        }
    }

    /// What to write instead of a call of a function that does not exist, or nil.
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

    /// What to write instead of a call of a method that does not exist, or nil.
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

    /// What to write instead of a variable that does not exist, or nil.
    static func ofVariable(_ name: String) -> String? {
        switch name {
        case "None", "nil", "undefined", "NULL": "no value is written null"
        default: nil
        }
    }

    /// What to write instead of a reserved word, or nil.
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
