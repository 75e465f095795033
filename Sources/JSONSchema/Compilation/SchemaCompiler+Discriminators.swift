import JSON

extension SchemaCompiler {
    /// With fewer branches there is little to save.
    private static let smallestCount = 3
    /// How many branches may do without the member.
    private static let largestRest = 16

    /// Looks at all `anyOf` and `oneOf` for a member that tells their branches apart.
    mutating func findDiscriminators() {
        for position in applicators.indices {
            switch applicators[position] {
            case .anyOf(let start, let count, let own) where own < 0:
                applicators[position] = .anyOf(start: start, count: count, discriminator: discriminator(start, count))
            case .oneOf(let start, let count, let own) where own < 0:
                applicators[position] = .oneOf(start: start, count: count, discriminator: discriminator(start, count))
            default: break
            }
        }
    }

    private mutating func discriminator(_ start: Int32, _ count: Int32) -> Int32 {
        guard count >= SchemaCompiler.smallestCount else { return -1 }
        var texts: [ExactString: [(branch: Int, texts: [String])]] = [:]
        var names: [ExactString] = []
        for branch in 0..<Int(count) {
            let object = nodes[target(of: lists[Int(start) + branch])].object
            guard object >= 0 else { continue }
            for property in objects[Int(object)].properties.properties where property.node >= 0 {
                guard let allowed = allowedTexts(of: property.node) else { continue }
                let name = ExactString(property.name)
                if texts[name] == nil { names.append(name) }
                texts[name, default: []].append((branch, allowed))
            }
        }
        var best: ExactString?
        for name in names where texts[name, default: []].count > best.map({ texts[$0, default: []].count }) ?? 1 {
            best = name
        }
        guard let best, let found = texts[best] else { return -1 }
        // Branches for all texts are listed with each text.
        guard Int(count) - found.count <= SchemaCompiler.largestRest else { return -1 }
        var all = [[String]?](repeating: nil, count: Int(count))
        for entry in found { all[entry.branch] = entry.texts }
        // One text that all allow tells nothing.
        guard Set(found.flatMap(\.texts).map(ExactString.init)).count > 1 else { return -1 }
        discriminators.append(Discriminator(name: best.text, texts: all))
        return Int32(discriminators.count - 1)
    }

    /// Where a node leads that is nothing but a reference, or the node itself.
    private func target(of node: NodeIndex) -> Int {
        nodes[Int(node)].forward >= 0 ? Int(nodes[Int(node)].forward) : Int(node)
    }

    /// The texts that a node allows; nil when it allows anything else.
    private func allowedTexts(of index: NodeIndex) -> [String]? {
        let node = nodes[target(of: index)]
        guard node.valueCount == 1 else { return nil }
        let allowed = values[Int(node.values)].values
        let texts = allowed.compactMap(\.stringValue)
        return texts.count == allowed.count ? texts : nil
    }
}
