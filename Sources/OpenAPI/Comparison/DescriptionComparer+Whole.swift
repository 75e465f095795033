import JSON

extension DescriptionComparer {
    // MARK: Servers

    /// Compares the servers of the descriptions.
    mutating func compareServers() {
        let oldURLs = Set(old.servers.map(\.url))
        let newURLs = Set(new.servers.map(\.url))
        for server in old.servers where !newURLs.contains(server.url) && server.node != nil {
            add(
                "api-server-removed", detail: server.url, in: nil, .servers, server.node,
                new.root["servers"])
        }
        for server in new.servers where !oldURLs.contains(server.url) && server.node != nil {
            add("api-server-added", detail: server.url, in: nil, .servers, old.root["servers"], server.node)
        }
    }

    // MARK: Components

    /// Tells schemas of the components that are gone; one that has another name now is not.
    mutating func compareComponents() {
        guard let oldSchemas = old.root["components"]?["schemas"] else { return }
        let newSchemas = new.root["components"]?["schemas"]
        let removed = oldSchemas.members.filter { newSchemas?[$0.name] == nil }
        guard !removed.isEmpty else { return }
        var candidates: [String: [DescriptionNode]] = [:]
        for schema in newSchemas?.members ?? [] where oldSchemas[schema.name] == nil {
            candidates[Self.outline(schema), default: []].append(schema)
        }
        let equivalence = StructuralEquivalence(old: old, new: new)
        for schema in removed {
            let others = candidates[Self.outline(schema)] ?? []
            if others.prefix(8).contains(where: { equivalence.areEquivalent(schema, $0) }) { continue }
            add(
                "api-schema-removed", detail: "\"\(schema.name)\"", in: nil, .components, schema,
                newSchemas ?? new.root["components"])
        }
    }

    /// What schemas have in common that may be the same.
    private static func outline(_ schema: DescriptionNode) -> String {
        let names = schema["properties"]?.value.objectValue?.keys.sorted() ?? []
        let type = schema["type"]?.value.serialized() ?? ""
        return "\(type):\(names.joined(separator: ","))"
    }

    // MARK: Version

    /// What `info.version` says of breaking changes; nothing where it is no semantic version.
    func versionChanges(_ changes: [Change]) -> [Change] {
        guard let before = Self.version(old.apiVersion), let after = Self.version(new.apiVersion),
            changes.contains(where: { $0.level == .breaking })
        else { return [] }
        let id: String
        let detail: String
        let fromTo = "from \(old.apiVersion) to \(new.apiVersion)"
        if before == after {
            id = "api-version-not-bumped"
            detail = new.apiVersion
        } else if after.lexicographicallyPrecedes(before) {
            id = "api-version-decreased"
            detail = fromTo
        } else if before[0] == after[0] {
            id = "api-major-version-not-bumped"
            detail = ", \(fromTo)"
        } else {
            return []
        }
        guard let template = ChangeCatalog.template(id) else { return [] }
        return [
            Change(
                id: id, level: template.level,
                message: ChangePhrase.text(template.phrase, subject: "", detail: detail), operation: nil,
                oldPlace: old.root["info"]?["version"], newPlace: new.root["info"]?["version"], section: .info)
        ]
    }

    /// The three numbers of a semantic version; nil for any other text.
    private static func version(_ text: String) -> [Int]? {
        let text = text.hasPrefix("v") ? text.dropFirst() : text[...]
        let core = text.prefix { $0 != "-" && $0 != "+" }
        let parts = core.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard !part.isEmpty, part.allSatisfy({ ("0"..."9").contains($0) }), part == "0" || !part.hasPrefix("0"),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
