import Testing

/// Whatever is wrong about an option is said, nothing is sent, and the exit status is 2.
struct OptionMistakeTests {
    @Test(arguments: [
        ("run --color purple", "'purple' is invalid"),
        ("run --progress often", "'often' is invalid"),
        ("run --seed x", "'x' is invalid"),
        ("run --repeat 0", "--repeat 0: write a number from 1"),
        ("run --fail-fast 0", "--fail-fast=0: write a number from 1"),
        ("run --jobs 0", "--jobs 0: write a number from 1"),
        ("run --timeout 5", "--timeout 5: a duration needs a unit"),
        ("run --retries=-1", "--retries"),
        ("run --shard 0/3", "--shard 0/3: write I/N"),
        ("run --durations none.xml", "--durations: it goes with --shard"),
        ("run --shard 1/2 --durations none.xml", "none.xml"),
        ("run --failed none.xml", "\"none.xml\" cannot be read"),
        ("run --report pdf", "unknown report format \"pdf\""),
        ("run --history-keep 5", "--history-keep: it goes with --history"),
        ("run --history past --history-keep 0", "--history-keep 0: write a number from 1"),
        ("report trends none", "cannot read the history in none"),
        ("report trends . --format html", "'html' is invalid"),
        ("run --report junit=a.xml --report tap=./a.xml", "written to ./a.xml: a.xml is the same file"),
        ("run --report tap=none/../a.tap --report json=a.tap", "written to a.tap: none/../a.tap is the same file"),
        ("run --report junit:split:4=r.xml --report tap=r-1.xml", "written to r-1.xml: it can be a part of r.xml"),
        ("run --report json=-  --report tap=/dev/stdout", "two reports would be written to standard output"),
        ("run --report json=./suite.yaml", "the report ./suite.yaml would overwrite suite.yaml, which is read"),
        ("run --report junit:split:0", "split needs the most cases of a file"),
        ("run --report junit:strikt", "did you mean \"strict\"?"),
        ("run --resolve x", "HOST:PORT:ADDRESS"),
        ("run --proxy ftp://x", "has the scheme \"ftp\""),
        ("run --variable x", "write NAME=TEXT"),
        ("run --variables-file none.yaml", "no file \"none.yaml\""),
        ("run --environment none", "no suite has \"environments\""),
        ("run --contract none.yaml", "--contract: there is no file \"none.yaml\""),
        ("run --contract api.mock.yaml", "it has no \"openapi\""),
        ("run --coverage", "--coverage: no suite has a contract"),
        ("run --coverage-threshold 80", "--coverage-threshold 80: no suite has a contract"),
        ("run --coverage-threshold 101", "--coverage-threshold 101: write a number from 0 to 100"),
        ("run --coverage-threshold nan", "--coverage-threshold nan: write a number from 0 to 100"),
        ("run --coverage-threshold all", "'all' is invalid"),
        ("run --file-root none", "outside of the project folder"),
        ("run --cacert none.pem", "none.pem cannot be read"),
        ("run --cert none.pem", "none.pem cannot be read"),
        ("run --key none.pem", "--key: it needs the certificate"),
        ("run --tag (a", "there is no \")\""),
        ("run --exclude-tag a&&", "a tag is missing after \"&&\""),
        ("run --test /(/", "this group is not closed"),
        ("run --config none.yaml", "--config: there is no file"),
        ("run --unknown", "Unknown option '--unknown'"),
        ("run --locked", "--locked: there is no lock suite.lock.yaml"),
        ("run --baseline none.json", "--baseline: the file none.json cannot be read"),
        ("run --baseline suite.yaml", "the baseline is not JSON"),
        ("run --write-baseline suite.yaml", "the baseline is not JSON"),
        ("run --watch --write-baseline known.json", "--write-baseline: with --watch"),
        ("lock --update --replace", "--update and --replace exclude each other"),
        ("lock --jobs 0", "--jobs 0: write a number from 1"),
        ("lint --format xml", "'xml' is invalid"),
        ("lint --enable none", "there is no such rule"),
        ("lint --disable none", "there is no such rule"),
        ("list --format html", "'html' is invalid"),
        ("mock api.mock.yaml --port 70000", "--port 70000: write a number from 0 to 65535"),
        ("contract check none.yaml", "there is no file \"none.yaml\""),
        ("contract check suite.yaml", "it has no \"openapi\""),
        ("contract check suite.yaml --format xml", "'xml' is invalid"),
        ("contract check suite.yaml --color purple", "'purple' is invalid"),
        ("contract check suite.yaml --file-root none", "outside of the project folder"),
        ("contract diff", "name two descriptions"),
        ("contract diff none.yaml suite.yaml", "there is no file \"none.yaml\""),
        ("contract diff - -", "standard input can be one of the descriptions only"),
        ("contract diff suite.yaml suite.yaml", "it has no \"openapi\""),
        ("contract diff git:main suite.yaml", "write git:REVISION:path"),
        ("contract diff git:--help:suite.yaml suite.yaml", "write git:REVISION:path"),
        ("contract diff a b --format xml", "'xml' is invalid"),
        ("contract diff a b --fail-on error", "'error' is invalid"),
        ("contract diff a b --severity endpoint-added", "write ID=LEVEL"),
        ("contract diff a b --severity endpoint-aded=info", "did you mean \"endpoint-added\"?"),
        ("contract diff a b --severity endpoint-added=error", "write breaking, warning, info or none"),
        ("contract diff a b --severity-file none.yaml", "there is no file \"none.yaml\""),
        ("contract diff a b --ignore-file none.yaml", "there is no file \"none.yaml\""),
        ("contract diff a b --deprecation-days=-1", "write a number from 0"),
        ("contract diff a b --today soon", "write a date such as 2027-01-31"),
        ("contract diff a --checks", "it goes without descriptions"),
        ("contract diff --checks --format junit", "as text, json or markdown"),
        ("contract diff --checks --output none/checks.txt", "No such file or directory"),
        ("contract generate none.yaml", "there is no file \"none.yaml\""),
        ("contract generate suite.yaml", "it has no \"openapi\""),
        ("contract generate api.openapi.yaml --operation reed", "did you mean \"read\"?"),
        ("contract generate api.openapi.yaml --tag none", "no operation of api.openapi.yaml has that tag"),
        ("contract generate api.openapi.yaml --output suite.yaml", "--force replaces it"),
        ("contract generate api.openapi.yaml --output none/suite.yaml", "none/suite.yaml cannot be written"),
        ("contract generate api.openapi.yaml --operation write", "there is no operation to test"),
        ("contract generate -", "the suite names the description's file, and standard input has none"),
        ("contract generate https://localhost/a.yaml", "save it with curl -fo openapi.yaml https://localhost/a.yaml"),
        ("schema none", "'none' is invalid"),
        ("report convert none.jsonl", "--report is missing"),
        ("report convert none.jsonl --report pdf", "unknown report format \"pdf\""),
        ("report convert none.jsonl --report junit", "\"none.jsonl\" cannot be read"),
        ("report merge none.jsonl", "--report or --output is missing"),
        ("report merge - --output all.jsonl", "standard input cannot be merged"),
        ("report show none.jsonl", "\"none.jsonl\" cannot be read"),
        ("report show none.jsonl --color purple", "'purple' is invalid"),
        ("completions csh", "'csh' is invalid"),
        ("fmt none.yaml", "no file or folder \"none.yaml\""),
        ("eval 1+", "expected a value"),
        ("eval 1 --variable x", "write NAME=TEXT"),
    ])
    func mistake(_ words: String, _ message: String) async throws {
        let folder = try TemporaryFolder()
        TestFiles.write("routes: [{ request: GET /, respond: 204 }]\n".utf8, to: folder.path + "/api.mock.yaml")
        TestFiles.write(
            "serve: { mock: api.mock.yaml }\ntests: [{ name: home, tags: [a], request: GET / }]\n".utf8,
            to: folder.path + "/suite.yaml")
        TestFiles.write(
            """
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                get: { operationId: read, responses: { 204: { description: done } } }
                put: { operationId: write, responses: { 404: { description: none } } }

            """.utf8, to: folder.path + "/api.openapi.yaml")
        var arguments = words.split(separator: " ").map(String.init)
        if ["run", "lint", "list", "lock"].contains(arguments[0]) { arguments.append("suite.yaml") }
        let run = try await Program.run(arguments, in: folder.path)
        #expect(run.ending == .exit(2), "\(run.output)\(run.error)")
        #expect(run.error.contains(message), "\(run.error)")
        #expect(run.output.isEmpty, "\(run.output)")
    }

    /// As of a shell variable that is not set: it is not the current folder.
    @Test(arguments: ["run", "lint", "list", "fmt"])
    func emptyPath(_ command: String) async throws {
        let folder = try TemporaryFolder()
        TestFiles.write(
            "tests: [{ name: a, request: GET http://127.0.0.1:9/ }]\n".utf8, to: folder.path + "/a.apitest.yaml")
        let run = try await Program.run([command, ""], in: folder.path)
        #expect(run.ending == .exit(2), "\(run.output)\(run.error)")
        #expect(run.error.contains("a path is empty: write . for the current folder"), "\(run.error)")
        #expect(run.output.isEmpty, "\(run.output)")
    }

    @Test func emptyPathOfTheProject() async throws {
        let folder = try TemporaryFolder()
        TestFiles.write("paths: \"\"\n".utf8, to: folder.path + "/.apitest.yaml")
        let run = try await Program.run([], in: folder.path)
        #expect(run.ending == .exit(2), "\(run.output)\(run.error)")
        #expect(run.error.contains(".apitest.yaml:1:8: error: \"paths\" has an empty path"), "\(run.error)")
    }
}
