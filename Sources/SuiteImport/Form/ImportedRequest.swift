/// A request of an imported suite.
package struct ImportedRequest: Sendable, Hashable {
    /// The method, such as `GET`.
    package var method: String
    /// The CEL expression of the method, in place of ``method``.
    package var methodExpression: String?
    /// The URL with its query: absolute, or beginning with an expression or `/`.
    package var url: ImportedText
    /// Further query parameters, which are percent-encoded when they are sent.
    package var query: [ImportedField] = []
    /// The header fields in order, without those that every client computes (`Host`, `Content-Length`, …).
    package var headers: [ImportedField] = []
    /// The header fields that the source does not send although apitest would by default.
    package var suppressedHeaders: [String] = []
    /// The cookies to send with those of the jar.
    package var cookies: [ImportedField] = []
    /// The names of cookies of the jar that are not sent.
    package var withheldCookies: [String] = []
    /// Whether the cookies of the jar are not sent.
    package var sendsNoCookies = false
    /// The authentication; nil if the source says nothing about it.
    package var auth: ImportedAuth?
    /// The body; nil for none.
    package var body: ImportedBody?
    /// Settings of the connection and the exchange.
    package var settings: [ImportedSetting] = []

    /// Creates a request.
    package init(method: String = "GET", url: ImportedText) {
        self.method = method
        self.url = url
    }

    /// Returns the first header field with a name, in any letter case.
    package func header(_ name: String) -> ImportedText? {
        headers.first { $0.isNamed(name) }?.value
    }

    /// Removes all header fields with a name, in any letter case.
    package mutating func removeHeader(_ name: String) { headers.removeAll { $0.isNamed(name) } }

    /// The maximum number of redirects that a suite can follow.
    private static let maximumRedirects = 100

    /// Limits the number of redirects to follow, which a suite cannot set higher than 100.
    package mutating func limitRedirects(to count: Int) {
        set(.redirects, count <= 0 ? false : .integer(min(count, Self.maximumRedirects)))
    }

    /// Sets a setting, in place of an equal one.
    package mutating func set(_ key: ImportedSetting.Key, _ value: ImportedValue) {
        settings.removeAll { $0.key == key }
        settings.append(ImportedSetting(key: key, value: value))
    }

    /// Returns the value of a setting.
    package func setting(_ key: ImportedSetting.Key) -> ImportedValue? { settings.first { $0.key == key }?.value }
}

/// A name with a value: a header field, a query parameter, a form field, or a cookie.
package struct ImportedField: Sendable, Hashable {
    /// The name.
    package var name: ImportedText
    /// The value.
    package var value: ImportedText

    /// Creates a field.
    package init(_ name: ImportedText, _ value: ImportedText) {
        self.name = name
        self.value = value
    }

    /// Returns whether the field has a name, in any letter case.
    package func isNamed(_ name: String) -> Bool { self.name.literal?.lowercased() == name.lowercased() }
}

/// A setting of a request, under the key of the same name.
package struct ImportedSetting: Sendable, Hashable {
    /// The keys of a request that are neither its message nor its authentication, in the order of the reference.
    package enum Key: String, Sendable, CaseIterable {
        case compress, timeout, redirects, maxBodySize, http, tls, proxy, unixSocket, resolve, stream
    }

    /// The key.
    package var key: Key
    /// The value, as the suite language defines it.
    package var value: ImportedValue
}

/// The authentication of an imported request.
package enum ImportedAuth: Sendable, Hashable {
    /// The part of a request that carries an API key.
    package enum KeyLocation: String, Sendable {
        case header, query, cookie
    }

    /// No credentials, even if the defaults have some.
    case none
    /// HTTP Basic authentication.
    case basic(username: ImportedText, password: ImportedText)
    /// HTTP Digest authentication.
    case digest(username: ImportedText, password: ImportedText)
    /// A bearer token.
    case bearer(ImportedText)
    /// An API key.
    case apiKey(KeyLocation, name: ImportedText, value: ImportedText)
    /// OAuth 2.0, with the members of `oauth2` in a suite.
    case oauth2([ImportedValue.Member])
    /// AWS Signature Version 4, with the members of `awsSigV4` in a suite.
    case awsSigV4([ImportedValue.Member])
}

/// The body of an imported request.
package enum ImportedBody: Sendable, Hashable {
    /// A part of a multipart form.
    package struct Part: Sendable, Hashable {
        /// The content of a part.
        package enum Content: Sendable, Hashable {
            case text(ImportedText)
            /// The path of a file, relative to the directory of the suite.
            case file(ImportedText)
            case json(ImportedValue)
        }

        /// The name of the form field.
        package var name: ImportedText
        /// The content.
        package var content: Content
        /// The file name to send; nil for none, or that of the file.
        package var fileName: ImportedText?
        /// The media type; nil for the default.
        package var type: ImportedText?
        /// Further header fields.
        package var headers: [ImportedField] = []

        /// Creates a part.
        package init(_ name: ImportedText, _ content: Content) {
            self.name = name
            self.content = content
        }
    }

    /// A JSON value.
    case json(ImportedValue)
    /// Text that is sent as it is.
    case text(ImportedText)
    /// An XML document.
    case xml(ImportedText)
    /// A form (`application/x-www-form-urlencoded`).
    case form([ImportedField])
    /// A multipart form.
    case multipart([Part])
    /// A GraphQL request.
    case graphQL(query: ImportedText, variables: ImportedValue?, operationName: ImportedText?)
    /// The bytes of a file, whose path is relative to the directory of the suite.
    case file(ImportedText)
    /// Bytes in base64.
    case base64(String)
}
