extension ChangeCatalog {
    /// The checks of what belongs to the whole description, and of security.
    static let descriptionTemplates: [Template] = [
        Template("api-security-added", .info, "the security of the operation now names {d|a further scheme}"),
        Template("api-security-removed", .info, "the security of the operation no longer names {d|a scheme}"),
        Template("api-security-scope-added", .info, "the operation now asks for {d|a scope}"),
        Template("api-security-scope-removed", .info, "the operation no longer asks for {d|a scope}"),
        Template(
            "api-security-became-stricter", .breaking,
            "the operation is now refused to requests that sufficed before{d|}"),
        Template("api-global-security-added", .info, "the security of the API now names {d|a further scheme}"),
        Template("api-global-security-removed", .info, "the security of the API no longer names {d|a scheme}"),
        Template("api-global-security-scope-added", .info, "the API now asks for {d|a scope}"),
        Template("api-global-security-scope-removed", .info, "the API no longer asks for {d|a scope}"),
        Template(
            "api-global-security-became-stricter", .breaking,
            "operations without security of their own are now refused to requests that sufficed before{d|}"),
        Template("api-security-component-added", .info, "{s} was added", scheme),
        Template("api-security-component-removed", .info, "{s} was removed", scheme),
        Template("api-security-component-type-changed", .info, "the type of {s} changed {d|}", scheme),
        Template(
            "api-security-component-api-key-changed", .breaking, "where the key of {s} is sent changed {d|}", scheme),
        Template(
            "api-security-component-http-scheme-changed", .breaking, "the HTTP scheme of {s} changed {d|}", scheme),
        Template(
            "api-security-component-openid-url-changed", .info, "the openIdConnectUrl of {s} changed {d|}", scheme),
        Template("api-security-component-oauth-flow-added", .info, "{s} was given {d|a flow}", scheme),
        Template("api-security-component-oauth-flow-removed", .warning, "{s} no longer has {d|a flow}", scheme),
        Template(
            "api-security-component-oauth-url-changed", .info, "the authorizationUrl of {s} changed {d|}", scheme),
        Template(
            "api-security-component-oauth-token-url-changed", .info, "the tokenUrl of {s} changed {d|}", scheme),
        Template("api-security-component-oauth-scope-added", .info, "{s} was given {d|a scope}", scheme),
        Template("api-security-component-oauth-scope-removed", .info, "{s} no longer has {d|a scope}", scheme),
        Template(
            "api-security-component-oauth-scope-changed", .info, "the description of {d|a scope} of {s} changed",
            scheme),
        Template("api-schema-removed", .info, "the schema {d|} of the components was removed"),
        Template("api-server-added", .info, "the server {d|} was added"),
        Template("api-server-removed", .warning, "the server {d|} was removed"),
        Template(
            "api-version-not-bumped", .info, "there are breaking changes, and info.version is still {d|the same}"),
        Template(
            "api-version-decreased", .info, "there are breaking changes, and info.version went back {d|}"),
        Template(
            "api-major-version-not-bumped", .info,
            "there are breaking changes, and info.version kept its major version{d|}"),
    ]

    private static let scheme = "a security scheme"
}
