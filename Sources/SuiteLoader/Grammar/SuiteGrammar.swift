import OpenAPI

/// The keys of a suite.
enum SuiteKey: String, CaseIterable, Sendable {
    case name, description, owner, tags, baseURL, contract, mode, serve, variables, environments, secrets, dotenv
    case namespaces, schemas
    case use, fragments, defaults, setup, tests, teardown

    static let schema = MapSchema<SuiteKey>(
        "suite", title: "a suite", "A suite of API tests: one YAML document.",
        rows: [
            .init(.name, .string, "The name of the suite in reports; without one, the file's name."),
            .init(.description, .string, "What the suite is about, for people; reports show it."),
            .init(.owner, .string, "The person or team responsible for the suite's tests; reports show it."),
            .init(
                .tags, .anyOf([.list(.string), .string]),
                "Tags that every test of the suite has, for selecting tests."),
            .init(
                .baseURL, .template,
                "What relative URLs resolve against; with `serve`, the address of what is started unless given here."),
            .init(
                .contract, ContractKey.kind,
                "The OpenAPI description that every exchange is held against: its path, or a map; false for none."),
            .init(
                .mode, .choice(["concurrent", "serial"]),
                "How tests are ordered: `concurrent` (the default) starts each as soon as what it depends on is done, `serial` runs them as written."
            ),
            .init(
                .serve, .map("serve"), "What is started for the run and stopped afterwards."),
            .init(
                .variables, .members(.value),
                "Named values that expressions read as `${name}`; they may use each other."),
            .init(
                .environments, .members(.map("environment")),
                "Named sets of values, one of which `--environment` chooses for a run."),
            .init(
                .secrets, .anyOf([.list(.string), .string]),
                "Names of variables, captures and environment variables whose values are masked in every output; `*` stands for any characters."
            ),
            .init(
                .dotenv, .anyOf([.list(.string), .string]),
                "Files of `NAME=value` lines that feed `env()`; a later one wins, and the process's environment over all."
            ),
            .init(
                .namespaces, .members(.string),
                "Names of XML namespaces by the prefixes that XPaths of the suite use for them."),
            .init(
                .schemas, .members(.string),
                "Files that stand for the URIs of JSON Schemas, as `$ref` gives them; a URI that ends in `/` stands for a folder."
            ),
            .init(
                .use, FragmentFileKey.useKind,
                "Files whose fragments the suite calls: paths, or names by which the fragments of a file are called, as in `auth.login`."
            ),
            .init(
                .fragments, .members(.map("fragment")),
                "Named lists of steps that the suite's tests call."),
            .init(.defaults, .map("defaults"), "What every request and every expectation of the suite has in common."),
            .init(
                .setup, .list(.map("step")),
                "Steps that run before the tests; when one fails, no test is run. Tests see what they capture."),
            .init(.tests, .list(.map("test")), required: true, "The tests, in the order in which they are reported."),
            .init(
                .teardown, .list(.map("step")),
                "Steps that run after the tests, whatever came of them, also when the run is interrupted."),
        ],
        allowsExtensions: true,
        misplaced: [
            "request": "it stands under \"tests\"", "expect": "it stands under \"tests\" or \"defaults\"",
            "steps": "it stands under \"tests\"", "headers": "it stands under \"defaults\" or \"request\"",
            "timeout": "it stands under \"defaults\" or \"request\"",
            "redirects": "it stands under \"defaults\" or \"request\"",
            "schemaFormat": "it stands under \"defaults\"", "schema": "it stands under \"expect\"",
            "url": "did you mean \"baseURL\"?", "host": "did you mean \"baseURL\"?",
            "routes": "this is a mock file; a suite names it in \"serve: { mock: … }\"",
            "collections": "this is a mock file; a suite names it in \"serve: { mock: … }\"",
        ])
}

/// The keys of an environment.
enum EnvironmentKey: String, CaseIterable, Sendable {
    case baseURL, variables, secrets, dotenv

    static let schema = MapSchema<EnvironmentKey>(
        "environment", title: "an environment", "Values that replace those of the suite when it is chosen.",
        rows: [
            .init(
                .baseURL, .template,
                "What relative URLs resolve against; unless it uses `${port}`, nothing of `serve` is started then."),
            .init(.variables, .members(.value), "Variables that come before those of the suite."),
            .init(
                .secrets, .anyOf([.list(.string), .string]),
                "Names of what is masked in every output, besides those of the suite."),
            .init(
                .dotenv, .anyOf([.list(.string), .string]),
                "Files of `NAME=value` lines that feed `env()`, read after those of the suite."),
        ],
        misplaced: [
            "url": "did you mean \"baseURL\"?", "host": "did you mean \"baseURL\"?",
            "serve": "it stands at the top level of the suite", "defaults": "it stands at the top level of the suite",
            "headers": "it stands under \"defaults\"",
        ])
}

/// The keys of `defaults`.
enum DefaultsKey: String, CaseIterable, Sendable {
    case headers, query, queryStyle, cookies, compress, auth, timeout, redirects, maxBodySize, http, tls, proxy
    case unixSocket, resolve, retry, schemaFormat, expect

    static let schema = MapSchema<DefaultsKey>(
        "defaults", title: "defaults", "What every request and every expectation of a suite has in common.",
        rows: [
            .init(
                .headers, .members(.anyOf([.text, .list(.text)])),
                "Headers of every request; a request's own header replaces the one of the same name, null removes it."),
            .init(.query, .members(.value), "What is added to the query of every URL."),
            .init(
                .queryStyle, .choice(["brackets", "repeat", "comma", "indices"]),
                "How nested values under `query` are spelled."),
            .init(.cookies, .members(.text), "Cookies of every request."),
            .init(
                .timeout, .anyOf([.duration, .map("timeout")]),
                "How long an exchange may take, or each part of it."),
            .init(
                .redirects, .anyOf([.boolean, .integer(0...100)]),
                "How many redirects are followed; false follows none. Without it, 10."),
            .init(.maxBodySize, .size, "The most that a response's body may have."),
            .init(.compress, RequestKey.compressKind, "How request bodies are compressed."),
            .init(.auth, RequestKey.authKind, "How requests prove who sends them."),
            .init(
                .http, .version(RequestKey.versions),
                "The version of HTTP: 1.0, 1.1, 2, or `auto`, which takes what the server prefers."),
            .init(
                .tls, RequestKey.tlsKind,
                "Certificates and versions of TLS; a request's own keys replace these one by one."),
            .init(
                .proxy, RequestKey.proxyKind,
                "The URL of the proxy (http, https or socks5), or false for none."),
            .init(
                .unixSocket, RequestKey.unixSocketKind,
                "The path of the socket to connect to in place of the URL's host."),
            .init(
                .resolve, RequestKey.resolveKind,
                "Addresses by `host:port`, which stand for what the names resolve to."),
            .init(
                .retry, TestKey.retryKind,
                "How often a test that did not pass is tried again; a test's own replaces it."),
            .init(
                .schemaFormat, SchemaKey.formatKind,
                "Whether `format` is checked in JSON Schemas: `assert`, or `annotate` (the default)."),
            .init(
                .expect, .anyOf([.status, .map("expect")]),
                "Expectations of every exchange, merged key by key; a step's own key replaces the default's, null removes it."
            ),
        ],
        misplaced: [
            "baseURL": "it stands beside \"defaults\"", "variables": "it stands beside \"defaults\"",
            "namespaces": "it stands beside \"defaults\"",
        ])
}

/// The keys of `serve`.
enum ServeKey: String, CaseIterable, Sendable {
    case mock, command, env, ready, within, log

    static let schema = MapSchema<ServeKey>(
        "serve", title: "serve", "What is started for the run: the built-in mock server, or a command.",
        rows: [
            .init(
                .mock, .string,
                "The mock file, or the OpenAPI description, that the built-in server serves, in process."),
            .init(
                .command, .list(.text),
                "A program and its arguments; `${port}` is a free port that is chosen for the run."),
            .init(.env, .members(.text), "Variables that are added to the command's environment."),
            .init(
                .ready, .template,
                "The request, `METHOD url`, that is answered with 2xx once the command is ready; without it, its port must accept."
            ),
            .init(.within, .duration, "How long the command may take to be ready; without it, 30s."),
            .init(.log, .string, "The file that takes the command's output."),
        ])
}
