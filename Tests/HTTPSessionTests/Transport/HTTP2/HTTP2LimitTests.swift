import NIOCore
import NIOHPACK
import NIOHTTP2
import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

/// Tests that frequent behavior of healthy servers does not end a connection, even if servers treat it as an attack.
@Suite("HTTP/2 limits")
struct HTTP2LimitTests {
    /// Returns the outcomes of many concurrent requests, by path.
    private static func outcomes(_ session: Session, _ url: String, _ paths: [String]) async -> [String: [String]] {
        await withTaskGroup(of: (String, String).self) { group in
            for path in paths {
                group.addTask {
                    do throws(SessionError) {
                        return (path, try await session.get(url + path).string())
                    } catch {
                        return (path, "\(error.reason)")
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0, default: []].append($1.1) }
        }
    }

    @Test("Refused streams do not affect other streams on the connection")
    func refusedUnderLoad() async throws {
        try await HTTP2Tests.serve(maximumStreams: 200) { peer, _ in
            if peer.headers.first(name: ":path") == "/refused" {
                peer.send(.rstStream(.refusedStream))
            } else {
                peer.head(200)
                peer.body("ok")
            }
        } _: { session, url, server in
            // The limit of concurrent streams is known afterwards.
            _ = try await session.get(url + "/fine").response()
            // Each refused request is sent four times: 400 resets.
            let paths = (0..<200).map { $0.isMultiple(of: 2) ? "/refused" : "/fine" }
            let outcomes = await Self.outcomes(session, url, paths)
            #expect(outcomes["/fine"] == Array(repeating: "ok", count: 100))
            #expect(outcomes["/refused"] == Array(repeating: "connectionReset", count: 100))
            #expect(server.connections == 1)
        }
    }

    /// Cancels requests whose responses are in transit, concurrently with one that is not cancelled.
    ///
    /// The server reads nothing between the last request and its responses, so it does not notice any cancellation.
    ///
    /// - Parameters:
    ///   - count: The number of cancelled requests.
    ///   - body: The parts of the body of each response to these requests.
    /// - Returns: The length of the body of the request that is not cancelled, of 1,000,000 bytes.
    private static func cancelBesideOne(_ count: Int, body: [String]) async throws -> Int {
        let release = Gate()
        let length = Mutex(0)
        try await HTTP2Tests.serve(maximumStreams: 200) { peer, _ in
            switch peer.headers.first(name: ":path") {
            case "/first": peer.head(200, end: true)
            case "/last":
                release.wait()
                // The streams of the first request, of the one that continues, and of the cancelled ones.
                for number in 2..<(count + 2) {
                    let id = HTTP2StreamID(2 * number + 1)
                    peer.send(.headers(.init(headers: [":status": "200"], endStream: false)), on: id)
                    for part in body {
                        peer.send(.data(.init(data: .byteBuffer(ByteBuffer(string: part)), endStream: false)), on: id)
                    }
                }
                let kept = HTTP2StreamID(3)
                let text = ByteBuffer(string: String(repeating: "y", count: 1_000_000))
                peer.send(.headers(.init(headers: [":status": "200"], endStream: false)), on: kept)
                peer.send(.data(.init(data: .byteBuffer(text), endStream: true)), on: kept)
            default: break
            }
        } _: { session, url, server in
            // After its response, the limit of streams is known, so one connection serves all requests.
            _ = try await session.get(url + "/first").response()
            let kept = Task { try await session.get(url + "/kept").string().utf8.count }
            let hasKept = try await HTTP2Tests.poll { server.requests.count == 2 }
            #expect(hasKept)
            let others = Task {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<count { group.addTask { _ = try? await session.get(url + "/held").response() } }
                }
            }
            let hasOthers = try await HTTP2Tests.poll { server.requests.count == count + 2 }
            #expect(hasOthers)
            let last = Task { try? await session.get(url + "/last").response() }
            let hasLast = try await HTTP2Tests.poll { server.requests.count == count + 3 }
            #expect(hasLast)
            others.cancel()
            last.cancel()
            await others.value
            _ = await last.value
            release.open()
            let bytes = try await kept.value
            length.withLock { $0 = bytes }
            // Nothing was retried on another connection.
            #expect(server.connections == 1)
        }
        return length.withLock { $0 }
    }

    @Test("Late responses on many canceled streams do not end the connection")
    func cancelledStreams() async throws {
        let length = try await Self.cancelBesideOne(150, body: ["x"])
        #expect(length == 1_000_000)
    }

    @Test("Bodies of canceled streams do not permanently reduce the connection's flow-control window")
    func windowOfCancelledStreams() async throws {
        // Together, they exceed the window of the connection.
        let body = Array(repeating: String(repeating: "x", count: 16_000), count: 60)
        let length = try await Self.cancelBesideOne(24, body: body)
        #expect(length == 1_000_000)
    }

    @Test("Hundreds of canceled streams with acknowledged pings do not end the connection")
    func answersToPings() async throws {
        try await HTTP2Tests.serve { peer, _ in
            guard peer.headers.first(name: ":path") == "/fine" else { return }
            peer.head(200)
            peer.body("ok")
        } _: { session, url, server in
            for number in 1...250 {
                let held = Task { try? await session.get(url + "/held").response() }
                let isThere = try await HTTP2Tests.poll { server.requests.count >= 2 * number - 1 }
                #expect(isThere)
                held.cancel()
                _ = await held.value
                let text4 = try await session.get(url + "/fine").string()
                #expect(text4 == "ok")
            }
            #expect(server.connections == 1)
            #expect(server.resets.count == 250)
        }
    }

    @Test("A server that resets each stream after its response and sends pings is accepted")
    func resetsAfterResponses() async throws {
        try await HTTP2Tests.serve { peer, _ in
            peer.send(.ping(HTTP2PingData(withInteger: UInt64(peer.number)), ack: false), on: .rootStream)
            peer.head(200)
            peer.send(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: false)))
            peer.body("o", end: false)
            peer.send(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: false)))
            peer.body("k")
            peer.send(.rstStream(.noError))
        } _: { session, url, server in
            for _ in 0..<600 {
                let text = try await session.get(url).string()
                #expect(text == "ok")
            }
            #expect(server.connections == 1)
        }
    }

    @Test("A flood of pings ends the connection with a retryable error")
    func flood() async throws {
        try await HTTP2Tests.serve { peer, _ in
            guard peer.connection == 0 else {
                peer.head(200)
                return peer.body("ok")
            }
            for number in 0..<3_000 {
                peer.send(.ping(HTTP2PingData(withInteger: UInt64(number)), ack: false), on: .rootStream)
            }
        } _: { session, url, server in
            let error = await ExchangeTests.failure { try await session.get(url).response() }
            #expect(error?.reason == .protocolViolation)
            #expect(
                error?.message.hasSuffix("violated the HTTP/2 protocol: too many unsolicited PING frames")
                    == true, "\(error?.message ?? "")")
            #expect(error.flatMap { RetryableFailure($0.reason) } == .connectionLost)
            let text5 = try await session.get(url).string()
            #expect(text5 == "ok")
            #expect(server.connections == 2)
        }
    }

    @Test("A retry policy for lost connections retries the request after a flood of pings")
    func retriedFlood() async throws {
        try await HTTP2Tests.serve { peer, _ in
            guard peer.connection == 0 else { return peer.head(200, end: true) }
            for number in 0..<3_000 {
                peer.send(.ping(HTTP2PingData(withInteger: UInt64(number)), ack: false), on: .rootStream)
            }
        } _: { session, url, _ in
            let response = try await session.get(url)
                .retry(with: ConnectionLostRetryPolicy(maximumRetries: 1, scale: .zero)).response()
            #expect(response.status == 200)
        }
    }

    @Test("The allowance for extra frames is limited, earned by exchanges, and restored over time")
    func allowance() {
        var allowance = HTTP2Allowance()
        func spend(_ time: UInt64) -> Bool { allowance.spend(at: time) }
        func takePong() -> Bool { allowance.takePong() }
        func takeSettings() -> Bool { allowance.takeSettingsAcknowledgment() }
        let maximum = HTTP2Allowance.maximum
        for _ in 0..<maximum { #expect(spend(1)) }
        #expect(!spend(1))
        allowance.earn()
        allowance.earn()
        #expect(spend(1))
        #expect(!spend(1))
        #expect(spend(1_000_000_001))
        // After an hour, the budget equals the initial one.
        for _ in 0..<maximum { #expect(spend(3_600_000_000_000)) }
        #expect(!spend(3_600_000_000_000))
        #expect(!takePong())
        allowance.sendPing()
        #expect(takePong())
        #expect(!takePong())
        #expect(takeSettings())
        #expect(!takeSettings())
    }
}
