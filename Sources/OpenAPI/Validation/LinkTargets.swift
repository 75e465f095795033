/// The operations that links lead to, by their ids and places.
struct LinkTargets {
    private var byID: [String: Operation] = [:]
    private var byNode: [DescriptionNode: Operation] = [:]

    init(_ operations: [Operation]) {
        for operation in operations {
            if let id = operation.id, byID[id] == nil { byID[id] = operation }
            byNode[operation.node] = operation
        }
    }

    /// The ids, in order.
    var ids: [String] { byID.keys.sorted() }

    /// The operation with an id.
    func operation(id: String) -> Operation? { byID[id] }

    /// The operation at a place.
    func operation(at node: DescriptionNode) -> Operation? { byNode[node] }
}
