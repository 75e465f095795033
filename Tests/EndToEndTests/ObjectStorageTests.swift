import Glibc
import JSON
import Testing

/// Tests of records in object storage with the built program.
enum ObjectStorageTests {
    /// Six tests. The last one sends a secret.
    private static let suite = """
        name: Shop
        serve: { mock: api.mock.yaml }
        tests:
          - { name: one, request: GET /books, expect: 200 }
          - { name: two, request: GET /books, expect: 200 }
          - { name: three, request: GET /books, expect: 200 }
          - { name: four, request: GET /books, expect: 200 }
          - { name: five, request: GET /books, expect: 200 }
          - { name: six, request: { url: /books, headers: { X-Note: s3cr3t-value } }, expect: 200 }
        """

    private static let mock = """
        routes:
          - { request: GET /books, respond: { json: [] } }
        """

    /// A directory with a suite and a Python server that writes its port to a file.
    final class Project {
        let directory: TemporaryDirectory
        let url: String
        private let server: ProgramRun

        /// Creates the directory and starts the server.
        ///
        /// - Parameters:
        ///   - scheme: The scheme of the server's URL.
        ///   - arguments: The arguments of the script.
        init(
            python: String, server script: String, scheme: String = "http", arguments: [String] = []
        ) async throws {
            directory = try TemporaryDirectory()
            TestFiles.write(ObjectStorageTests.suite.utf8, to: directory.path + "/suite.yaml")
            TestFiles.write(ObjectStorageTests.mock.utf8, to: directory.path + "/api.mock.yaml")
            TestFiles.write(script.utf8, to: directory.path + "/server.py")
            server = try ProgramRun(
                ["/usr/bin/env", python, "server.py"] + arguments,
                environment: Program.environment(home: directory.path),
                directory: directory.path, output: directory.path + "/server")
            var port: String?
            let path = directory.path + "/port"
            _ = try await Poll.until {
                port = TestFiles.text(path)
                return port != nil
            }
            url = "\(scheme)://127.0.0.1:\(try #require(port, "\(server.standardError)"))"
        }

        deinit { server.killSession() }

        /// Runs the program with credentials in its environment.
        func run(
            _ arguments: [String], adding more: [String: String] = [:]
        ) async throws -> (ending: ProgramRun.Ending, output: String, error: String) {
            let environment = [
                "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "s3cr3t-value",
                "AWS_ENDPOINT_URL": url, "TMPDIR": directory.path,
            ]
            let result = try await Program.run(
                arguments, in: directory.path, environment: environment.merging(more) { $1 })
            #expect(!(result.output + result.error).contains("s3cr3t-value"))
            return result
        }

        func run(_ arguments: String...) async throws -> (ending: ProgramRun.Ending, output: String, error: String) {
            try await run(arguments)
        }

        func text(_ path: String) -> String { TestFiles.text("\(directory.path)/\(path)") ?? "" }
    }

    /// S3 is played by moto, with a bucket of more keys than a page of a listing has.
    @Suite(
        "Records in S3",
        .enabled("APITEST_PYTHON must name a Python with moto") { await ReportReaderTests.isInstalled("moto.server") })
    struct S3 {
        /// The server. It uses TLS if the arguments name a certificate and its key.
        static let moto = """
            import os, sys
            from moto.s3.models import s3_backends
            from moto.server import DomainDispatcherApplication, create_backend_app
            from werkzeug.serving import make_server

            server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=True,
                                 ssl_context=tuple(sys.argv[1:3]) or None)
            s3 = s3_backends["123456789012"]["aws"]
            s3.create_bucket("results", "us-east-1")
            for number in range(1001):
                s3.put_object("results", f"run 17/attachments/{number:04}.txt", b"")
            s3.put_object("results", "notes.txt", b"buy milk\\n")
            s3.put_object("results", "cut.jsonl", b'{"event":"run","sch')
            with open("port.part", "w") as file:
                file.write(str(server.port))
            os.rename("port.part", "port")
            server.serve_forever()
            """

        @Test("Shards write to a prefix, from which a merge reads them and names the missing one")
        func shards() async throws {
            let project = try await Project(python: try #require(ReportReaderTests.python), server: Self.moto)
            let location = "json:exchanges=s3://results/run 17/"
            for shard in ["1/3", "2/3"] {
                let run = try await project.run("suite.yaml", "--shard", shard, "--seed", "7", "--report", location)
                #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
            }
            let partial = try await project.run(
                "report", "merge", "s3://results/run 17/", "--expect", "3", "--report", "junit=junit.xml", "--report",
                "markdown=report.md", "-o", "partial.jsonl")
            #expect(partial.ending == .exit(1), "\(partial.output)\(partial.error)")
            #expect(partial.error.contains("no record was given for shard 3/3"))
            for report in ["junit.xml", "report.md"] {
                #expect(project.text(report).contains("no record of shard 3/3"), "\(report)")
            }
            #expect(project.text("junit.xml").contains("incomplete"))

            let last = try await project.run("suite.yaml", "--shard", "3/3", "--seed", "7", "--report", location)
            #expect(last.ending == .exit(0), "\(last.output)\(last.error)")
            let whole = try await project.run(
                "report", "merge", "s3://results/run 17/", "--expect", "3", "-o", "whole.jsonl", "--report",
                "json=s3://results/merged/all.jsonl")
            #expect(whole.ending == .exit(0) && whole.error == "", "\(whole.output)\(whole.error)")
            let end = try #require(project.text("whole.jsonl").split(separator: "\n").last)
            let summary = try JSONValue(parsing: Array(end.utf8))
            #expect(summary["counts"]?["passed"] == 6 && summary["missing"] == nil)
            // A request has a header with the secret key.
            #expect(project.text("whole.jsonl").contains("X-Note") && !project.text("whole.jsonl").contains("s3cr3t"))

            let again = try await project.run("report", "merge", "s3://results/merged/all.jsonl", "-o", "again.jsonl")
            #expect(again.ending == .exit(0), "\(again.output)\(again.error)")
            #expect(project.text("again.jsonl").hasSuffix(end + "\n"))
        }

        @Test("A merge of nothing fails, and an unknown bucket is an error")
        func nothing() async throws {
            let project = try await Project(python: try #require(ReportReaderTests.python), server: Self.moto)
            let none = try await project.run(
                "report", "merge", "s3://results/run-18/", "--expect", "2", "--report", "junit=junit.xml")
            #expect(none.ending == .exit(1), "\(none.output)\(none.error)")
            #expect(project.text("junit.xml").contains("no record of shard 1/2, 2/2"))
            let unexpected = try await project.run("report", "merge", "s3://results/run-18/", "-o", "a.jsonl")
            #expect(unexpected.ending == .exit(2))
            #expect(unexpected.error.contains("\"s3://results/run-18/\" has no records"))
            let unknown = try await project.run("suite.yaml", "--report", "json=s3://other/a.jsonl")
            #expect(unknown.ending == .exit(4))
            #expect(unknown.error.contains("cannot write the report \"s3://other/a.jsonl\": "))
            #expect(unknown.error.contains("NoSuchBucket"))
        }
    }

    /// Tests of the commands that read a single record.
    @Suite(
        "Single records in S3",
        .enabled("APITEST_PYTHON must name a Python with moto") { await ReportReaderTests.isInstalled("moto.server") })
    struct SingleRecords {
        @Test("A record is shown and converted as if it were a file")
        func read() async throws {
            let project = try await Project(python: try #require(ReportReaderTests.python), server: S3.moto)
            let run = try await project.run(
                "suite.yaml", "--report", "json=s3://results/run-20/a b.jsonl", "--report", "json=local.jsonl")
            #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
            let shown = try await project.run("report", "show", "s3://results/run-20/a b.jsonl")
            let expected = try await project.run("report", "show", "local.jsonl")
            #expect(shown.ending == .exit(0) && shown.error == "", "\(shown.error)")
            #expect(shown.output == expected.output && shown.output.contains("6 passed"))
            for (record, report) in [("s3://results/run-20/a b.jsonl", "remote"), ("local.jsonl", "local")] {
                let converted = try await project.run(
                    "report", "convert", record, "--report", "junit=\(report).xml", "--report", "csv=\(report).csv")
                #expect(converted.ending == .exit(0) && converted.error == "", "\(converted.error)")
            }
            #expect(project.text("remote.xml") == project.text("local.xml") && !project.text("local.xml").isEmpty)
            #expect(project.text("remote.csv") == project.text("local.csv") && !project.text("local.csv").isEmpty)
            let written = try await project.run(
                "report", "convert", "local.jsonl", "--report", "json=s3://results/run-20/copy.jsonl")
            #expect(written.ending == .exit(0), "\(written.error)")
            let overwritten = try await project.run(
                "report", "convert", "s3://results/run-20/copy.jsonl", "--report",
                "json=s3://results/run-20/copy.jsonl")
            #expect(overwritten.ending == .exit(2), "\(overwritten.error)")
        }

        @Test(
            "A location without a record is an error that says why",
            arguments: [
                (
                    "s3://results/none.jsonl",
                    "cannot read \"s3://results/none.jsonl\": the server responded with status 404"
                ),
                ("s3://results/none.jsonl", "NoSuchKey"),
                ("s3://results/notes.txt", "s3://results/notes.txt:1:1: expected a value"),
                (
                    "s3://results/cut.jsonl",
                    "\"s3://results/cut.jsonl\" is not a record of a run: it has no complete line"
                ),
                (
                    "s3://results/run 17/attachments/0001.txt",
                    "\"s3://results/run 17/attachments/0001.txt\" is not a record of a run: it is empty"
                ),
                (
                    "s3://results/run 17/",
                    "\"s3://results/run 17/\" is a prefix of keys: name one record, or merge all with \"apitest report merge\""
                ),
            ])
        func invalid(_ location: String, message: String) async throws {
            let project = try await Project(python: try #require(ReportReaderTests.python), server: S3.moto)
            for arguments in [["show", location], ["convert", location, "--report", "junit=junit.xml"]] {
                let run = try await project.run(["report"] + arguments)
                #expect(run.ending == .exit(2) && run.output == "", "\(run.output)")
                #expect(run.error.contains(message), "\(run.error)")
            }
        }

        @Test("Wrong and missing credentials are errors that say so")
        func credentials() async throws {
            let strict = "import os\nos.environ['INITIAL_NO_AUTH_ACTION_COUNT'] = '0'\n" + S3.moto
            let project = try await Project(python: try #require(ReportReaderTests.python), server: strict)
            let wrong = try await project.run("report", "show", "s3://results/a.jsonl")
            #expect(wrong.ending == .exit(2), "\(wrong.output)")
            #expect(wrong.error.contains("status 403") && wrong.error.contains("InvalidAccessKeyId"), "\(wrong.error)")
            let missing = try await project.run(
                ["report", "show", "s3://results/a.jsonl"], adding: ["AWS_SECRET_ACCESS_KEY": ""])
            #expect(missing.ending == .exit(2), "\(missing.output)")
            #expect(missing.error.contains("set AWS_SECRET_ACCESS_KEY"), "\(missing.error)")
        }
    }

    /// A server that rejects the first two requests.
    @Suite("Records at URLs", .enabled(if: Program.isInstalled("python3"), "python3 is required for the server"))
    struct URLs {
        /// The server. It uses TLS, and rejects no request, if the arguments name a certificate and its key.
        static let server = """
            import http.server, os, ssl, sys

            class Store(http.server.BaseHTTPRequestHandler):
                failures = 0 if sys.argv[1:] else 2
                objects = {}

                def do_PUT(self):
                    body = self.rfile.read(int(self.headers["Content-Length"]))
                    if "forbidden" in self.path:
                        return self.reply(403)
                    if Store.failures > 0:
                        Store.failures -= 1
                        return self.reply(503)
                    Store.objects[self.path] = body
                    self.reply(201)

                def do_GET(self):
                    body = Store.objects.get(self.path)
                    self.reply(404) if body is None else self.reply(200, body)

                def reply(self, status, body=b""):
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

                def log_message(self, *arguments):
                    pass

            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
            if sys.argv[1:]:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(*sys.argv[1:3])
                server.socket = context.wrap_socket(server.socket, server_side=True)
            with open("port.part", "w") as file:
                file.write(str(server.server_port))
            os.rename("port.part", "port")
            server.serve_forever()
            """

        @Test("A record is written in spite of failures, and read again")
        func retries() async throws {
            let project = try await Project(python: "python3", server: Self.server)
            let url = "\(project.url)/runs/"
            let run = try await project.run(
                "suite.yaml", "--report", "json=\(url)?sig=s3cr3t-value", "--report", "json=local.jsonl")
            #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
            let merge = try await project.run(
                "report", "merge", "\(url)record.jsonl?sig=s3cr3t-value", "-o", "merged.jsonl")
            #expect(merge.ending == .exit(0) && merge.error == "", "\(merge.output)\(merge.error)")
            let shown = try await project.run("report", "show", "\(url)record.jsonl?sig=s3cr3t-value")
            #expect(shown.ending == .exit(0) && shown.error == "", "\(shown.output)\(shown.error)")
            #expect(shown.output.contains("6 passed"), "\(shown.output)")
            let local = try await project.run("report", "merge", "local.jsonl", "-o", "expected.jsonl")
            #expect(local.ending == .exit(0))
            #expect(project.text("merged.jsonl").contains("\"event\":\"runEnd\""))
            #expect(
                project.text("merged.jsonl").split(separator: "\n").count
                    == project.text("expected.jsonl").split(separator: "\n").count)
            let missing = try await project.run("report", "merge", "\(url)other.jsonl?sig=s3cr3t-value", "-o", "a")
            #expect(missing.ending == .exit(2))
            #expect(missing.error.contains("cannot read \"\(url)other.jsonl\": the server responded with status 404"))
        }

        @Test("A record that cannot be written is an error, and is kept")
        func failure() async throws {
            let project = try await Project(python: "python3", server: Self.server)
            let run = try await project.run("suite.yaml", "--report", "json=\(project.url)/forbidden.jsonl")
            #expect(run.ending == .exit(4), "\(run.output)\(run.error)")
            let message =
                "cannot write the report \"\(project.url)/forbidden.jsonl\": the server responded with status 403"
            #expect(run.error.contains(message), "\(run.error)")
            // The file system of the directory may not support files without names.
            guard let start = run.error.firstRange(of: "the record is in \"") else { return }
            let path = run.error[start.upperBound...].prefix { $0 != "\"" }
            #expect(TestFiles.text(String(path))?.contains("\"event\":\"runEnd\"") == true)
        }
    }
}
