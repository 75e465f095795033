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
        /// The files that stand for URIs.
        var schemas: [String: String] = [:]

        /// What the description depends on.
        fileprivate var reading: Reading { Reading(path: path, schemas: schemas) }
    }

    /// What a description depends on.
    fileprivate struct Reading: Hashable {
        var path: String
        var schemas: [String: String]
    }

    private struct State {
        /// Descriptions; nil for one that cannot be used, which was reported.
        var descriptions: [Reading: OpenAPIDescription?] = [:]
        var contracts: [Key: Contract] = [:]
    }

    private let state = Mutex(State())

    /// The description of a file, read at its first use; nil when it cannot be used.
    func description(of key: Key, read: () -> OpenAPIDescription?) -> OpenAPIDescription? {
        if let known = state.withLock({ $0.descriptions[key.reading] }) { return known }
        let description = read()
        state.withLock { $0.descriptions[key.reading] = .some(description) }
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
