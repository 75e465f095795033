/// Where an API can be reached (Server Object).
public struct Server: Sendable {
    /// A part of a server's URL that may be chosen.
    public struct Variable: Sendable {
        /// The name.
        public var name: String
        /// The value unless another is chosen.
        public var defaultValue: String
        /// The values that it may have; empty for any.
        public var values: [String]
        /// What it is for.
        public var description: String?
    }

    /// The URL, which may be relative and may hold names in braces.
    public var url: String
    /// The name (3.2).
    public var name: String?
    /// What it is.
    public var description: String?
    /// The parts of the URL that may be chosen, in the order of the file.
    public var variables: [Variable]
    /// Where it stands; nil for the server that a description without any has.
    public var node: DescriptionNode?

    /// The URL with the default of every variable.
    public var defaultURL: String {
        var url = ""
        var rest = self.url[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = rest[rest.index(after: open)..<close]
            url += rest[..<open]
            if let variable = variables.first(where: { $0.name == name }) {
                url += variable.defaultValue
            } else {
                url += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return url + rest
    }
}
