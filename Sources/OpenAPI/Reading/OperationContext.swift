/// What operations have from the description that they are in.
struct OperationContext {
    /// The servers of operations and paths that name none.
    var servers: [Server]
    /// What operations require that say nothing.
    var security: [SecurityRequirement]
    /// Operations by `operationId`, so that a second one with the same is told.
    var operationIDs: [String: DescriptionNode] = [:]
    /// How deep the callbacks are in which operations are read.
    var depth = 0
}
