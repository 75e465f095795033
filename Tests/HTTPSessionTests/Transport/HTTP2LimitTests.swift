import NIOCore
import NIOHPACK
import NIOHTTP2
import TestSupport
import Testing

@testable import HTTPSession

/// What healthy servers do often must not end a connection, whatever it is called on servers.
@Suite("HTTP/2 limits")
struct HTTP2LimitTests {
    /// The outcome of many requests at the same time, by their paths.
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

    @Test("Refused streams beside healthy ones: only the refused requests fail")
    func refusedUnderLoad() async throws {
        try await HTTP2Tests.serve(maximumStreams: 200) { peer, _ in
            if peer.headers.first(name: ":path") == "/refused" {
                peer.send(.rstStream(.refusedStream))
            } else {
                peer.head(200)
                peer.body("ok")
            }
        } _: { session, url, server in
            // So that the limit of streams is known.
            _ = try await session.get(url + "/fine").response()
            // Each refused request is sent four times: 400 resets.
            let paths = (0..<200).map { $0.isMultiple(of: 2) ? "/refused" : "/fine" }
            let outcomes = await Self.outcomes(session, url, paths)
            #expect(outcomes["/fine"] == Array(repeating: "ok", count: 100))
            #expect(outcomes["/refused"] == Array(repeating: "connectionReset", count: 100))
            #expect(server.connections == 1)
        }
    }

    /// The server's responses are on their way when their streams are reset.
    @Test("More cancelled streams than SwiftNIO remembers by default, on which responses still arrive")
    func cancelledStreams() async throws {
        let release = Gate()
        let last = 151
        try await HTTP2Tests.serve(maximumStreams: 200) { peer, _ in
            guard peer.headers.first(name: ":path") != "/fine" else {
                peer.head(200)
                return peer.body("ok")
            }
            guard peer.number == last - 1 else { return }
            // Until then the server reads nothing, as resets of the streams.
            release.wait()
            for number in 0..<last {
                let id = HTTP2StreamID(2 * number + 1)
                peer.send(.headers(.init(headers: [":status": "200"], endStream: false)), on: id)
                peer.send(.data(.init(data: .byteBuffer(ByteBuffer(string: "x")), endStream: true)), on: id)
            }
        } _: { session, url, server in
            let one = Task { try await session.get(url + "/held").string() }
            let hasOne = try await HTTP2Tests.poll { server.requests.count == 1 }
            #expect(hasOne)
            let others = Task {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 1..<last { group.addTask { _ = try? await session.get(url + "/held").response() } }
                }
            }
            let hasAll = try await HTTP2Tests.poll { server.requests.count == last }
            #expect(hasAll)
            others.cancel()
            await others.value
            release.open()
            let text1 = try await one.value
            #expect(text1 == "x")
            let text2 = try await session.get(url + "/fine").string()
            #expect(text2 == "ok")
            #expect(server.connections == 1)
        }
    }

    @Test("The bodies of cancelled streams take nothing from the connection's window for good")
    func windowOfCancelledStreams() async throws {
        let release = Gate()
        // Together more than the window of the connection.
        let (count, piece) = (24, String(repeating: "x", count: 16_000))
        try await HTTP2Tests.serve { peer, _ in
            guard peer.headers.first(name: ":path") != "/fine" else {
                peer.head(200)
                return peer.body(String(repeating: "y", count: 1_000_000))
            }
            guard peer.number == count - 1 else { return }
            release.wait()
            for number in 0..<count {
                let id = HTTP2StreamID(2 * number + 1)
                peer.send(.headers(.init(headers: [":status": "200"], endStream: false)), on: id)
                for _ in 0..<60 {
                    peer.send(.data(.init(data: .byteBuffer(ByteBuffer(string: piece)), endStream: false)), on: id)
                }
            }
        } _: { session, url, server in
            let all = Task {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<count { group.addTask { _ = try? await session.get(url + "/held").response() } }
                }
            }
            let hasAll = try await HTTP2Tests.poll { server.requests.count == count }
            #expect(hasAll)
            all.cancel()
            await all.value
            release.open()
            let text3 = try await session.get(url + "/fine").string().utf8.count
            #expect(text3 == 1_000_000)
            #expect(server.connections == 1)
        }
    }

    @Test("Hundreds of streams cancelled one after the other, each with a ping that the server answers")
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

    @Test("A server that resets each stream after its response, and pings with each, is a healthy one")
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

    @Test("A flood of pings ends the connection, with a reason that is retried")
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
                error?.message.hasSuffix("broke the rules of HTTP/2: too many PING frames that nothing asked for")
                    == true, "\(error?.message ?? "")")
            #expect(error.flatMap { RetryableFailure($0.reason) } == .connectionLost)
            let text5 = try await session.get(url).string()
            #expect(text5 == "ok")
            #expect(server.connections == 2)
        }
    }

    @Test("A retry policy for lost connections sends the request again after a flood")
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

    @Test("What no exchange needs is counted, is earned by exchanges, and is forgiven with time")
    func allowance() {
        var allowance = HTTP2Allowance()
        func spend(_ time: UInt64) -> Bool { allowance.spend(at: time) }
        func takePong() -> Bool { allowance.takePong() }
        func takeSettings() -> Bool { allowance.takeSettingsAcknowledgment() }
        let most = HTTP2Allowance.most
        for _ in 0..<most { #expect(spend(1)) }
        #expect(!spend(1))
        allowance.earn()
        allowance.earn()
        #expect(spend(1))
        #expect(!spend(1))
        #expect(spend(1_000_000_001))
        // After an hour there is as much as in the beginning, and not more.
        for _ in 0..<most { #expect(spend(3_600_000_000_000)) }
        #expect(!spend(3_600_000_000_000))
        #expect(!takePong())
        allowance.sendPing()
        #expect(takePong())
        #expect(!takePong())
        #expect(takeSettings())
        #expect(!takeSettings())
    }
}
