import JSON

/// What to say about references that lead nowhere.
extension SchemaRegistry {
    func missingDocument(_ uri: String, reference: String, keyword: String) -> String {
        let quoted = ValueDescription.quoted(reference)
        if uri.isEmpty {
            return "the \"\(keyword)\" \(quoted) leads to no document; without a base URI only \"#…\" can be resolved"
        }
        let known = resourcesByURI.keys.filter { !$0.isEmpty } + given.documents.map(\.uri)
        let hint =
            Similarity.nearest(to: uri, among: known.sorted()).map { "; there is \(ValueDescription.quoted($0))" } ?? ""
        let resolved = uri == reference ? "" : ", which is \(ValueDescription.quoted(uri)),"
        return "the \"\(keyword)\" \(quoted)\(resolved) leads to no known document\(hint)"
    }

    func missingAnchor(_ anchor: String, in resource: Int32, reference: String, keyword: String) -> String {
        let names = resources[Int(resource)].anchors.keys.map(\.text).sorted()
        let quoted = ValueDescription.quoted(reference)
        let base =
            "the \"\(keyword)\" \(quoted) leads nowhere: no schema there has the name \(ValueDescription.quoted(anchor))"
        let root = places[Int(resources[Int(resource)].root)].value
        for container in ["$defs", "definitions"] where root[container]?[anchor] != nil {
            return "\(base); did you mean \"#/\(container)/\(anchor)\"?"
        }
        if let near = Similarity.nearest(to: anchor, among: names) { return "\(base); did you mean \"#\(near)\"?" }
        return names.isEmpty ? base : "\(base); there are \(ValueDescription.names(names))"
    }

    func missingPlace(
        _ existing: JSONPointer, _ token: String, _ place: PlaceIndex, _ reference: String
    ) -> String {
        let value = places[Int(place)].value
        let start = "\(ValueDescription.quoted(reference)) leads nowhere: \"#\(existing)\""
        switch value {
        case .object(let object):
            let names = Array(object.keys)
            let missing = "\(start) has no member \(ValueDescription.quoted(token))"
            if let near = Similarity.nearest(to: token, among: names) {
                return "\(missing); did you mean \(ValueDescription.quoted(near))?"
            }
            return names.isEmpty ? "\(missing); it is empty" : "\(missing); it has \(ValueDescription.names(names))"
        case .array(let array):
            return
                "\(start) has no element \(ValueDescription.quoted(token)); it has \(ValueDescription.count(array.count, "element"))"
        default:
            return "\(start) is \(ValueDescription.typed(value)), which has no members"
        }
    }
}
