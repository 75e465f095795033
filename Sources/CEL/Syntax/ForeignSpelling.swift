/// How the language writes what other languages write differently.
enum ForeignSpelling {
    /// What to write instead of a word that stands where an operator is needed, or nil.
    static func ofOperator(_ word: String) -> String? {
        switch word.lowercased() {
        case "and": "\"and\" is written &&"
        case "or": "\"or\" is written ||"
        case "not": "\"not\" is written !"
        case "is", "eq": "equality is written =="
        case "if": choice
        case "matches", "contains", "startswith", "endswith": "it is a method: text.\(word)(…)"
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
    static func ofReservedWord(_ word: String) -> String? { word == "if" ? choice : nil }

    private static var choice: String { "a choice is written condition ? a : b" }
}
