/// The way that a value goes, which decides what members it has.
public enum SampleDirection: Sendable, Hashable, CaseIterable {
    /// To the server: members that are `readOnly` are left out.
    case request
    /// From the server: members that are `writeOnly` are left out.
    case response

    /// The keyword of the members that are left out.
    var excludingKeyword: String { self == .request ? "readOnly" : "writeOnly" }
}
