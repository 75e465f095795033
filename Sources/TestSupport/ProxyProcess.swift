import Glibc

/// A loopback proxy program that runs for the duration of a test.
public final class ProxyProcess: Sendable {
    /// The port on which the proxy listens.
    public let port: Int
    private let process: ServerProcess
    private let configuration: String?

    /// Whether `tinyproxy` is installed.
    public static let hasTinyproxy = ServerProcess.find("tinyproxy") != nil
    /// Whether `microsocks` is installed.
    public static let hasMicrosocks = ServerProcess.find("microsocks") != nil

    /// Starts tinyproxy, an HTTP proxy, or returns `nil` if that fails.
    ///
    /// - Parameter user: The name and password that the proxy requires.
    public static func tinyproxy(user: (name: String, password: String)? = nil) async -> ProxyProcess? {
        await first { await startTinyproxy(user) }
    }

    private static func startTinyproxy(_ user: (name: String, password: String)?) async -> ProxyProcess? {
        var template = Array("/tmp/test-tinyproxy-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0, let program = ServerProcess.find("tinyproxy"), let port = ServerProcess.freePort() else {
            return nil
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var text = "Port \(port)\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nLogLevel Critical\n"
        if let user { text += "BasicAuth \(user.name) \(user.password)\n" }
        _ = write(descriptor, text, text.utf8.count)
        close(descriptor)
        return await ProxyProcess([program, "-d", "-c", path], port: port, configuration: path)
    }

    /// Starts microsocks, a SOCKS 5 proxy, or returns `nil` if that fails.
    ///
    /// - Parameter user: The name and password that the proxy requires.
    public static func microsocks(user: (name: String, password: String)? = nil) async -> ProxyProcess? {
        await first { await startMicrosocks(user) }
    }

    /// Retries a start, because another process may take the port before the program listens on it.
    private static func first(_ start: () async -> ProxyProcess?) async -> ProxyProcess? {
        for _ in 0..<3 { if let process = await start() { return process } }
        return nil
    }

    private static func startMicrosocks(_ user: (name: String, password: String)?) async -> ProxyProcess? {
        guard let program = ServerProcess.find("microsocks"), let port = ServerProcess.freePort() else { return nil }
        let options = user.map { ["-u", $0.name, "-P", $0.password] } ?? []
        return await ProxyProcess(
            [program, "-i", "127.0.0.1", "-p", String(port)] + options, port: port, configuration: nil)
    }

    private init?(_ command: [String], port: Int, configuration: String?) async {
        guard let process = ServerProcess(command) else { return nil }
        self.process = process
        self.port = port
        self.configuration = configuration
        guard await process.waitForPort(port) else { return nil }
    }

    deinit {
        if let configuration { unlink(configuration) }
    }
}
