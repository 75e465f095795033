import Glibc

/// A loopback httpbin server that runs for the duration of a test, and exits with its parent process.
public final class HttpbinServer: Sendable {
    /// The port on which the server listens.
    public let port: Int
    private let process: ServerProcess

    /// The base URL of the server.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The Python interpreter with httpbin, named by `APITEST_PYTHON`.
    private static let python: String? = {
        guard let path = getenv("APITEST_PYTHON").map({ String(cString: $0) }) else { return nil }
        return access(path, X_OK) == 0 ? path : nil
    }()

    /// Whether `APITEST_PYTHON` names a Python interpreter.
    public static let isAvailable = python != nil

    /// Runs httpbin with a thread per connection for as long as the parent process exists.
    private static let program = """
        import os, sys, threading, time
        from httpbin import app

        def watch(parent):
            while os.getppid() == parent:
                time.sleep(0.5)
            os._exit(0)

        threading.Thread(target=watch, args=[os.getppid()], daemon=True).start()
        app.run(host="127.0.0.1", port=int(sys.argv[1]), threaded=True)
        """

    /// Starts a server and waits until it is ready, or returns `nil` if that fails.
    public static func start() async -> HttpbinServer? {
        // Another process may take the port before httpbin listens on it.
        for _ in 0..<3 { if let server = await HttpbinServer() { return server } }
        return nil
    }

    private init?() async {
        guard let python = Self.python, let port = ServerProcess.freePort(),
            let process = ServerProcess([python, "-c", Self.program, String(port)])
        else { return nil }
        self.port = port
        self.process = process
        guard await process.waitForPort(port) else { return nil }
    }
}
