import JSON

extension SchemaCompiler {
    /// The minimum number of branches. Fewer branches save little.
    private static let smallestCount = 3
    /// The maximum number of branches without the member.
    private static let maximumRest = 16
    /// The maximum number of schemas to inspect for the values of the member in one branch.
    private static let maximumSearch = 64

    /// Searches each `anyOf` and `oneOf` for a member that distinguishes its branches.
    mutating func findDiscriminators() {
        for position in applicators.indices {
            switch applicators[position] {
            case .anyOf(let start, let count, _):
                applicators[position] = .anyOf(start: start, count: count, discriminator: discriminator(start, count))
            case .oneOf(let start, let count, _):
                applicators[position] = .oneOf(start: start, count: count, discriminator: discriminator(start, count))
            default: break
            }
        }
    }

    private mutating func discriminator(_ start: Int32, _ count: Int32) -> Int32 {
        if let name = hints[start]?.name, let named = discriminator(start, count, named: name) { return named }
        guard count >= SchemaCompiler.smallestCount else { return -1 }
        var texts: [ExactText: [(branch: Int, texts: [String])]] = [:]
        var names: [ExactText] = []
        for branch in 0..<Int(count) {
            let object = nodes[target(of: lists[Int(start) + branch])].object
            guard object >= 0 else { continue }
            for property in objects[Int(object)].properties.properties where property.node >= 0 {
                guard let allowed = allowedTexts(of: property.node) else { continue }
                let name = ExactText(property.name)
                if texts[name] == nil { names.append(name) }
                texts[name, default: []].append((branch, allowed))
            }
        }
        var best: ExactText?
        for name in names where texts[name, default: []].count > best.map({ texts[$0, default: []].count }) ?? 1 {
            best = name
        }
        guard let best, let found = texts[best] else { return -1 }
        return add(best.text, found, count) ?? -1
    }

    /// Returns the discriminator for a member that the schema names, or `nil` if the member does not help.
    private mutating func discriminator(_ start: Int32, _ count: Int32, named name: String) -> Int32? {
        let found = (0..<Int(count)).compactMap { branch in
            allowedTexts(ofMember: name, in: lists[Int(start) + branch]).map { (branch: branch, texts: $0) }
        }
        return add(name, found, count)
    }

    private mutating func add(_ name: String, _ found: [(branch: Int, texts: [String])], _ count: Int32) -> Int32? {
        // Branches that accept any string are listed under each string.
        guard Int(count) - found.count <= SchemaCompiler.maximumRest else { return nil }
        var all = [[String]?](repeating: nil, count: Int(count))
        for entry in found { all[entry.branch] = entry.texts }
        // A single string that all branches allow distinguishes nothing.
        guard Set(found.flatMap(\.texts).map(ExactText.init)).count > 1 else { return nil }
        discriminators.append(Discriminator(name: name, texts: all))
        return Int32(discriminators.count - 1)
    }

    /// Returns the target of a node that is only a reference, or the node itself.
    private func target(of node: NodeIndex) -> Int {
        nodes[Int(node)].forward >= 0 ? Int(nodes[Int(node)].forward) : Int(node)
    }

    /// Returns the strings that a branch or part of its `allOf` allows for a member, or `nil` if other values are
    /// allowed.
    func allowedTexts(ofMember name: String, in branch: NodeIndex) -> [String]? {
        var pending = [branch]
        var left = SchemaCompiler.maximumSearch
        while let next = pending.popLast(), left > 0 {
            left -= 1
            let node = nodes[target(of: next)]
            if node.object >= 0 {
                let properties = objects[Int(node.object)].properties.properties
                if let property = properties.first(where: { ExactText($0.name) == ExactText(name) }),
                    property.node >= 0, let texts = allowedTexts(of: property.node)
                {
                    return texts
                }
            }
            for position in Int(node.applicators)..<Int(node.applicators + node.applicatorCount) {
                switch applicators[position] {
                case .allOf(let start, let count): pending += lists[Int(start)..<Int(start + count)].reversed()
                case .reference(let target, _): pending.append(target)
                default: break
                }
            }
        }
        return nil
    }

    /// Returns the strings that a node allows, or `nil` if it allows other values.
    private func allowedTexts(of index: NodeIndex) -> [String]? {
        let node = nodes[target(of: index)]
        guard node.valueCount == 1 else { return nil }
        let allowed = values[Int(node.values)].values
        let texts = allowed.compactMap(\.stringValue)
        return texts.count == allowed.count ? texts : nil
    }
}
