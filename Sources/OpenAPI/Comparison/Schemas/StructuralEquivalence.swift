import JSON

/// A test for schemas that are equivalent apart from the names of the components that they refer to.
struct StructuralEquivalence {
    /// The schema keywords that do not affect the validity of values.
    static let annotations: Set<String> = [
        "title", "description", "summary", "example", "examples", "externalDocs", "xml", "$comment", "deprecated",
        "readOnly", "writeOnly", "default", "$id", "$anchor", "$schema",
    ]

    /// The maximum number of pairs to compare. Beyond it, schemas count as different.
    private static let maximumWork = 5_000

    private let old: OpenAPIDescription
    private let new: OpenAPIDescription

    /// Creates a test for the schemas of two descriptions.
    init(old: OpenAPIDescription, new: OpenAPIDescription) {
        self.old = old
        self.new = new
    }

    private struct Pair: Hashable {
        var old: DescriptionNode
        var new: DescriptionNode
    }

    /// Returns whether a schema of the old description is equivalent to one of the new description.
    func areEquivalent(_ oldSchema: DescriptionNode, _ newSchema: DescriptionNode) -> Bool {
        var pending = [Pair(old: oldSchema, new: newSchema)]
        var seen: Set<Pair> = []
        var work = 0
        while let pair = pending.popLast() {
            guard let left = old.resolved(pair.old), let right = new.resolved(pair.new) else { return false }
            guard seen.insert(Pair(old: left, new: right)).inserted else { continue }
            work += 1
            guard work < Self.maximumWork else { return false }
            switch (left.value, right.value) {
            case (.object, .object):
                guard let names = Self.names(left), names == Self.names(right) else { return false }
                for name in names {
                    guard let leftMember = left[name], let rightMember = right[name] else { return false }
                    if name == "required" || name == "enum" || name == "type" {
                        let leftValues = Set(leftMember.value.arrayValue ?? [leftMember.value])
                        guard leftValues == Set(rightMember.value.arrayValue ?? [rightMember.value]) else {
                            return false
                        }
                    } else if Self.named.contains(name) {
                        // The members are schemas by name, so their names are never annotations.
                        guard leftMember.value.objectValue?.count == rightMember.value.objectValue?.count else {
                            return false
                        }
                        for member in leftMember.members {
                            guard let other = rightMember[member.name] else { return false }
                            pending.append(Pair(old: member, new: other))
                        }
                    } else if name == "discriminator" {
                        guard leftMember["propertyName"]?.value == rightMember["propertyName"]?.value else {
                            return false
                        }
                    } else {
                        pending.append(Pair(old: leftMember, new: rightMember))
                    }
                }
            case (.array, .array):
                let leftElements = left.elements
                let rightElements = right.elements
                guard leftElements.count == rightElements.count else { return false }
                for (leftElement, rightElement) in zip(leftElements, rightElements) {
                    pending.append(Pair(old: leftElement, new: rightElement))
                }
            default: guard left.value == right.value else { return false }
            }
        }
        return true
    }

    /// The keywords whose members are schemas by name.
    private static let named: Set<String> = ["properties", "patternProperties", "dependentSchemas"]

    private static func names(_ node: DescriptionNode) -> Set<String>? {
        node.value.objectValue.map { object in
            Set(object.keys.filter { !annotations.contains($0) && !$0.hasPrefix("x-") })
        }
    }
}
