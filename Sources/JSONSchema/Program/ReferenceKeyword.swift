/// A keyword that refers to another schema.
enum ReferenceKeyword: String, Sendable {
    case ref = "$ref"
    case dynamicRef = "$dynamicRef"
    case recursiveRef = "$recursiveRef"
}
