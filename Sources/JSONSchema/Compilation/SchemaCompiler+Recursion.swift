import JSON

extension SchemaCompiler {
    /// Refuses schemas that lead back to themselves with the same value, which no evaluation could end.
    mutating func refuseEndlessRecursion() throws(JSONSchemaError) {
        /// Where the search is in one node: the node and its next successor.
        struct Step {
            let node: Int
            var successors: [NodeIndex]
        }
        enum State { case new, open, done }
        var states = [State](repeating: .new, count: nodes.count)
        for start in nodes.indices where states[start] == .new {
            var way = [Step(node: start, successors: inPlaceSuccessors(start))]
            states[start] = .open
            while let last = way.indices.last {
                guard let next = way[last].successors.popLast() else {
                    states[way[last].node] = .done
                    way.removeLast()
                    continue
                }
                switch states[Int(next)] {
                case .done: break
                case .new:
                    states[Int(next)] = .open
                    way.append(Step(node: Int(next), successors: inPlaceSuccessors(Int(next))))
                case .open:
                    let cycle = way.map(\.node).drop { $0 != Int(next) }
                    throw endlessRecursion(Array(cycle))
                }
            }
        }
    }

    private func endlessRecursion(_ cycle: [Int]) -> JSONSchemaError {
        // What closes the circle is the place with the reference, not where it leads to.
        let culprit = cycle.last { nodes[$0].applicatorCount > 0 && hasReference($0) } ?? cycle[0]
        let shown = cycle.prefix(5).map { "#\(registry.pointer(of: places[$0]))" }
        let way = (shown + (cycle.count > 5 ? ["…"] : []) + [shown[0]]).joined(separator: " → ")
        return registry.mistake(
            "endless recursion: the schema refers back to itself for the same value (\(way)); a reference must go "
                + "through a keyword such as \"properties\" or \"items\"",
            at: places[culprit])
    }

    private func hasReference(_ node: Int) -> Bool {
        for applicator in range(of: node) {
            if case .reference = applicator { return true }
        }
        return false
    }

    private func range(of node: Int) -> ArraySlice<Applicator> {
        guard nodes[node].applicatorCount > 0 else { return [] }
        let start = Int(nodes[node].applicators)
        return applicators[start..<(start + Int(nodes[node].applicatorCount))]
    }

    /// The nodes that a node applies to the same value.
    private func inPlaceSuccessors(_ node: Int) -> [NodeIndex] {
        var result: [NodeIndex] = []
        for applicator in range(of: node) {
            switch applicator {
            case .reference(let target, _), .not(let target): result.append(target)
            // Where it leads is known only when it is followed; the bound on depth takes care of it.
            case .dynamicReference: break
            case .allOf(let start, let count), .anyOf(let start, let count, _),
                .oneOf(let start, let count, _):
                result += lists[Int(start)..<Int(start + count)]
            case .conditional(let condition, let then, let otherwise):
                result += [condition, then, otherwise].filter { $0 >= 0 }
            }
        }
        if nodes[node].object >= 0 { result += objects[Int(nodes[node].object)].dependentSchemas.map(\.node) }
        return result
    }
}
