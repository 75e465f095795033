import Glibc

/// An httpbin on loopback for the time of a test; it ends with the program that has started it, too.
public final class HttpbinServer: Sendable {
    /// The port it listens at.
    public let port: Int
    private let process: ServerProcess

    /// The base of its URLs.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The Python that has httpbin, which `APITEST_PYTHON` names.
    private static let python: String? = {
        guard let path = getenv("APITEST_PYTHON").map({ String(cString: $0) }) else { return nil }
        return access(path, X_OK) == 0 ? path : nil
    }()

    /// Whether `APITEST_PYTHON` names a Python.
    public static let isAvailable = python != nil

    /// Runs httpbin with a thread for each connection, as long as the parent process is there.
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

    /// Starts a server and waits for it; nil if that fails.
    public static func start() async -> HttpbinServer? {
        // The port may be taken before httpbin listens there.
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
