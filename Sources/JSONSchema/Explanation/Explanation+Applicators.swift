import Basics
import JSON

/// Explanations of the keywords that apply schemas to the same value.
extension Explanation {
    mutating func explainApplicators(
        _ index: NodeIndex, _ value: JSONValue, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        let node = program.nodes[Int(index)]
        var holds = true
        for position in Int(node.applicators)..<Int(node.applicators + node.applicatorCount) {
            if list.isFull { break }
            let applies: Bool
            switch program.applicators[position] {
            case .reference(let target, let keyword):
                applies = explain(target, at: keyword.rawValue, value: value, marks, &list)
            case .dynamicReference(let initial, let anchor, let keyword):
                let target = evaluator.state.dynamicTarget(program, anchor, initial: initial)
                applies = explain(target, at: keyword.rawValue, value: value, marks, &list)
            case .allOf(let start, let count):
                applies = explainAll(start, count, value, marks, &list)
            case .anyOf(let start, let count, let discriminator):
                applies = explainBranches(index, "anyOf", start, count, discriminator, value, marks, &list)
            case .oneOf(let start, let count, let discriminator):
                applies = explainBranches(index, "oneOf", start, count, discriminator, value, marks, &list)
            case .not(let target):
                applies = !evaluator.isValid(target, value, -1)
                if !applies { list.append(notViolation(index, target, value)) }
            case .conditional(let condition, let then, let otherwise):
                let isThen = withUnsafePointer(to: value) { evaluator.isValidBranch(condition, $0, marks) }
                let next = isThen ? then : otherwise
                applies = next < 0 || explain(next, at: isThen ? "then" : "else", value: value, marks, &list)
            }
            if !applies { holds = false }
        }
        return holds
    }

    private mutating func explainAll(
        _ start: Int32, _ count: Int32, _ value: JSONValue, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        var holds = true
        for offset in 0..<Int(count) where !list.isFull {
            let node = program.lists[Int(start) + offset]
            if !explain(node, at: "allOf", String(offset), value: value, marks, &list) { holds = false }
        }
        return holds
    }

    @inline(never)
    private func notViolation(_ index: NodeIndex, _ target: NodeIndex, _ value: JSONValue) -> JSONSchemaViolation {
        let node = program.nodes[Int(target)]
        let isTypeOnly = node.checkedTypes.isEmpty && node.types != .all && !node.types.isEmpty
        let isValuesOnly = node.valueCount == 1 && node.types == .all && node.applicatorCount == 0
        var wanted: MessageText = "a value that does not match the schema of \"not\""
        if isTypeOnly {
            wanted = "anything but \(ValueDescription.list(node.types.words))"
        } else if isValuesOnly {
            let values = program.values[Int(node.values)].values
            wanted =
                "anything but \(ValueDescription.list(values.prefix(8).map { ValueDescription.plain($0, limit: 40) }))"
        }
        return violation(index, "not", "expected \(wanted), got \(ValueDescription.typed(value))", actual: value)
    }

    /// Applies each schema of `anyOf` or `oneOf` once.
    private mutating func explainBranches(
        _ index: NodeIndex, _ keyword: String, _ start: Int32, _ count: Int32, _ discriminator: Int32,
        _ value: JSONValue, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        let mark = discriminator < 0 ? nil : program.discriminators[Int(discriminator)]
        let candidates = mark.flatMap { mark in withUnsafePointer(to: value) { mark.candidates($0) } }.map(Set.init)
        var matched: [Int] = []
        var branches: [FailedBranch] = []
        let size = value.memberCount
        for offset in 0..<Int(count) {
            let own = marks < 0 ? -1 : evaluator.state.pushMarks(size)
            defer { if own >= 0 { evaluator.state.popMarks(own) } }
            var found = ViolationList(limit: violationLimit)
            let node = program.lists[Int(start) + offset]
            if let mark, let candidates, !candidates.contains(Int32(offset)) {
                // The member that distinguishes the branches is a sufficient explanation for the other branches.
                explainMark(mark.name, node, [keyword, String(offset)], value, &found)
                branches.append(FailedBranch(index: offset, violations: found.violations, depth: instanceDepth))
            } else if explain(node, at: keyword, String(offset), value: value, own, &found) {
                if own >= 0 { evaluator.state.mergeMarks(from: own, into: marks, size) }
                matched.append(offset)
                if keyword == "anyOf", marks < 0 { return true }
            } else {
                branches.append(FailedBranch(index: offset, violations: found.violations, depth: instanceDepth))
            }
        }
        let isOneSufficient = keyword == "anyOf" || program.isPartial
        if isOneSufficient ? !matched.isEmpty : matched.count == 1 { return true }
        let hint = program.hints[start]
        let named = hint?.branch(for: value)
        // Otherwise, members would be reported as unevaluated only because not exactly one branch matched.
        if marks >= 0 { evaluator.state.markAll(marks, size) }
        let isUnnamed = named == nil && (hint.map { only($0, nil, start, value, &branches) } ?? false)
        if matched.count > 1, !isUnnamed {
            let names = ValueDescription.list(matched.map { describe($0, start) }, "and")
            var message: MessageText =
                "matches \(matched.count) of \(count) branches (\(names)), expected exactly one, got "
                + ValueDescription.typed(value)
            var causes: [JSONSchemaViolation] = []
            if let hint, let named {
                causes = branches.first { $0.index == named }?.violations ?? []
                message += "; " + describe(hint, naming: named, because: causes, matched, value)
            }
            list.append(violation(index, keyword, message, actual: value, causes: causes))
            return false
        }
        if let hint, let named { _ = only(hint, named, start, value, &branches) }
        branches.sort()
        list.append(noBranchViolation(index, keyword, start, branches, value))
        return false
    }

    /// Describes the branch that a discriminator selects, and how to make the other matching branches fail.
    ///
    /// - Parameter violations: The violations of the selected branch, if it does not match.
    @inline(never)
    private func describe(
        _ hint: BranchHint, naming named: Int, because violations: [JSONSchemaViolation], _ matched: [Int],
        _ value: JSONValue
    ) -> MessageText {
        let branch: MessageText = "the discriminator selects branch \(named)"
        if let first = violations.first {
            return "\(branch), which fails: \(relative(first.instancePath))\(first.wording)"
        }
        let others = matched.filter { $0 != named }
        guard let member = value[hint.name] else {
            let locations = ValueDescription.list(others.prefix(3).map(String.init), "and")
            return "\(branch) but does not exclude the others: require \"\(hint.name)\" in branch \(locations)"
        }
        let changes = others.prefix(3).map { offset -> MessageText in
            let texts = (hint.texts[offset] ?? []).filter { .string($0) != member }
            let values: MessageText = texts.isEmpty ? "an enum or const" : "enum: [\(texts.joined(separator: ", "))]"
            return "\(values) in branch \(offset)"
        }
        return
            "\(branch) but does not exclude the others: \"\(hint.name)\" needs \(ValueDescription.list(changes, "and"))"
    }

    /// Keeps the violations of the selected branch and replaces those of the others with a discriminator mismatch.
    ///
    /// - Returns: Whether the discriminator identifies the branches that are not meant.
    @inline(never)
    private mutating func only(
        _ hint: BranchHint, _ named: Int?, _ start: Int32, _ value: JSONValue, _ branches: inout [FailedBranch]
    ) -> Bool {
        let member = value[hint.name]
        // A value that selects no branch is rejected for that reason alone, even if all open branches match.
        guard named != nil || (member != nil && !hint.texts.contains(where: { $0 == nil })) else { return false }
        var kept = branches.filter { $0.index == named }
        if let member {
            for (offset, texts) in hint.texts.enumerated() where offset != named {
                guard let texts else { continue }
                let node = program.lists[Int(start) + offset]
                let reason = otherBranchViolation(hint.name, texts, node, member)
                kept.append(FailedBranch(index: offset, violations: [reason], depth: instanceDepth))
            }
        }
        branches = kept
        return true
    }

    /// Returns the violation of a branch that belongs to a different value of the discriminator's member.
    private mutating func otherBranchViolation(
        _ name: String, _ texts: [String], _ branch: NodeIndex, _ member: JSONValue
    ) -> JSONSchemaViolation {
        atMember(name) { explanation in
            explanation.violation(
                branch, "enum",
                "expected \(ValueDescription.list(texts.map { ValueDescription.quoted($0) })), got "
                    + ValueDescription.typed(member),
                expected: .array(texts.map(JSONValue.string)), actual: member)
        }
    }

    /// Explains why one member does not match a branch and ignores the rest of the branch.
    @inline(never)
    private mutating func explainMark(
        _ name: String, _ branch: NodeIndex, _ tokens: [String], _ value: JSONValue, _ list: inout ViolationList
    ) {
        var tokens = tokens
        var node = program.nodes[Int(branch)]
        while node.isReferenceOnly, node.object < 0,
            case .reference(let target, let keyword) = program.applicators[Int(node.applicators)]
        {
            tokens.append(keyword.rawValue)
            node = program.nodes[Int(target)]
        }
        var expected = 0
        guard node.object >= 0, let member = value[name] else { return }
        let properties = program.objects[Int(node.object)].properties
        let property = properties.index(of: name, expected: &expected)
        guard property >= 0, properties.targets[property].node >= 0 else { return }
        _ = explain(
            properties.targets[property].node, way: tokens + ["properties", name], step: .name(name), value: member,
            &list)
    }

    @inline(never)
    private func noBranchViolation(
        _ index: NodeIndex, _ keyword: String, _ start: Int32, _ branches: [FailedBranch], _ value: JSONValue
    ) -> JSONSchemaViolation {
        var causes: [JSONSchemaViolation] = []
        for branch in branches where causes.count < violationLimit {
            causes += branch.violations.prefix(violationLimit - causes.count)
        }
        let message: MessageText
        var expected: JSONValue?
        if let types = FailedBranch.commonTypes(branches) {
            message =
                "expected \(ValueDescription.list(types.map(MessageText.init(words:)))), got \(ValueDescription.typed(value))"
            expected = .array(types.map(JSONValue.string))
        } else if let values = FailedBranch.commonValues(branches) {
            let shown =
                values.prefix(12).map { ValueDescription.plain($0, limit: 40) } + (values.count > 12 ? ["…"] : [])
            let path = branches.first?.violations.first?.instancePath ?? NormalizedPath()
            let location = relative(path)
            let got = path.steps.dropFirst(instanceDepth).reduce(value) { $0[$1] ?? $0 }
            message = "\(location)expected one of \(shown.joined(separator: ", ")), got \(ValueDescription.typed(got))"
            expected = .array(values)
        } else if let best = branches.first, var first = best.violations.first {
            let more = best.violations.count - 1
            // For nested branches, only the innermost cause is reported to keep messages short.
            while let inner = first.causes.first { first = inner }
            let path = relative(first.instancePath)
            let start: MessageText =
                branches.count == 1
                ? "does not match the only branch of \(keyword)"
                : "matches none of the \(branches.count) branches of \(keyword); closest is branch "
                    + describe(best.index, start)
            let others: MessageText = more > 0 ? " (and \(more) more)" : ""
            message = "\(start): \(path)\(first.wording)\(others)"
        } else {
            message = "matches no branch of \(keyword), got \(ValueDescription.typed(value))"
        }
        return violation(index, keyword, message, expected: expected, actual: value, causes: causes)
    }

    /// Returns the path from the current value to a nested one as a message prefix, or an empty string for the value
    /// itself.
    private func relative(_ path: NormalizedPath) -> MessageText {
        guard path.steps.count > instanceDepth else { return "" }
        let way = NormalizedPath(Array(path.steps[instanceDepth...])).shorthand.dropFirst()
        return "\(way.hasPrefix(".") ? way.dropFirst() : way): "
    }

    /// Returns the index of a branch, with the name of the schema that it refers to.
    @inline(never)
    private func describe(_ offset: Int, _ start: Int32) -> MessageText {
        let node = program.nodes[Int(program.lists[Int(start) + offset])]
        guard node.isReferenceOnly, case .reference(let target, _) = program.applicators[Int(node.applicators)] else {
            return "\(offset)"
        }
        return "\(offset) (\(program.locations.shortLocation(of: target, from: node.resource, in: program)))"
    }
}
