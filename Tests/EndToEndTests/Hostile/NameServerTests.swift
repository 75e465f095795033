import Glibc
import Testing

/// Tests of a name server that never responds: the request times out, and concurrent tests pass.
struct NameServerTests {
    /// Returns an unread UDP socket at port 53 of a loopback address, or nil without the permission to bind it.
    private func silentNameServer() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        // 127.0.53.99, an address without other users.
        address.sin_addr.s_addr = UInt32(0x7F00_3563).bigEndian
        address.sin_port = UInt16(53).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    @Test func aNameServerThatNeverAnswers() async throws {
        guard let socket = silentNameServer() else { try Test.cancel("port 53 of 127.0.53.99 is not available") }
        defer { close(socket) }
        let directory = try TemporaryDirectory()
        TestFiles.write("nameserver 127.0.53.99\n".utf8, to: directory.path + "/resolv.conf")
        TestFiles.write("hosts: files dns\n".utf8, to: directory.path + "/nsswitch.conf")
        TestFiles.write(
            "routes:\n  - request: GET /**\n    respond: { json: {} }\n".utf8, to: directory.path + "/api.mock.yaml")
        TestFiles.write(
            """
            name: Names
            serve: { mock: api.mock.yaml }
            tests:
              - name: hangs
                request: { url: "http://books.example/", timeout: { connect: 700ms } }
              - name: hangs until its time is over
                request: { url: "http://other.example/", timeout: 700ms }
              - name: beside ${n}
                cases: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]
                request: GET /
                expect: 200
            """.utf8, to: directory.path + "/suite.yaml")
        let run = try ProgramRun(
            MountNamespace.command + [
                "/bin/sh", "-c",
                """
                mount --bind resolv.conf /etc/resolv.conf 2>mount.log || exit 77
                mount --bind nsswitch.conf /etc/nsswitch.conf 2>mount.log || exit 77
                start=$(date +%s%N)
                "$0" suite.yaml --report junit=report.xml
                status=$?
                echo $((($(date +%s%N) - start) / 1000000)) >milliseconds
                exit $status
                """, Program.path,
            ], environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/run")
        let ending = try await run.wait(within: .seconds(30))
        if ending == .exit(77) || ending == .exit(127) { try Test.cancel("this machine does not allow bind mounts") }
        #expect(ending == .exit(1), "\(run.standardError)")
        // The resolver itself would continue for ten seconds. The shell measures the time, because this test may be
        // delayed.
        let text = try #require(TestFiles.text(directory.path + "/milliseconds"))
        let milliseconds = try #require(Int(text.prefix { $0.isNumber }))
        #expect(milliseconds < 8_000)
        let output = run.standardOutput
        #expect(output.contains("timeout after 700 ms (connect) resolving the host name books.example"), "\(output)")
        #expect(output.contains("timeout after 700 ms (total) resolving the host name other.example"), "\(output)")
        #expect(ConsoleSummary(output)?.outcomes == ["passed": 4, "errored": 2], "\(output)")
        let report = try JUnitReport(try #require(TestFiles.text(directory.path + "/report.xml")))
        #expect(report.problems.isEmpty)
    }
}
