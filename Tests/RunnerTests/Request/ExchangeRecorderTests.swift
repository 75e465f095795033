import Basics
import HTTPSession
import RunModel
import Testing

@testable import Runner

@Testing.Suite("The record of an exchange")
struct ExchangeRecorderTests {
    @Test("Failure phases are the session's phases")
    func phases() {
        let phases: [Exchange.Failure.Phase] = [
            .request, .dns, .connect, .tls, .firstByte, .receive, .redirect, .decode,
        ]
        for phase in phases { #expect(SessionError.Phase(rawValue: phase.rawValue) != nil, "\(phase.rawValue)") }
    }

    @Test("A failure has the phase, reason, and message of the session's error")
    func failure() {
        let error = SessionError(
            phase: .connect, reason: .timedOut(.connect, .seconds(1)), message: "no connection within 1 s", attempt: 1,
            method: .get,
            url: "http://a.test/")
        let exchange = ExchangeRecorder.exchange(error, sent: Request(.get, url: "http://a.test/"))
        #expect(exchange.failure?.phase == .connect)
        #expect(exchange.failure?.kind == .timeout)
        #expect(exchange.failure?.message == "no connection within 1 s")
        #expect(exchange.response == nil)
    }
}
