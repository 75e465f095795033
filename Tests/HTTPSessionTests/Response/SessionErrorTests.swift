import Basics
import HTTPSession
import Testing

@Suite("Session errors")
struct SessionErrorTests {
    @Test(
        "The description redacts passwords and secret parameters",
        arguments: [
            ("https://ada:s3cret@a.test/x", "GET https://ada:REDACTED@a.test/x: lost"),
            (
                "https://a.test/x?page=2&access_token=s3cret#f",
                "GET https://a.test/x?page=2&access_token=REDACTED#f: lost"
            ),
            ("books?api_key=s3cret", "GET books?api_key=REDACTED: lost"),
            ("https://ada:s3#c3t@a.test/x", "GET https://ada:REDACTED@a.test/x: lost"),
            ("https://a.test:8080/@ada", "GET https://a.test:8080/@ada: lost"),
        ])
    func description(url: String, text: String) {
        let error = SessionError(phase: .receive, reason: .connectionClosed, message: "lost", url: url)
        #expect(error.description == text)
        #expect("\(error)" == text)
        #expect(String(reflecting: error) == text)
        #expect(error.url == url)
    }

    @Test("The description redacts credentials in URLs in the message")
    func message() async throws {
        let transport = ScriptedTransport()
        transport.answer(with: .response(302, ["Location": "http://u:s3cret@a.test/?token=s3cret"]))
        let session = Session(transport: transport)
        let error = await ExchangeTests.failure {
            try await session.get("http://u:s3cret@a.test/?token=s3cret").response()
        }
        #expect(error?.reason == .redirectCycle)
        #expect(error?.message.contains("s3cret") == true)
        #expect(error?.description.contains("s3cret") == false, "\(error?.description ?? "")")
    }

    @Test("An error after retries includes the number of the last attempt")
    func attempt() async throws {
        let transport = ScriptedTransport()
        transport.answer(with: .failure(.connectionReset, phase: .receive))
        var configuration = SessionConfiguration(baseURL: "http://a.test/")
        configuration.retriers = [RetryPolicy(scale: .zero)]
        let session = Session(configuration: configuration, transport: transport)
        let error = await ExchangeTests.failure { try await session.get("x").response() }
        #expect(error?.attempt == 3)
        #expect(error?.attempts.count == 2)
    }

    @Test("An error that replaces a failure retains the original error")
    func original() async throws {
        struct Stop: Error {}
        struct Stopper: Retrier {
            var error: any Error
            func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
                .doNotRetryWithError(error)
            }
        }
        let transport = ScriptedTransport()
        transport.answer(with: .failure(.connectionReset, phase: .receive))
        let session = Session(configuration: .init(baseURL: "http://a.test/"), transport: transport)
        let other = SessionError(phase: .request, reason: .cancelled, message: "no more")
        for error in [Stop(), other] as [any Error] {
            let thrown = await ExchangeTests.failure {
                try await session.get("x").retry(with: Stopper(error: error)).response()
            }
            #expect(thrown?.originalError?.reason == .connectionReset)
            #expect(thrown?.reason == (error is Stop ? .retrierFailed : .cancelled))
            #expect((thrown?.underlying is Stop) == (error is Stop))
        }
    }
}
