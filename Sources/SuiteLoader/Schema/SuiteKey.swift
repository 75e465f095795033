/// Keys of a suite.
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
