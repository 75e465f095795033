import Basics
import Diagnostics
import FileSystem
import SuiteLoader
import SuiteModel
import YAML

/// Reports captures that no expression reads.
enum UnusedCapture: LintCheck {
    static let rule = LintRule("unused-capture", "A capture that no expression uses")

    /// The units whose capture of a name is read by other units.
    private struct Readers {
        /// The units whose capture directly precedes a reader of the name.
        var nearest: Set<Int> = []
        /// The first unit that reads the name before any unit captures it, and thus reads a later capture.
        var first = Int.max
        /// Whether the suite itself, or its teardown, reads the name.
        var isReadByAll = false
    }

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let names = subject.names
        var sites: [String: [Int]] = [:]
        var captures: [String: [NameTable.Definition]] = [:]
        for capture in names.definitions where capture.kind == .capture {
            guard let unit = capture.unit, names.units[unit].kind != .fragment else { continue }
            captures[capture.name, default: []].append(capture)
            if sites[capture.name]?.last != unit { sites[capture.name, default: []].append(unit) }
        }
        let readers = Dictionary(
            uniqueKeysWithValues: sites.map { name, units in
                (name, Self.readers(of: name, units, captures[name] ?? [], in: names))
            })
        // A capture that aliases repeat is unused only if all of its copies are.
        var used: Set<SourcePosition> = []
        var unused: [NameTable.Definition] = []
        for capture in names.definitions where capture.kind == .capture {
            let isSecret = capture.value["secret"]?.isTrue == true || subject.suite.secrets.lists(capture.name)
            if isSecret || isUsed(capture, readers[capture.name], in: names) {
                used.insert(capture.range.start)
            } else {
                unused.append(capture)
            }
        }
        for capture in unused where used.insert(capture.range.start).inserted {
            report(
                LintFinding(
                    message: "the capture \"\(capture.name)\" is not used", range: capture.range,
                    suggestion: "remove it; to check that a value exists, expect { exists: true }"))
        }
    }

    /// Returns the readers of a name that the given units capture, in order.
    private static func readers(
        of name: String, _ sites: [Int], _ captures: [NameTable.Definition], in names: NameTable
    ) -> Readers {
        var readers = Readers()
        guard let uses = names.uses[name] else { return readers }
        readers.isReadByAll = !uses.inSuite.isEmpty
        var own: [Int: [NameTable.Definition]] = [:]
        for capture in captures { if let unit = capture.unit { own[unit, default: []].append(capture) } }
        for (unit, uses) in uses.inUnit {
            // A use that sees a capture of its own step reads no other.
            if let own = own[unit],
                uses.allSatisfy({ use in own.contains { $0.step == use.step && isAfter($0, use) } })
            {
                continue
            }
            switch names.units[unit].kind {
            // A fragment does not see the names of its caller.
            case .fragment: continue
            case .teardown: readers.isReadByAll = true
            case .setup, .test:
                var low = 0
                var high = sites.count
                while low < high {
                    let middle = (low + high) / 2
                    if sites[middle] < unit { low = middle + 1 } else { high = middle }
                }
                if low > 0 { readers.nearest.insert(sites[low - 1]) } else { readers.first = min(readers.first, unit) }
            }
        }
        return readers
    }

    private static func isUsed(_ capture: NameTable.Definition, _ readers: Readers?, in names: NameTable) -> Bool {
        guard let unit = capture.unit, let step = capture.step else { return true }
        if names.units[unit].kind != .fragment, let readers,
            readers.isReadByAll || readers.nearest.contains(unit) || readers.first < unit
        {
            return true
        }
        for use in names.uses[capture.name]?.inUnit[unit] ?? [] {
            guard let location = use.step, location <= step else { return true }
            // The next iteration of a loop reads the captures of the one before.
            if let start = names.units[unit].tree.repeats[step], location >= start { return true }
            guard location == step else { continue }
            // The other parts of a step can read its captures only in a loop.
            if names.units[unit].steps[step]["forEach"] != nil { return true }
            if isAfter(capture, use) { return true }
            if use.element == nil, let definition = use.definition, definition != capture.range.start { return true }
        }
        return false
    }
}

extension UnusedCapture {
    /// Returns whether a use in the step of a capture is evaluated after the capture.
    ///
    /// Elements of a WebSocket exchange can read their own captures and earlier ones of the same exchange.
    private static func isAfter(_ capture: NameTable.Definition, _ use: NameTable.Use) -> Bool {
        if let element = use.element { return (capture.element ?? -1) <= element }
        return use.isAfterCaptures
    }
}

/// Reports variables that no expression reads.
enum UnusedVariable: LintCheck {
    static let rule = LintRule("unused-variable", "A variable that no expression uses")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        var used: Set<SourcePosition> = []
        var unused: [NameTable.Definition] = []
        for variable in subject.names.definitions {
            switch variable.kind {
            case .capture, .column, .loop: continue
            case .suite, .environment, .test, .step: break
            }
            if subject.suite.secrets.lists(variable.name) || isUsed(variable, in: subject.names) {
                used.insert(variable.range.start)
            } else {
                unused.append(variable)
            }
        }
        for variable in unused where used.insert(variable.range.start).inserted {
            report(
                LintFinding(
                    message: "the variable \"\(variable.name)\" is not used", range: variable.range,
                    suggestion: suggestion(for: variable, in: subject.names)))
        }
    }

    private static func isUsed(_ variable: NameTable.Definition, in names: NameTable) -> Bool {
        guard let uses = names.uses[variable.name] else { return false }
        func isOther(_ use: NameTable.Use) -> Bool { use.definition != variable.range.start }
        if uses.inSuite.contains(where: isOther) { return true }
        guard let unit = variable.unit else { return uses.inUnit.values.contains { $0.contains(where: isOther) } }
        return uses.inUnit[unit, default: []].contains { use in
            guard isOther(use) else { return false }
            guard let step = variable.step, let location = use.step else { return true }
            return (step...names.units[unit].tree.ends[step]).contains(location)
        }
    }

    private static func suggestion(for variable: NameTable.Definition, in names: NameTable) -> MessageText {
        let known = names.uses.keys.sorted()
        let isOtherwise = names.uses[variable.name] != nil
        if isOtherwise { return "other tests use the name, but cannot see this variable" }
        guard let nearest = Spelling.nearest(to: variable.name, among: known),
            !names.definitions.contains(where: { $0.name == nearest }), !NameRules.responseNames.contains(nearest)
        else { return "remove it, or write ${\(variable.name)} where it is meant" }
        return "did you mean \"\(nearest)\"?"
    }
}

/// Reports fragments that nothing calls, and fragment files without any called fragment.
enum UnusedFragment: LintCheck {
    static let rule = LintRule(
        "unused-fragment", "A fragment that is never called, or an included file whose fragments are never called")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let root = subject.root
        let files = root["use"].map(Self.files) ?? []
        let fragments = root["fragments"]?.members ?? []
        // A document without tests exists for others to use.
        guard root["tests"] != nil, !files.isEmpty || !fragments.isEmpty else { return }
        var called: Set<String> = []
        for unit in subject.names.units {
            for step in unit.steps { note(step["call"], in: &called) }
        }
        for (key, _) in fragments {
            guard let name = key.scalar?.text, !called.contains(name) else { continue }
            report(
                LintFinding(
                    message: "the fragment \"\(name)\" is never called", range: key.range, suggestion: "remove it"))
        }
        for (prefix, file) in files {
            guard let path = file.scalar?.text else { continue }
            let absolute = Path.absolute(path, in: subject.suite.directory)
            guard let bytes = try? File.bytes(at: absolute) else { continue }
            let documents = YAMLStream.parse(SourceFile(name: path, text: bytes)).documents
            let names = documents.flatMap { $0["fragments"]?.members ?? [] }.compactMap { $0.key.scalar?.text }
            if names.isEmpty || names.contains(where: { called.contains(prefix + $0) }) { continue }
            report(
                LintFinding(
                    message: "the fragments of \"\(path)\" are never called", range: file.range,
                    suggestion: "remove it; it has \(names.prefix(5).map { prefix + $0 }.joined(separator: ", "))"))
        }
    }

    /// Returns the files under `use`, each with the prefix of its fragment names.
    private static func files(_ node: YAMLNode) -> [(prefix: String, file: YAMLNode)] {
        if let sequence = node.sequence { return sequence.flatMap(files) }
        guard let mapping = node.mapping else { return [("", node)] }
        return mapping.map { key, value in ("\(key.scalar?.text ?? "").", value) }
    }

    private static func note(_ call: YAMLNode?, in called: inout Set<String>) {
        if let text = call?.scalar?.text { called.insert(text) }
    }
}

/// Reports prefixes of XML namespaces that no XPath uses.
enum UnusedNamespace: LintCheck {
    static let rule = LintRule("unused-namespace", "A prefix under `namespaces` that no XPath uses")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        guard let namespaces = subject.root["namespaces"]?.members, !namespaces.isEmpty else { return }
        var unused = namespaces.compactMap { $0.key.scalar?.text }
        for (key, value) in subject.root.members where key.scalar?.text != "namespaces" { remove(&unused, in: value) }
        for (key, _) in namespaces {
            guard let prefix = key.scalar?.text, unused.contains(prefix) else { continue }
            report(
                LintFinding(
                    message: "no XPath uses the prefix \"\(prefix)\"", range: key.range, suggestion: "remove it"))
        }
    }

    /// Removes the prefixes that a string of a node may use. Parsing limits the depth, so this recursion is bounded.
    private static func remove(_ prefixes: inout [String], in node: YAMLNode) {
        if prefixes.isEmpty { return }
        if let text = node.scalar?.text { remove(&prefixes, in: text) }
        for element in node.elements { remove(&prefixes, in: element) }
        for (key, value) in node.members {
            if let text = key.scalar?.text { remove(&prefixes, in: text) }
            remove(&prefixes, in: value)
        }
    }

    private static func remove(_ prefixes: inout [String], in text: String) {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return }
        // A prefix directly precedes a colon.
        for part in text.split(separator: ":", omittingEmptySubsequences: false).dropLast() {
            prefixes.removeAll { prefix in
                part.hasSuffix(prefix)
                    && (part.utf8.dropLast(prefix.utf8.count).last.map { !isNamePart($0) } ?? true)
            }
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        ExpressionScan.isNamePart(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte >= 0x80
    }
}
