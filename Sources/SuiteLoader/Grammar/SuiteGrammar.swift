import OpenAPI

/// The keys of a suite.
enum SuiteKey: String, CaseIterable, Sendable {
    case name, description, owner, tags, extends, baseURL, contract, mode, serve, variables, environments, secrets,
        dotenv
    case namespaces, schemas
    case use, fragments, defaults, setup, tests, teardown, load

    static let schema = MapSchema<SuiteKey>(
        "suite", title: "a suite", "A suite of API tests: one YAML document.",
        rows: rows,
        allowsExtensions: true,
        misplaced: misplaced)

    /// The keys of a settings file, which suites name under `extends`.
    static let settings = MapSchema<SuiteKey>(
        "settings", title: "a settings file",
        "Settings that several suites share. Each of them names the file under `extends`.",
        rows: rows.filter { settingsKeys.contains($0.key) },
        allowsExtensions: true,
        misplaced: misplaced.merging([
            "name": "it belongs in the suites", "mode": "it belongs in the suites",
            "fragments": "name a fragment file in \"use\"",
            "tests": "it belongs in the suites", "setup": "it belongs in the suites",
            "teardown": "it belongs in the suites", "load": "it belongs in the suites",
        ]) { $1 })

    private static let settingsKeys: Set<SuiteKey> = [
        .extends, .description, .owner, .tags, .baseURL, .contract, .serve, .variables, .environments, .secrets,
        .dotenv, .namespaces, .schemas, .use, .defaults,
    ]

    private static let rows: [MapSchema<SuiteKey>.Row] = [
        .init(.name, .string, "The name of the suite in reports (default: the name of the file)."),
        .init(.description, .string, "A description of the suite for readers; reports show it."),
        .init(.owner, .string, "The person or team responsible for the suite's tests; reports show it."),
        .init(
            .tags, .anyOf([.list(.string), .string]),
            "Tags that every test of the suite has, for selecting tests."),
        .init(
            .extends, .anyOf([.string, .list(.string)]),
            "The settings file that the suite extends, or several; the suite's own settings override them."),
        .init(
            .baseURL, .template,
            "The base URL of relative URLs (default with `serve`: the address of the started server)."),
        .init(
            .contract, ContractKey.kind,
            "The OpenAPI description that every exchange is validated against: its path, or a mapping; false for none."
        ),
        .init(
            .mode, .choice(["concurrent", "serial"]),
            "The order of tests: `concurrent` (the default) starts each test as soon as its dependencies are done, `serial` runs tests in file order."
        ),
        .init(
            .serve, .anyOf([.map("serve"), .null]),
            "The server to start for the run and stop afterwards; null starts none."),
        .init(
            .variables, .members(.value),
            "Variables for expressions such as `${name}`; they can refer to each other."),
        .init(
            .environments, .members(.map("environment")),
            "Named sets of values; `--environment` selects one for a run."),
        .init(
            .secrets, .anyOf([.list(.string), .string, .members(.anyOf([.map("secret"), .null]))]),
            "Names of variables, captures and environment variables whose values are masked in every output (`*` matches any characters, `!` excludes a name), in addition to names such as `API_TOKEN`; or a mapping of names to sources."
        ),
        .init(
            .dotenv, .anyOf([.list(.string), .string]),
            "Files of `NAME=value` lines for `env()`; later files override earlier ones, and the process environment overrides all."
        ),
        .init(
            .namespaces, .members(.string),
            "XML namespaces for the XPaths of the suite, by prefix."),
        .init(
            .schemas, .members(.string),
            "Local files for the URIs in `$ref` of JSON Schemas; a URI that ends in `/` maps to a directory."
        ),
        .init(
            .use, FragmentFileKey.useKind,
            "Fragment files to include: paths, or a mapping of prefixes to paths, to call fragments as in `auth.login`."
        ),
        .init(
            .fragments, .members(.map("fragment")),
            "Named sequences of steps that the suite's tests call."),
        .init(.defaults, .map("defaults"), "Defaults for every request and expectation of the suite."),
        .init(
            .setup, .list(.map("step")),
            "Steps that run before the tests; if one fails, no test runs. Tests can use their captures."),
        .init(.tests, .list(.map("test")), required: true, "The tests, in the order of reports."),
        .init(
            .teardown, .list(.map("step")),
            "Steps that run after the tests, even if tests fail or the run is interrupted."),
        .init(
            .load, .members(.map("loadProfile")),
            "Named load profiles; `apitest load` repeats the tests as one of them says."),
    ]

    private static let misplaced: [String: KeyHint] = [
        "request": .under("tests"), "expect": .under("tests", "defaults"),
        "headers": .under("defaults", "request"),
        "timeout": .under("defaults", "request"),
        "redirects": .under("defaults", "request"),
        "schemaFormat": .under("defaults"), "schema": .under("expect"),
        "url": .key("baseURL"), "host": .key("baseURL"), "vars": .key("variables"), "env": .key("environments"),
        "steps": .key("tests"), "stages": .key("tests"), "includes": .key("use"),
        "routes": .otherFile("this is a mock file; a suite names it in \"serve: { mock: … }\""),
        "collections": .otherFile("this is a mock file; a suite names it in \"serve: { mock: … }\""),
    ]
}

/// The keys of an environment.
enum EnvironmentKey: String, CaseIterable, Sendable {
    case baseURL, variables, secrets, dotenv

    static let schema = MapSchema<EnvironmentKey>(
        "environment", title: "an environment",
        "Values that override those of the suite if the environment is selected.",
        rows: [
            .init(
                .baseURL, .template,
                "The base URL of relative URLs; unless it uses `${port}`, `serve` starts nothing."),
            .init(.variables, .members(.value), "Variables that override those of the suite."),
            .init(
                .secrets, .anyOf([.list(.string), .string]),
                "Names of additional values to mask in every output."),
            .init(
                .dotenv, .anyOf([.list(.string), .string]),
                "Files of `NAME=value` lines for `env()`, read after those of the suite."),
        ],
        misplaced: [
            "url": .key("baseURL"), "host": .key("baseURL"), "vars": .key("variables"),
            "serve": "it belongs at the top level of the suite", "defaults": "it belongs at the top level of the suite",
            "headers": .under("defaults"),
        ])
}

/// The keys of `defaults`.
enum DefaultsKey: String, CaseIterable, Sendable {
    case headers, query, queryStyle, cookies, compress, auth, timeout, redirects, maxBodySize, http, tls, proxy
    case unixSocket, resolve, trace, retry, cookieJar, schemaFormat, expect

    static let schema = MapSchema<DefaultsKey>(
        "defaults", title: "\"defaults\"", "Defaults for every request and expectation of a suite.",
        rows: [
            .init(
                .headers, .anyOf([.members(RequestReader.headerKind), .expression]),
                "Headers of every request; a request's own header overrides the one of the same name, null removes it."),
            .init(
                .query, .anyOf([.members(.value), .expression]), "Query parameters to add to every URL."),
            .init(
                .queryStyle, .choice(["brackets", "repeat", "comma", "indices"]),
                "The style of nested values under `query`."),
            .init(
                .cookies, .anyOf([.members(.anyOf([.text, .null])), .expression]), "Cookies of every request."),
            .init(
                .timeout, .anyOf([.duration, .map("timeout")]),
                "The timeout of an exchange, or of each phase of it."),
            .init(
                .redirects, .anyOf([.boolean, .integer(0...100)]),
                "The maximum number of redirects to follow (default: 10); false follows none."),
            .init(.maxBodySize, .size, "The maximum size of a response body."),
            .init(.compress, RequestKey.compressKind, "The compression of request bodies."),
            .init(.auth, RequestKey.authKind, "How requests authenticate."),
            .init(
                .http, .version(RequestKey.versions),
                "The HTTP version: 1.0, 1.1, 2, or `auto`, which uses the version that the server prefers."),
            .init(
                .tls, RequestKey.tlsKind,
                "TLS certificates and versions; a request's own keys override these one by one."),
            .init(
                .proxy, RequestKey.proxyKind,
                "The proxy URL (http, https or socks5), or false for no proxy."),
            .init(
                .unixSocket, RequestKey.unixSocketKind,
                "The path of a Unix domain socket to connect to instead of the URL's host."),
            .init(
                .resolve, RequestKey.resolveKind,
                "Addresses, each with an optional port, by `host:port`, used instead of DNS."),
            .init(.trace, .boolean, RequestKey.traceText),
            .init(
                .retry, TestKey.retryKind,
                "The number of retries of a test that did not pass; a test's own setting overrides it."),
            .init(.cookieJar, TestKey.cookieJarKind, TestKey.cookieJarText),
            .init(
                .schemaFormat, SchemaKey.formatKind,
                "Whether `format` is checked in JSON Schemas: `assert`, or `annotate` (the default)."),
            .init(
                .expect, .anyOf([.status, .map("expect")]),
                "Expectations of every exchange, merged key by key; a step's own key overrides the default, null removes it."
            ),
        ],
        misplaced: [
            "baseURL": "it belongs next to \"defaults\"", "variables": "it belongs next to \"defaults\"",
            "namespaces": "it belongs next to \"defaults\"",
        ])
}

/// The keys of `serve`.
enum ServeKey: String, CaseIterable, Sendable {
    case mock, command, directory, env, ready, within, log, shared

    static let schema = MapSchema<ServeKey>(
        "serve", title: "\"serve\"", "The server to start for the run: the built-in mock server, or a command.",
        rows: [
            .init(
                .mock, .string,
                "The mock file or OpenAPI description for the built-in mock server, which runs in process."),
            .init(
                .command, .list(.text),
                "A program and its arguments; `${port}` is a free port chosen for the run."),
            .init(
                .directory, .string,
                "The working directory of the command, relative to that of the suite, which is the default."
            ),
            .init(.env, .members(.text), "Variables to add to the environment of the command."),
            .init(
                .ready, .template,
                "The readiness request, `METHOD url`: the command is ready when the response is 2xx (default: when its port accepts connections)."
            ),
            .init(.within, .duration, "The maximum time until the command is ready (default: 30s)."),
            .init(.log, .string, "The file for the output of the command."),
            .init(
                .shared, .boolean,
                "Whether all suites of a run with the same server share one that is started once (default: false)."),
        ])
}
