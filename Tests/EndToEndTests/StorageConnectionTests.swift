import TestSupport
import Testing

/// Tests of the connections to storage with the built program: private authorities and proxies.
@Suite(
    "Connections to storage",
    .enabled(
        if: TestCertificates.isAvailable && Program.isInstalled("python3"),
        "openssl and python3 are required for the server"))
struct StorageConnectionTests {
    private typealias Project = ObjectStorageTests.Project

    private let certificates: TestCertificates

    init() throws {
        certificates = try #require(TestCertificates())
    }

    /// The path of the private authority's certificate.
    private var authority: String { certificates.authority.certificate }

    /// Starts a server for URLs over TLS.
    private func secureProject() async throws -> Project {
        try await Project(
            python: "python3", server: ObjectStorageTests.URLs.server, scheme: "https",
            arguments: [certificates.valid.certificate, certificates.valid.key])
    }

    @Test("A private authority is trusted if a variable or --cacert names it")
    func authorities() async throws {
        let project = try await secureProject()
        let other = certificates.selfSigned.certificate
        let record = "json=\(project.url)/a.jsonl"
        let untrusted = try await project.run("suite.yaml", "--report", record)
        #expect(untrusted.ending == .exit(4), "\(untrusted.output)\(untrusted.error)")
        #expect(untrusted.error.contains("is not trusted"), "\(untrusted.error)")

        for (arguments, variables) in [
            ([], ["AWS_CA_BUNDLE": authority]), ([], ["SSL_CERT_FILE": authority]),
            ([], ["AWS_CA_BUNDLE": authority, "SSL_CERT_FILE": other]),
            (["--cacert", authority], [:]), (["--cacert", authority], ["AWS_CA_BUNDLE": other]),
            (["--cacert", other], ["AWS_CA_BUNDLE": authority]),
        ] as [([String], [String: String])] {
            let run = try await project.run(["suite.yaml", "--report", record] + arguments, adding: variables)
            #expect(run.ending == .exit(0) && run.error == "", "\(arguments) \(variables): \(run.output)\(run.error)")
        }
        let insecure = try await project.run("suite.yaml", "--report", record, "--insecure")
        #expect(insecure.ending == .exit(4), "\(insecure.output)\(insecure.error)")

        let merge = ["report", "merge", "\(project.url)/a.jsonl", "-o", "merged.jsonl"]
        let merged = try await project.run(merge, adding: ["AWS_CA_BUNDLE": authority])
        #expect(merged.ending == .exit(0), "\(merged.output)\(merged.error)")
        let refused = try await project.run(merge, adding: ["AWS_CA_BUNDLE": other])
        #expect(refused.ending == .exit(2) && refused.error.contains("is not trusted"), "\(refused.error)")
    }

    @Test("A file without authorities is an error that names the variable and the file")
    func invalidAuthorities() async throws {
        let project = try await secureProject()
        let record = "json=\(project.url)/a.jsonl"
        let run = try await project.run(
            ["suite.yaml", "--report", record], adding: ["AWS_CA_BUNDLE": "missing.pem", "SSL_CERT_FILE": authority])
        #expect(run.ending == .exit(2), "\(run.output)\(run.error)")
        #expect(run.error.contains("AWS_CA_BUNDLE: ") && run.error.contains("\"missing.pem\""), "\(run.error)")
        let merge = try await project.run(
            ["report", "merge", "\(project.url)/a.jsonl", "-o", "merged.jsonl"], adding: ["SSL_CERT_FILE": "suite.yaml"]
        )
        #expect(merge.ending == .exit(2), "\(merge.output)\(merge.error)")
        #expect(merge.error.contains("SSL_CERT_FILE: ") && merge.error.contains("\"suite.yaml\""), "\(merge.error)")
    }

    @Test("The proxy is that of the option or the variables, except for the hosts in NO_PROXY")
    func proxies() async throws {
        let project = try await secureProject()
        let target = String(project.url.dropFirst("https://".count))
        let arguments = ["suite.yaml", "--report", "json=\(project.url)/a.jsonl"]
        let closed = "http://127.0.0.1:1"
        for (option, variables, isUsed) in [
            (false, ["HTTPS_PROXY": "PROXY"], true), (false, ["https_proxy": "PROXY", "HTTPS_PROXY": closed], true),
            (false, ["HTTPS_PROXY": closed, "NO_PROXY": "127.0.0.1"], false),
            (false, ["HTTPS_PROXY": closed, "no_proxy": "*"], false), (false, ["HTTP_PROXY": closed], false),
            (true, ["HTTPS_PROXY": closed], true), (true, ["NO_PROXY": target], false),
        ] as [(Bool, [String: String], Bool)] {
            let proxy = try await TestProxy()
            let url = "http://127.0.0.1:\(proxy.port)"
            var environment = variables.mapValues { $0 == "PROXY" ? url : $0 }
            environment["AWS_CA_BUNDLE"] = authority
            let run = try await project.run(arguments + (option ? ["--proxy", url] : []), adding: environment)
            #expect(run.ending == .exit(0) && run.error == "", "\(variables): \(run.output)\(run.error)")
            #expect(
                proxy.heads.contains { $0.hasPrefix("CONNECT \(target) ") } == isUsed, "\(variables): \(proxy.heads)")
            // Without the option, only the record is sent through it.
            if !option { #expect(proxy.heads.count == (isUsed ? 1 : 0), "\(variables): \(proxy.heads)") }
            await proxy.shutDown()
        }
    }

    @Test("The proxy of HTTP_PROXY is used for a store without TLS")
    func plainProxy() async throws {
        let project = try await Project(
            python: "python3", server: ObjectStorageTests.URLs.server, arguments: [])
        let proxy = try await TestProxy()
        let run = try await project.run(
            ["suite.yaml", "--report", "json=\(project.url)/a.jsonl"],
            adding: ["HTTP_PROXY": "http://127.0.0.1:\(proxy.port)"])
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        #expect(proxy.heads.contains { $0.hasPrefix("PUT \(project.url)/a.jsonl ") }, "\(proxy.heads)")
        await proxy.shutDown()
    }

    @Test(
        "The credentials of a proxy are sent to it, and shown nowhere",
        .enabled(if: ProxyProcess.hasTinyproxy, "tinyproxy is required"))
    func proxyCredentials() async throws {
        let project = try await secureProject()
        let proxy = try #require(await ProxyProcess.tinyproxy(user: (name: "me", password: "s3cr3t-value")))
        let arguments = ["suite.yaml", "--report", "json=\(project.url)/a.jsonl"]
        let run = try await project.run(
            arguments,
            adding: ["AWS_CA_BUNDLE": authority, "HTTPS_PROXY": "http://me:s3cr3t-value@127.0.0.1:\(proxy.port)"])
        #expect(run.ending == .exit(0) && run.error == "", "\(run.output)\(run.error)")
        let refused = try await project.run(
            ["report", "merge", "\(project.url)/a.jsonl", "-o", "merged.jsonl"],
            adding: ["AWS_CA_BUNDLE": authority, "HTTPS_PROXY": "http://me:wrong@127.0.0.1:\(proxy.port)"])
        #expect(refused.ending == .exit(2), "\(refused.output)\(refused.error)")
        #expect(refused.error.contains("the proxy 127.0.0.1:\(proxy.port) refused"), "\(refused.error)")
    }

    @Test(
        "A variable that is not a proxy is an error that names it",
        arguments: ["https_proxy", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"])
    func invalidProxy(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let run = try await Program.run(
            ["report", "merge", "https://storage.example/a.jsonl", "-o", "a.jsonl"], in: directory.path,
            environment: [name: "gopher://me:s3cr3t-value@proxy"])
        #expect(run.ending == .exit(2), "\(run.output)\(run.error)")
        #expect(run.error.contains("environment variable \(name): the proxy \"gopher://me:***@proxy\""), "\(run.error)")
    }

    @Test(
        "Records in S3 are written and read with a private authority and through a proxy",
        .enabled("APITEST_PYTHON must name a Python with moto") { await ReportReaderTests.isInstalled("moto.server") })
    func objects() async throws {
        let project = try await Project(
            python: try #require(ReportReaderTests.python), server: ObjectStorageTests.S3.moto, scheme: "https",
            arguments: [certificates.valid.certificate, certificates.valid.key])
        let proxy = try await TestProxy()
        let variables = ["AWS_CA_BUNDLE": authority, "HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"]
        let run = try await project.run(["suite.yaml", "--report", "json=s3://results/run-19/"], adding: variables)
        #expect(run.ending == .exit(0) && run.error == "", "\(run.output)\(run.error)")
        #expect(proxy.heads.count == 1)
        let merge = try await project.run(
            ["report", "merge", "s3://results/run-19/", "-o", "merged.jsonl"], adding: variables)
        #expect(merge.ending == .exit(0) && merge.error == "", "\(merge.output)\(merge.error)")
        #expect(project.text("merged.jsonl").contains("\"event\":\"runEnd\""))
        #expect(proxy.heads.count > 1)
        await proxy.shutDown()
    }
}
