import Basics
import CEL
import Expectations
import HTTPSession
import JSON
import RunModel
import SuiteModel

/// An interpreter of the elements of `websocket`, in order, up to the first that fails.
struct WebSocketConversation {
    /// The result of waiting for a message.
    private enum Arrival: Sendable {
        case message(MessageChecker.Message)
        /// The server closed the connection, or it was lost (code 1006).
        case end(WebSocketClosure)
        case failure(SessionError)
        case nothing
    }

    /// The maximum number of messages that a finding lists.
    private static let maximumListCount = 5

    private let socket: WebSocket
    private let runner: StepRunner
    private let clock: RunClock
    private let checker: MessageChecker
    /// The step's time limit, in nanoseconds; nil if only the elements have limits.
    private let limit: Int64?
    /// The end of the step's time limit; nil if only the elements have limits.
    private let deadline: Int64?
    /// The messages so far.
    private(set) var transcript = WebSocketTranscript()
    private var hasEnded = false

    /// Creates a conversation without messages.
    ///
    /// - Parameters:
    ///   - handshake: The exchange that opened the WebSocket.
    ///   - limit: The step's time limit, in nanoseconds.
    ///   - deadline: The end of the step's time limit, by the run's clock.
    init(socket: WebSocket, runner: StepRunner, handshake: Exchange, limit: Int64?, deadline: Int64?) {
        self.socket = socket
        self.runner = runner
        self.limit = limit
        self.deadline = deadline
        clock = runner.runner.options.clock
        checker = MessageChecker(
            handshake: handshake, scope: runner.scope.view(.step), context: runner.scope.context)
    }

    /// Executes the elements and closes the connection.
    ///
    /// - Returns: The findings of the first element that failed.
    mutating nonisolated(nonsending) func run(_ elements: [WebSocketSpec.Element]) async -> [Finding] {
        var findings: [Finding] = []
        for (index, element) in elements.enumerated() {
            findings = await run(element, before: elements[(index + 1)...])
            for index in findings.indices where findings[index].range == nil { findings[index].range = element.range }
            if !findings.isEmpty { break }
        }
        // Further messages of the server are irrelevant.
        if !hasEnded { await socket.close() }
        return findings
    }

    private mutating nonisolated(nonsending) func run(
        _ element: WebSocketSpec.Element, before rest: ArraySlice<WebSocketSpec.Element>
    ) async -> [Finding] {
        let time: Int64
        do {
            time = try runner.builder.value(element.action.time) ?? 0
        } catch {
            return [StepRunner.finding(error)]
        }
        do throws(SessionError) {
            switch element.action {
            case .send(let payload): return try await send(payload, expectsEnd: Self.expectsEnd(rest))
            case .receive(let receiving): return await receive(receiving, within: time)
            case .silence: return await expectSilence(time)
            case .ping: return try await ping(time)
            case .wait:
                try? await clock.sleep(remaining(time))
                return interruption(subject: "wait")
            case .close(let closing): return await close(closing)
            }
        } catch {
            return [Self.finding(error, subject: subject(of: element))]
        }
    }

    private func subject(of element: WebSocketSpec.Element) -> Finding.Subject {
        switch element.action {
        case .send: "send"
        case .receive: "receive"
        case .silence: "silence"
        case .ping: "ping"
        case .wait: "wait"
        case .close: "close"
        }
    }

    /// Returns the remaining part of a time limit, which the limit of the step may shorten.
    private func remaining(_ time: Int64) -> Int64 {
        deadline.map { min(time, max(0, $0 - clock.now())) } ?? time
    }

    /// Returns a description of the time limit that applied: the element's, or the step's if that expired first.
    private func text(_ time: Int64) -> String {
        guard let deadline, let limit, clock.now() >= deadline else {
            return "within \(NanosecondsText.duration(time))"
        }
        return "before the timeout of \(NanosecondsText.duration(limit))"
    }

    /// Returns a finding if the wait was cut short by the end of the run, so its result is unknown.
    private func interruption(subject: Finding.Subject) -> [Finding] {
        guard Task.isCancelled else { return [] }
        return [Finding(kind: .error, subject: subject, type: .cancelled, message: "the run was interrupted")]
    }

    // MARK: Sending

    /// Returns whether the next element that receives expects the end of the connection.
    private static func expectsEnd(_ elements: ArraySlice<WebSocketSpec.Element>) -> Bool {
        for element in elements {
            if case .receive(let receiving) = element.action { return receiving.close != nil }
        }
        return false
    }

    /// Sends a message.
    ///
    /// - Parameter expectsEnd: Whether the server may have closed the connection, because the next element to receive
    ///   expects it.
    private mutating nonisolated(nonsending) func send(
        _ payload: WebSocketSpec.Payload, expectsEnd: Bool
    ) async throws(SessionError) -> [Finding] {
        let message: WebSocketMessage
        do {
            message = try render(payload)
        } catch {
            return [StepRunner.finding(error)]
        }
        if socket.closure != nil {
            // A server may close the connection before it receives anything. The element that expects the end checks
            // this.
            if expectsEnd { return [] }
            if let end = endFinding(subject: "send", wanted: "expected to send a message") { return [end] }
        }
        do throws(SessionError) {
            try await socket.send(message)
        } catch {
            switch error.reason {
            case .connectionClosed, .connectionReset:
                if expectsEnd { return [] }
            default: break
            }
            throw error
        }
        switch message {
        case .text(let text): transcript.append(.init(.client, .text, Array(text.utf8)))
        case .binary(let bytes): transcript.append(.init(.client, .binary, bytes))
        }
        return []
    }

    private func render(_ payload: WebSocketSpec.Payload) throws(TemplateError) -> WebSocketMessage {
        let builder = runner.builder
        switch payload {
        case .text(let template): return .text(try builder.text(template))
        case .json(let value): return .text(try builder.json(value).serialized())
        case .base64(let template, let range):
            guard let bytes = Base64.decode(try builder.text(template).utf8, allowing: [.whitespace, .withoutPadding])
            else {
                throw TemplateError(
                    message: "the string is not valid base64", range: range, expression: template.source)
            }
            return .binary(bytes)
        case .file(let path, let isText, let range):
            let bytes = try builder.read(try builder.text(path), range: range)
            guard isText else { return .binary(bytes) }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw TemplateError(message: "the file is not UTF-8", range: range, expression: path.source)
            }
            return .text(text)
        }
    }

    private mutating nonisolated(nonsending) func ping(_ time: Int64) async throws(SessionError) -> [Finding] {
        transcript.append(.init(.client, .ping))
        do throws(SessionError) {
            try await socket.ping(timeout: .nanoseconds(remaining(time)))
        } catch {
            guard case .timedOut = error.reason else {
                if let end = endFinding(subject: "ping", wanted: "expected a pong") { return [end] }
                throw error
            }
            return [
                Finding(
                    subject: "ping", type: .timeout, message: "no pong arrived \(text(time))")
            ]
        }
        transcript.append(.init(.server, .pong))
        return []
    }

    private mutating nonisolated(nonsending) func close(_ closing: WebSocketSpec.Closing) async -> [Finding] {
        let reason: String
        do {
            reason = try closing.reason.map(runner.builder.text) ?? ""
        } catch {
            return [StepRunner.finding(error)]
        }
        // The library would truncate the reason.
        if let problem = WebSocketSpec.Closing.problem(ofReason: reason) {
            let range = closing.reason?.expressions.first?.range
            return [
                Finding(
                    kind: .error, subject: "close", type: .init("reason"), message: problem, range: range)
            ]
        }
        hasEnded = true
        transcript.append(.init(.client, .close(code: closing.code), Array(reason.utf8)))
        let closure = await socket.close(code: WebSocketCloseCode(rawValue: closing.code), reason: reason)
        guard closure.isClean else {
            if let violation { return [Self.finding(violation, subject: "close")] }
            return [
                Finding(
                    subject: "close", type: .close,
                    message: "the server did not respond with a close frame")
            ]
        }
        note(closure)
        return []
    }

    // MARK: Receiving

    /// Waits for the next message or the end of the connection.
    private nonisolated(nonsending) func next(within time: Int64) async -> Arrival {
        let socket = socket
        let sleep = clock.sleep
        return await withTaskGroup(of: Arrival.self) { group in
            group.addTask {
                do throws(SessionError) {
                    switch try await socket.receive() {
                    case .text(let text)?: return .message(.init(.text, Array(text.utf8)))
                    case .binary(let bytes)?: return .message(.init(.binary, bytes))
                    case nil:
                        return .end(
                            socket.closure ?? WebSocketClosure(code: .noStatus, isClean: true, isByServer: true))
                    }
                } catch {
                    switch error.reason {
                    case .cancelled: return .nothing
                    case .connectionClosed, .connectionReset:
                        return .end(
                            socket.closure ?? WebSocketClosure(code: .abnormal, isClean: false, isByServer: true))
                    default: return .failure(error)
                    }
                }
            }
            group.addTask {
                try? await sleep(time)
                return .nothing
            }
            var arrival = await group.next() ?? .nothing
            group.cancelAll()
            // A message that arrived just as the time limit expired is not lost.
            while let other = await group.next() {
                if case .nothing = arrival { arrival = other }
            }
            return arrival
        }
    }

    private mutating nonisolated(nonsending) func receive(
        _ expected: WebSocketSpec.Receiving, within time: Int64
    ) async -> [Finding] {
        let end = clock.time(in: remaining(time))
        var passedOver: [(message: MessageChecker.Message, findings: [Finding])] = []
        var count = 0
        while true {
            let arrival = await next(within: max(0, end - clock.now()))
            switch arrival {
            case .message(let message):
                note(message)
                let findings = await check(message, expected)
                if findings.isEmpty || !expected.skips { return findings }
                count += 1
                if passedOver.count == Self.maximumListCount { passedOver.removeFirst() }
                passedOver.append((message, findings))
                // A server that sends continuously must not extend the step beyond its time limit.
                if clock.now() < end { continue }
                return [missing(expected, within: time, passedOver, count)]
            case .end(let closure):
                note(closure)
                hasEnded = true
                guard let close = expected.close else {
                    return [finding(closure, subject: "receive", wanted: "expected a message")]
                }
                return checker.findings(close, code: closure.code.rawValue, reason: closure.reason)
            case .failure(let error):
                hasEnded = true
                return [Self.finding(error, subject: "receive")]
            case .nothing:
                let interruption = interruption(subject: "receive")
                return interruption.isEmpty ? [missing(expected, within: time, passedOver, count)] : interruption
            }
        }
    }

    /// Captures values from a message, and checks it.
    ///
    /// Only the values of a message that meets the expectations are kept.
    private nonisolated(nonsending) func check(
        _ message: MessageChecker.Message, _ expected: WebSocketSpec.Receiving
    ) async -> [Finding] {
        guard expected.close == nil else {
            return [
                Finding(
                    subject: "receive", type: .close,
                    message: "expected a close frame, got \(message.description)")
            ]
        }
        let location = LargeBodies.location(ofBody: message.bytes.count, captures: expected.captures)
        return await LargeBodies.off(to: location) {
            let content = checker.content(of: message)
            guard !expected.captures.isEmpty else {
                return checker.findings(expected, message: message, content: content)
            }
            let scope = runner.scope
            let count = scope.captured.values.count
            let captured = checker.capture(expected.captures, content: content) {
                scope.add(capture: $0, value: $1)
            }
            runner.register(captured.values, secrets: captured.secrets, of: expected.captures)
            let findings = checker.findings(expected, message: message, content: content)
            let own = findings.filter { $0.type != .missingCapture }
            if own.isEmpty, captured.findings.isEmpty { return [] }
            _ = scope.takeCaptures(from: count)
            // Another kind of message usually lacks the values, too.
            return own.isEmpty ? MissingCaptures.withoutConsequences(findings + captured.findings) : own
        }
    }

    private func missing(
        _ expected: WebSocketSpec.Receiving, within time: Int64,
        _ passedOver: [(message: MessageChecker.Message, findings: [Finding])], _ count: Int
    ) -> Finding {
        let what = expected.close == nil ? "message" : "close frame"
        var message: MessageText = "no \(what) arrived \(text(time))"
        var details: [MessageText] = []
        if count > 0 {
            message =
                "no \(expected.close == nil ? "matching " : "")\(what) arrived \(text(time)); \(count) "
                + (count == 1 ? "message was skipped" : "messages were skipped")
            if count > passedOver.count { details.append("… \(count - passedOver.count) earlier messages") }
            for (message, findings) in passedOver {
                details.append("skipped: \(message.description)")
                if expected.close == nil { details += findings.prefix(3).map { "  \($0.subject): \($0.wording)" } }
            }
        }
        return Finding(subject: "receive", type: .timeout, message: message, details: details)
    }

    private mutating nonisolated(nonsending) func expectSilence(_ time: Int64) async -> [Finding] {
        let time = remaining(time)
        switch await next(within: time) {
        case .nothing: return interruption(subject: "silence")
        case .message(let message):
            note(message)
            return [
                Finding(
                    subject: "silence", type: .init("silence"),
                    message: "expected nothing for \(NanosecondsText.duration(time)), got \(message.description)")
            ]
        case .end(let closure):
            note(closure)
            hasEnded = true
            return [
                finding(closure, subject: "silence", wanted: "expected nothing for \(NanosecondsText.duration(time))")
            ]
        case .failure(let error):
            hasEnded = true
            return [Self.finding(error, subject: "silence")]
        }
    }

    // MARK: End of the connection

    private mutating func note(_ message: MessageChecker.Message) {
        transcript.append(.init(.server, message.kind == .text ? .text : .binary, message.bytes))
    }

    private mutating func note(_ closure: WebSocketClosure) {
        guard closure.isClean else { return }
        transcript.append(.init(.server, .close(code: closure.code.rawValue), Array(closure.reason.utf8)))
    }

    /// Returns the finding for a connection that ended when something else was expected.
    private func finding(_ closure: WebSocketClosure, subject: Finding.Subject, wanted: MessageText) -> Finding {
        guard closure.isClean else {
            return Finding(
                kind: .error, subject: subject, type: .connectionClosed,
                message: "\(wanted), but the connection was lost without a close frame")
        }
        var message: MessageText = "\(wanted), but the server closed the connection"
        if closure.code != .noStatus { message += " with \(closure.code)" }
        if !closure.reason.isEmpty { message += ", \(Self.quoted(closure.reason))" }
        return Finding(subject: subject, type: .close, message: message)
    }

    /// Returns the finding for a connection that has already ended; nil if it is still open.
    private mutating func endFinding(subject: Finding.Subject, wanted: MessageText) -> Finding? {
        guard let closure = socket.closure else { return nil }
        note(closure)
        hasEnded = true
        if let violation { return Self.finding(violation, subject: subject) }
        return finding(closure, subject: subject, wanted: wanted)
    }

    /// The protocol violation for which the connection was closed; nil if the connection was only lost.
    private var violation: SessionError? {
        guard let failure = socket.failure else { return nil }
        switch failure.reason {
        case .connectionClosed, .connectionReset: return nil
        default: return failure
        }
    }

    private static func finding(_ error: SessionError, subject: Finding.Subject) -> Finding {
        Finding(
            kind: .error, subject: subject, type: ExchangeRecorder.kind(error.reason),
            message: error.wording)
    }

    private static func quoted(_ text: String) -> String {
        MessageChecker.Message(.text, Array(text.utf8)).description
    }
}
