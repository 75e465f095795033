import OpenAPI
import RunModel

/// The paths of resources that exist on the server, as accepted requests show, for operations whose own path names none.
struct KnownPaths {
    /// The paths by the path of their operations in the description, in the order in which they were accepted.
    private var accepted: [String: [String]] = [:]
    /// The operations whose valid request names no existing resource.
    private var missing: Set<Int> = []

    /// The URL of the server.
    let base: String

    private static let maximumPaths = 20

    /// Creates the record for a server, without any path.
    init(base: String) { self.base = base }

    /// Records what a response says about the resource of its request.
    ///
    /// - Parameter isMain: Whether the request is the valid one of its operation.
    mutating func note(_ test: GeneratedTest, of operation: Operation, isMain: Bool, _ exchange: Exchange) {
        guard let status = exchange.response?.status, operation.path.contains("{"), exchange.request.url.hasPrefix(base)
        else { return }
        if isMain {
            if status == 404 || status == 410 { missing.insert(test.operation) } else { missing.remove(test.operation) }
        }
        guard status / 100 == 2 else { return }
        let path = String(exchange.request.url.dropFirst(base.count).prefix { $0 != "?" && $0 != "#" })
        var paths = accepted[operation.path] ?? []
        if operation.method == "DELETE" {
            paths.removeAll { $0 == path }
        } else if !paths.contains(path), paths.count < Self.maximumPaths {
            paths.append(path)
        }
        accepted[operation.path] = paths
    }

    /// Returns the path of an existing resource for each operation whose valid request names none.
    ///
    /// Below a resource, as in `/users/{id}/orders`, the path of the resource is enough.
    func paths(in plan: FuzzPlan) -> [Int: String] {
        var paths: [Int: String] = [:]
        for index in missing {
            guard let own = plan.main(of: index)?.request.path else { continue }
            let template = plan.operations[index].path
            let known = accepted.filter {
                !$0.value.isEmpty && (template == $0.key || template.hasPrefix($0.key + "/"))
            }
            guard let (parent, found) = known.max(by: { $0.key.utf8.count < $1.key.utf8.count }), let path = found.first
            else { continue }
            let rest = own.split(separator: "/", omittingEmptySubsequences: false).dropFirst(
                parent.split(separator: "/", omittingEmptySubsequences: false).count)
            // A variable has the identifier of a part of another resource.
            guard rest.allSatisfy({ !$0.contains("$") }) else { continue }
            paths[index] = ([path] + rest.map(String.init)).joined(separator: "/")
        }
        return paths
    }
}
