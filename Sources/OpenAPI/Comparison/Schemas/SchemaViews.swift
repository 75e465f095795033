import JSON

/// The views of a description's schemas, each made once.
struct SchemaViews {
    private let description: OpenAPIDescription
    private var positions: [[DescriptionNode]: Int] = [:]
    private(set) var all: [SchemaView] = []
    private var builder: SchemaViewBuilder

    /// Creates an empty collection.
    init(_ description: OpenAPIDescription) {
        self.description = description
        builder = SchemaViewBuilder(description)
    }

    /// The position of the view of schemas that all have to match.
    mutating func position(of schemas: [DescriptionNode]) -> Int {
        var seen: Set<DescriptionNode> = []
        let schemas = schemas.map { schema in
            // A bare reference is its target, so that all references to one schema share a view.
            guard schema.reference != nil,
                description.version.usesSchemaDialect30 || schema.value.objectValue?.count == 1
            else { return schema }
            return description.resolved(schema) ?? schema
        }.filter { schemas.count == 1 || seen.insert($0).inserted }
        if let known = positions[schemas] { return known }
        let position = all.count
        all.append(builder.view(of: schemas))
        positions[schemas] = position
        return position
    }

    /// The view of schemas that all have to match.
    mutating func view(of schemas: [DescriptionNode]) -> SchemaView { all[position(of: schemas)] }
}
