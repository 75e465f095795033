/// A part of a file that a Swagger 2.0 document refers to, and what it is there.
struct SwaggerPart: Hashable {
    /// What the part is.
    enum Kind: Hashable {
        case schema
        case pathItem
        /// A parameter that is not in the body.
        case parameter
        /// The body parameter, which becomes a request body.
        case body
        /// A form parameter, which becomes the schema of a property.
        case formProperty
        case response
    }

    /// Where the file is.
    var location: String
    /// The way to the part.
    var tokens: [String]
    /// What it is.
    var kind: Kind
}
