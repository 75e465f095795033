/// A schema with a URI of its own (2020-12 Core, section 4.3.5): the root of a document, or a schema with `$id`.
struct SchemaResource {
    /// The base for references inside, without a fragment.
    var base: URIReference
    /// The base as text.
    var uri: String
    let root: PlaceIndex
    /// Which document the resource is in.
    let document: Int32
    var dialect: SchemaDialect
    /// Places by plain-name fragment.
    var anchors: [ExactString: PlaceIndex] = [:]
    /// Those of the anchors that `$dynamicRef` can find; the empty name stands for `$recursiveAnchor`.
    var dynamicAnchors: [ExactString: PlaceIndex] = [:]

    init(base: URIReference, root: PlaceIndex, document: Int32, dialect: SchemaDialect) {
        var base = base
        base.fragment = nil
        self.base = base
        uri = base.withoutFragment
        self.root = root
        self.document = document
        self.dialect = dialect
    }
}
