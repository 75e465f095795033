import Testing

@testable import HTTPSession

@Suite("Event streams and composite monitors")
struct EventStreamTests {
    @Test("The events of a request arrive in order, and the sequence finishes")
    func order() async throws {
        let events = EventStream()
        let transport = ScriptedTransport()
        transport.answer(.get, "/a", with: .response(302, ["Location": "/b"]))
        transport.answer(.get, "/b", with: .response(200, ["Content-Type": "application/json"], "[1]"))
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.monitors = [events]
        let session = Session(configuration: configuration, transport: transport)
        let numbers = try await session.get("a").validate().decode([Int].self)
        #expect(numbers == [1])
        events.finish()
        var names: [String] = []
        for await entry in events {
            #expect(entry.request.rawValue == 1)
            names.append(entry.event.name)
        }
        #expect(
            names == [
                "created", "adapted", "sent", "headReceived", "redirected", "sent", "headReceived", "received",
                "validated", "decoded", "finished",
            ])
    }

    @Test(
        "Events beyond the capacity are dropped and counted",
        arguments: [
            (EventStream.Overflow.dropsOldest, [UInt64(3), 4]), (EventStream.Overflow.dropsNewest, [1, 2]),
        ])
    func overflow(_ overflow: EventStream.Overflow, kept: [UInt64]) async {
        let events = EventStream(capacity: 2, overflow: overflow)
        for number in 1...4 { events.receive(.coalesced, of: RequestID(UInt64(number))) }
        events.finish()
        var numbers: [UInt64] = []
        for await entry in events { numbers.append(entry.request.rawValue) }
        #expect(numbers == kept)
        #expect(events.droppedEvents == 2)
    }

    @Test("A composite monitor forwards each event to every monitor")
    func composite() {
        let first = RecordingMonitor()
        let second = RecordingMonitor()
        let composite = CompositeMonitor(first, ClosureMonitor { event, id in second.receive(event, of: id) })
        composite.receive(.coalesced, of: RequestID(1))
        #expect(first.names == ["coalesced"])
        #expect(second.names == ["coalesced"])
    }

    @Test("A monitor that stores the events of a streamed response does not keep its exchange alive")
    func streams() async throws {
        let transport = ScriptedTransport()
        transport.answer(with: .pieces(200, [:], [[1], [2]]))
        let monitor = RecordingMonitor()
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.monitors = [monitor]
        let response = try await Session(configuration: configuration, transport: transport).get("a").stream()
        var held = 0
        for event in monitor.all {
            if case .finished(.success(let response)) = event, response.stream != nil { held += 1 }
        }
        #expect(held == 0)
        #expect(monitor.names.last == "finished")
        let body = try await response.body.collect()
        #expect(body == [1, 2])
    }

    @Test("Events of retries, failures, and cancellations arrive in order")
    func failures() async throws {
        let transport = ScriptedTransport()
        transport.answer(.get, "/flaky", with: .failure(.connectionReset), .response(503), .response(200, [:], "ok"))
        transport.answer(.get, "/down", with: .failure(.connectionRefused, phase: .connect))
        transport.answer(.get, "/held", with: .never)
        let monitor = RecordingMonitor()
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.monitors = [monitor]
        let session = Session(configuration: configuration, transport: transport)
        let attempt = ["adapted", "sent"]

        let policy = RetryPolicy(scale: .zero)
        _ = try await session.get("flaky").retry(with: policy).validate().response()
        let flaky =
            ["created"] + attempt + ["retrying"] + attempt + ["headReceived", "received", "validated", "retrying"]
            + attempt + ["headReceived", "received", "validated", "finished"]
        #expect(monitor.names == flaky)

        _ = await ExchangeTests.failure { try await session.get("down").response() }
        #expect(Array(monitor.names.dropFirst(flaky.count)) == ["created"] + attempt + ["finished"])

        let before = monitor.names.count
        let task = Task { await ExchangeTests.failure { try await session.get("held").response() } }
        let isSent = try await HTTP2Tests.poll { transport.requests.last?.url.path == "/held" }
        #expect(isSent)
        task.cancel()
        #expect(await task.value?.reason == .cancelled)
        #expect(Array(monitor.names.dropFirst(before)) == ["created"] + attempt + ["finished"])
    }
}
