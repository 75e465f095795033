import OpenAPI

extension RecordDecoder {
    /// Reads what a run has exercised of a description.
    static func coverage(_ fields: RecordFields) throws(RecordProblem) -> ContractCoverage {
        var items: [ContractCoverage.Item] = []
        for element in try fields.array("items") {
            let fields = try RecordFields(element, member: "items")
            // A newer program may know more kinds.
            guard let kind = ContractCoverage.Item.Kind(rawValue: try fields.string("kind")) else { continue }
            items.append(
                ContractCoverage.Item(
                    kind: kind, operation: try fields.string("operation"),
                    name: try fields.optionalString("name") ?? "", isCovered: try fields.flag("covered")))
        }
        return ContractCoverage(
            description: try fields.string("description"), items: items,
            undocumented: try fields.strings("undocumented"))
    }
}
