import Basics
import Expectations
import HTTPSession
import JSON
import RunModel
import SuiteModel

extension StepRunner {
    /// The time that a server has to respond to a close frame.
    private static let closeTime: Duration = .seconds(2)

    /// Opens a WebSocket, checks the response to the handshake, and exchanges messages.
    ///
    /// - Returns: The exchange, including the messages, and its findings.
    @inline(never)
    nonisolated(nonsending) func converse(_ rendered: Rendered, for step: SuiteStep) async -> Checked {
        let clock = runner.options.clock
        let start = clock.now()
        let deadline = rendered.limits.total.map { clock.time(in: $0) }
        var pending = pending(rendered)
        pending.request.url = rendered.request.url
        var options = WebSocketOptions(closeTimeout: Self.closeTime)
        if let size = rendered.limits.bodySize { options.maximumMessageBytes = Int(clamping: size) }
        // The protocols are a field of the request, but the library expects them as a parameter.
        let protocols = rendered.request.headers.values("Sec-WebSocket-Protocol")
            .flatMap { $0.split(whereSeparator: { $0 == "," || $0 == " " }) }.map { String($0) }
        let socket: WebSocket
        do {
            socket = try await pending.webSocket(protocols: protocols, options: options)
        } catch {
            return await refused(error, rendered, for: step)
        }
        var exchange = ExchangeRecorder.exchange(socket.response, expected: step.expectations.extras)
        exchange.request.url = Self.webSocketURL(exchange.request.url)
        var details = exchange.details ?? ExchangeDetails()
        details.webSocket = WebSocketTranscript()
        exchange.details = details
        var findings = await self.findings(exchange, for: step)
        if findings.isEmpty {
            var conversation = WebSocketConversation(
                socket: socket, runner: self, handshake: exchange, limit: rendered.limits.total, deadline: deadline)
            findings = await conversation.run(step.webSocket?.elements ?? [])
            details.webSocket = conversation.transcript
            exchange.details = details
        } else {
            await socket.close()
        }
        exchange.timings.total = clock.now() - start
        exchange.timings.transfer = max(0, exchange.timings.total - (exchange.timings.firstByte ?? 0))
        if step.isReferenced || sequence.test.isReferenced { keep(ResponseContent(exchange), of: step) }
        return Checked(exchange: exchange, findings: findings)
    }

    /// Handles a handshake that does not open a WebSocket: a failure, unless the step expects the response.
    private nonisolated(nonsending) func refused(
        _ error: SessionError, _ rendered: Rendered, for step: SuiteStep
    ) async -> Checked {
        guard error.reason == .upgradeRefused, let response = error.response, response.status != 101 else {
            let exchange = ExchangeRecorder.exchange(error, sent: rendered.request)
            return await verdict(exchange, for: step, isPoll: false)
        }
        let exchange = ExchangeRecorder.exchange(response, expected: step.expectations.extras)
        var findings = await findings(exchange, for: step)
        let isExpected = step.expectations.status != nil && step.webSocket?.elements.isEmpty != false
        if !isExpected, !findings.contains(where: { $0.subject == .status }) {
            let reason = response.reason.isEmpty ? "" : " \(response.reason)"
            findings.append(
                Finding(
                    subject: "websocket", type: .init("upgrade"),
                    message: "the server responded with \(response.status)\(reason) and did not open a WebSocket",
                    expected: .number(JSONNumber(101)), actual: .number(JSONNumber(response.status)),
                    range: step.webSocket?.range))
        }
        keep(ResponseContent(exchange), of: step)
        return Checked(exchange: exchange, findings: findings)
    }

    /// Returns the URL with the WebSocket scheme in place of the HTTP scheme.
    private static func webSocketURL(_ url: String) -> String {
        url.hasPrefix("https:") ? "wss:" + url.dropFirst(6) : url.hasPrefix("http:") ? "ws:" + url.dropFirst(5) : url
    }
}
