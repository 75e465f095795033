import Glibc
import Testing

@testable import Runner

@Suite struct FreePortTests {
    @Test(
        "Ports are distinct and outside the range that the kernel assigns",
        .enabled(if: !FreePort.ports.isEmpty, "the kernel assigns all ports"))
    func given() throws {
        let kernel = FreePort.kernelPorts()
        let ports = try (0..<200).map { _ throws(ServeError) in try FreePort.find() }
        #expect(Set(ports).count == 200)
        for port in ports {
            #expect(!kernel.contains(port))
            #expect(!FreePort.accepts(port))
        }
    }

    @Test("A server with a full connection queue does not block the check of its port")
    func fullQueue() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        try #require(isListening)
        let port = Int(UInt16(bigEndian: address.sin_port))
        #expect(FreePort.accepts(port))
        // Nothing accepts connections, so they remain in the queue until it is full.
        let start = ContinuousClock.now
        var tries = 1
        while FreePort.accepts(port, within: 50), tries < 10 { tries += 1 }
        #expect(tries < 10)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test(
        "Assigned ports are above the kernel's range, or below it if few remain",
        arguments: [
            (32_768...60_999, 61_000..<65_536), (49_152...65_535, 20_000..<49_152), (1024...65_535, 1024..<1024),
            (0...65_535, 0..<0), (32_768...64_511, 64_512..<65_536), (32_768...64_512, 20_000..<32_768),
        ])
    func ranges(kernel: ClosedRange<Int>, ports: Range<Int>) {
        #expect(FreePort.ports(besides: kernel) == ports)
    }
}
