public import Diagnostics

extension RequestSpec {
    /// A part of a `multipart/form-data` body (RFC 7578).
    public struct Part: Sendable {
        /// What a part holds.
        public enum Content: Sendable {
            /// A value as text.
            case text(Template)
            /// A JSON value, sent as `application/json`.
            case json(ValueTemplate)
            /// A file's bytes; the path resolves against the suite's folder.
            case file(Template, range: SourceRange)
        }

        /// The name of the field.
        public var name: Template
        /// What the part holds.
        public var content: Content
        /// What Content-Type says instead of the content's own.
        public var contentType: Template?
        /// The file name that is sent; without one, a file's own.
        public var fileName: Template?
        /// Further headers of the part.
        public var headers: [Header]

        /// Creates a part.
        public init(
            name: Template, content: Content, contentType: Template? = nil, fileName: Template? = nil,
            headers: [Header] = []
        ) {
            self.name = name
            self.content = content
            self.contentType = contentType
            self.fileName = fileName
            self.headers = headers
        }
    }

    /// A GraphQL request, sent as a JSON object.
    public struct GraphQL: Sendable {
        /// The document.
        public var query: Template
        /// The values of its variables.
        public var variables: ValueTemplate?
        /// The operation that is meant, when the document has several.
        public var operationName: Template?

        /// Creates a request.
        public init(query: Template, variables: ValueTemplate? = nil, operationName: Template? = nil) {
            self.query = query
            self.variables = variables
            self.operationName = operationName
        }
    }
}
