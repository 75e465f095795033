import OpenAPI
import Synchronization

/// The contracts of one load: each description is read once, whatever suites name it.
final class ContractLibrary: Sendable {
    /// What a contract is made of.
    struct Key: Hashable, Sendable {
        /// The absolute path of the description.
        var path: String
        /// Whether formats are checked.
        var assertsFormat = false
        /// What precedes the documented paths.
        var basePath: String?
    }

    private struct State {
        /// Descriptions by path; nil for one that cannot be used, which was reported.
        var descriptions: [String: OpenAPIDescription?] = [:]
        var contracts: [Key: Contract] = [:]
    }

    private let state = Mutex(State())

    /// The description of a file, read at its first use; nil when it cannot be used.
    func description(at path: String, read: () -> OpenAPIDescription?) -> OpenAPIDescription? {
        if let known = state.withLock({ $0.descriptions[path] }) { return known }
        let description = read()
        state.withLock { $0.descriptions[path] = .some(description) }
        return description
    }

    /// The contract of a key, made at its first use.
    func contract(_ key: Key, make: () -> Contract) -> Contract {
        if let known = state.withLock({ $0.contracts[key] }) { return known }
        let contract = make()
        state.withLock { $0.contracts[key] = contract }
        return contract
    }
}
