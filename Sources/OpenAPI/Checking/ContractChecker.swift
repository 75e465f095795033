import JSON
import Synchronization

/// Holds the exchanges of a suite against its contract.
///
/// An exchange that conforms is recognized by a walk over flat tables, which copies nothing and counts no references:
/// tasks on several threads that count the references of one description hold each other up. Any other exchange, and one
/// of which the walk cannot tell, gets the whole check.
public final class ContractChecker: Sendable {
    /// The description.
    public let contract: Contract
    private let settings: ContractSettings
    private let rules: ConformityRules
    private let baseURL: String?
    private let base: URLParts?
    private let paths: PathIndex
    /// Where requests lead that go to the base URL's host.
    private let own: OriginRoutes?
    /// Where requests lead that go elsewhere.
    private let others = Mutex<[String: OriginRoutes]>([:])
    /// How many hosts are kept; requests to more of them get the whole check.
    private static let mostOrigins = 64

    /// Creates a checker.
    ///
    /// - Parameters:
    ///   - settings: What is looked at, and how grave it is.
    ///   - baseURL: What the suite's relative URLs resolve against; nil when there is no such URL.
    public init(_ contract: Contract, settings: ContractSettings = ContractSettings(), baseURL: String?) {
        self.contract = contract
        self.settings = settings
        self.baseURL = baseURL
        rules = ConformityRules(settings)
        paths = contract.pathIndex
        let base = baseURL.map { URLParts($0) }
        self.base = base
        own = baseURL.flatMap { text in
            // Its path may be empty, which those of requests are not.
            Array((text + "/").utf8).withUnsafeBufferPointer { bytes in
                guard let end = OriginRoutes.originEnd(of: bytes) else { return nil }
                let origin = String(decoding: bytes[..<end], as: UTF8.self)
                return contract.router.routes(origin: origin, base: base)
            }
        }
    }

    /// Holds an exchange against the description.
    ///
    /// - Parameters:
    ///   - settings: What replaces the settings for this exchange; nil for nothing.
    ///   - operation: The index of the operation that it is for, where the suite says so.
    /// - Returns: What is different; nothing for an exchange with a server that the description is not about.
    public func check(
        _ traffic: any ContractTraffic, settings: ContractSettings? = nil, operation: Int? = nil
    ) -> ContractOutcome {
        var outcome = ContractOutcome()
        if operation == nil, let covered = conforming(traffic, settings.map { ConformityRules($0) } ?? rules) {
            outcome.covered = covered
            return outcome
        }
        var exchange = traffic.exchange
        exchange.baseURL = baseURL
        return contract.check(exchange, settings: settings ?? self.settings, operation: operation) {
            () throws(JSONParseError) in try traffic.json()
        }
    }

    /// What of the description an exchange covers that certainly conforms; nil for any other.
    func conforming(_ traffic: any ContractTraffic) -> [Int]? { conforming(traffic, rules) }

    private func conforming(_ traffic: any ContractTraffic, _ rules: ConformityRules) -> [Int]? {
        var url = traffic.url
        var method = traffic.method
        return url.withUTF8 { url in
            guard let routes = routes(for: url) else { return nil }
            if routes.isElsewhere { return [] }
            let end = OriginRoutes.pathEnd(of: url, from: routes.origin.count)
            let found = method.withUTF8 { method in
                PathSearch(index: paths, text: url, method: method).find(routes, pathEnd: end)
            }
            guard let found else { return nil }
            let operation = contract.operations[found.operation]
            let plan = operation.plan
            return plan.texts.withUnsafeBufferPointer { texts in
                var check = ConformityCheck(
                    traffic: traffic, rules: rules, plan: plan, texts: texts, url: url, pathEnd: end,
                    pathValues: found.values)
                return check.holds() ? check.covered : nil
            }
        }
    }

    private func routes(for url: UnsafeBufferPointer<UInt8>) -> OriginRoutes? {
        if let own, own.isOrigin(of: url) { return own }
        guard let end = OriginRoutes.originEnd(of: url) else { return nil }
        let origin = String(decoding: url[..<end], as: UTF8.self)
        return others.withLock { known in
            if let routes = known[origin] { return routes }
            guard known.count < Self.mostOrigins else { return nil }
            let routes = contract.router.routes(origin: origin, base: base)
            known[origin] = routes
            return routes
        }
    }
}
