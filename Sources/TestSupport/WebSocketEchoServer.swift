import Glibc

/// A WebSocket server, based on Python's `websockets`, that echoes messages except for a few commands.
///
/// `close` closes the connection with code 4001 and the reason `asked`. `fragments` sends `abc` in three frames. `ping`
/// pings the client and sends `ponged` after its pong.
public final class WebSocketEchoServer: Sendable {
    /// The port on which the server listens.
    public let port: Int
    private let process: ServerProcess

    private static let python = getenv("APITEST_PYTHON").map { String(cString: $0) } ?? "python3"

    /// Whether a Python interpreter with `websockets` is installed.
    public static let isAvailable = TestCertificates.run([python, "-c", "import websockets.asyncio.server"])

    /// Starts a server with the subprotocol `chat`, or returns `nil` if that fails.
    ///
    /// - Parameter identity: The certificate and key of the server, or `nil` for a server without TLS.
    public static func start(_ identity: TestCertificates.Identity? = nil) async -> WebSocketEchoServer? {
        // Another process may take the port before the server listens on it.
        for _ in 0..<3 { if let server = await WebSocketEchoServer(identity) { return server } }
        return nil
    }

    private init?(_ identity: TestCertificates.Identity?) async {
        guard let port = ServerProcess.freePort() else { return nil }
        let files = identity.map { [$0.certificate, $0.key] } ?? []
        guard let process = ServerProcess([Self.python, "-c", Self.program, String(port)] + files),
            await process.waitForPort(port)
        else { return nil }
        self.port = port
        self.process = process
    }

    private static let program = """
        import asyncio, ssl, sys
        from websockets.asyncio.server import serve

        async def answer(socket):
            async for message in socket:
                if message == "close":
                    await socket.close(4001, "asked")
                elif message == "fragments":
                    await socket.send(["a", "b", "c"])
                elif message == "ping":
                    await (await socket.ping())
                    await socket.send("ponged")
                else:
                    await socket.send(message)

        async def main():
            context = None
            if len(sys.argv) > 2:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(sys.argv[2], sys.argv[3])
            async with serve(
                answer, "127.0.0.1", int(sys.argv[1]), ssl=context, subprotocols=["chat"], max_size=1 << 24
            ) as server:
                await server.serve_forever()

        asyncio.run(main())
        """
}
