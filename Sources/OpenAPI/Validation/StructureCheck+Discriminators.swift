import Basics
import Diagnostics
import JSON

extension StructureCheck {
    /// The maximum number of schemas to inspect for the values of one member.
    private static let maximumSearch = 64

    /// Checks the targets in the mapping of a discriminator.
    mutating func checkDiscriminator(_ node: DescriptionNode) {
        var targets = node["mapping"]?.members ?? []
        if version >= .openAPI32, let standard = node["defaultMapping"] { targets.append(standard) }
        for target in targets {
            guard let text = target.value.stringValue else { continue }
            // The string is a component name unless it can only be a reference.
            if let component = root["components"]?["schemas"]?[text] {
                noteUse(of: component)
                continue
            }
            do {
                noteUse(of: try files.target(of: text, from: node))
            } catch {
                let names = root["components"]?["schemas"]?.value.objectValue?.keys.map { $0 } ?? []
                let isName = !text.contains("/") && !text.contains("#")
                report(
                    "unresolved-reference",
                    isName ? "unknown schema \"\(text)\"" : error.message, at: target,
                    suggestion: isName
                        ? Spelling.nearest(to: text, among: names.prefix(1_000)).map { "did you mean \"\($0)\"?" }
                        : error.suggestion)
            }
        }
    }

    /// Reports discriminator values of a schema's branches that the branches themselves exclude.
    mutating func checkNames(ofBranches schema: DescriptionNode) {
        guard let discriminator = schema["discriminator"],
            let property = discriminator["propertyName"]?.value.stringValue
        else { return }
        var mapped: [DescriptionNode: [DescriptionNode]] = [:]
        for entry in discriminator["mapping"]?.members ?? [] {
            guard let text = entry.value.stringValue else { continue }
            let component = root["components"]?["schemas"]?[text]
            guard let target = component ?? (try? files.target(of: text, from: entry)) else { continue }
            mapped[target, default: []].append(entry)
        }
        var unnamed: [(name: String, values: [String])] = []
        for branch in (schema["oneOf"]?.elements ?? []) + (schema["anyOf"]?.elements ?? []) {
            guard let reference = branch.reference, let target = try? files.target(of: reference, from: branch),
                let values = texts(of: property, in: target)
            else { continue }
            for entry in mapped[target] ?? [] where !values.contains(entry.name) {
                report(
                    "unknown-discriminator-value",
                    "\"\(property)\" of \"\(target.name)\" can never be \"\(entry.name)\"",
                    at: entry, atKey: true, suggestion: "its schema allows \(Self.list(values))", severity: .warning)
            }
            if mapped[target] == nil, !values.contains(target.name) { unnamed.append((target.name, values)) }
        }
        guard let first = unnamed.first else { return }
        let others = unnamed.count > 1 ? " (and \(unnamed.count - 1) more)" : ""
        report(
            "unknown-discriminator-value",
            "without a mapping, the discriminator value of \"\(first.name)\" is its name, but its schema allows only "
                + "\(Self.list(first.values)) for \"\(property)\"\(others)",
            at: discriminator, atKey: true,
            suggestion: "add mapping: { \(first.values.first ?? ""): \(first.name) }", severity: .warning)
    }

    private static func list(_ values: [String]) -> String {
        values.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ") + (values.count > 5 ? ", …" : "")
    }

    /// Returns the strings that a schema allows for a member with `enum` or `const`, or `nil` if it allows any.
    private func texts(of property: String, in schema: DescriptionNode) -> [String]? {
        var pending = [schema]
        var left = Self.maximumSearch
        while let next = pending.popLast(), left > 0 {
            left -= 1
            guard let target = try? files.resolve(next) else { continue }
            if let member = target["properties"]?[property], let own = try? files.resolve(member) {
                let constant = version >= .openAPI31 ? own.value["const"].map { [$0] } : nil
                let texts = (constant ?? own.value["enum"]?.arrayValue)?.compactMap(\.stringValue)
                if let texts, !texts.isEmpty { return texts }
            }
            pending += (target["allOf"]?.elements ?? []).reversed()
        }
        return nil
    }
}
