import JSON

/// Where the nodes of a program come from; read only when a violation is reported.
struct LocationTable: Sendable {
    /// For each place: the place it is inside of, or -1, and its token.
    let parents: [PlaceIndex]
    let tokens: [String]
    /// For each node: its place.
    let places: [PlaceIndex]
    /// For each resource: its URI and its place.
    let resourceURIs: [String]
    let resourceRoots: [PlaceIndex]

    /// The location of a node for a message: without the URI when that is the one of `resource`.
    func shortLocation(of node: NodeIndex, from resource: Int32, in program: Program) -> String {
        let target = program.nodes[Int(node)].resource
        let location = location(of: node, resource: target, [])
        return target == resource ? String(location.dropFirst(resourceURIs[Int(resource)].count)) : location
    }

    /// The absolute location of a node, or of something inside of it.
    func location(of node: NodeIndex, resource: Int32, _ tokens: [String]) -> String {
        let root = resourceRoots[Int(resource)]
        var way: [String] = tokens.reversed()
        var place = places[Int(node)]
        while place >= 0, place != root, parents[Int(place)] >= 0 {
            way.append(self.tokens[Int(place)])
            place = parents[Int(place)]
        }
        return resourceURIs[Int(resource)] + "#" + URIReference.fragment(of: JSONPointer(tokens: way.reversed()))
    }
}
