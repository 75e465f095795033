import HTTPSession
import Synchronization

/// A token that may have expired.
struct TestToken: AuthenticationCredential, Hashable {
    var number: Int
    var expires = Double.infinity

    func requiresRefresh(at date: Double) -> Bool { date >= expires }
}

/// An authenticator that issues ascending token numbers and counts its calls.
final class TokenAuthenticator: Authenticator {
    typealias Renewal = @Sendable (Int, Session) async throws -> Void

    private let counts = Mutex<(refreshes: Int, underWay: Int, maximumUnderWay: Int)>((0, 0, 0))
    private let renewal: Renewal

    /// Creates an authenticator.
    ///
    /// - Parameter renewal: Called during each refresh with its number, starting at 1.
    init(_ renewal: @escaping Renewal = { _, _ in await Task.yield() }) {
        self.renewal = renewal
    }

    var refreshes: Int { counts.withLock { $0.refreshes } }
    var maximumUnderWay: Int { counts.withLock { $0.maximumUnderWay } }

    func apply(_ credential: TestToken, to request: inout Request) {
        request.headers.set(name: "Authorization", value: "Token \(credential.number)")
    }

    func refresh(_ credential: TestToken, with session: Session) async throws -> TestToken {
        let number = counts.withLock { counts in
            counts.refreshes += 1
            counts.underWay += 1
            counts.maximumUnderWay = max(counts.maximumUnderWay, counts.underWay)
            return counts.refreshes
        }
        defer { counts.withLock { $0.underWay -= 1 } }
        try await renewal(number, session)
        return TestToken(number: credential.number + 1)
    }

    func isRequest(_ request: Request, authenticatedWith credential: TestToken) -> Bool {
        request.headers["Authorization"] == "Token \(credential.number)"
    }
}
