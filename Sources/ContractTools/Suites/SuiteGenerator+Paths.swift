import Basics
import JSON
import OpenAPI

/// The paths of requests, with their servers and variables.
extension SuiteGenerator {
    // MARK: Servers

    /// The server of the whole description.
    var usualServer: ServerAddress { ServerAddress(ServerAddress.usable(description.servers).first, base: nil) }

    /// Defines a variable for each server that only some operations use.
    mutating func nameServers(_ drafts: [Draft]) {
        let usual = usualServer
        for draft in drafts {
            let operation = operations[draft.operation]
            let servers = ServerAddress.usable(operation.servers)
            if servers.isEmpty, let server = operation.servers.first {
                tell(operation, "the server \"\(server.url)\" has no host")
            }
            guard let first = servers.first, !servers.contains(where: { ServerAddress($0, base: usual) == usual })
            else {
                continue
            }
            let address = ServerAddress(first, base: usual)
            guard serverNames[address.text] == nil else { continue }
            let name = unusedVariable(address.variableName(besides: usual))
            serverNames[address.text] = name
            let whole = SuiteNode.text(address.expression(Naming.environment(name)))
            variables.append((name, options.servesMock ? .text(SuiteNode.escaped(address.path)) : whole))
            serverVariables.append((name, whole))
        }
    }

    /// Returns the variable with the URL of an operation's server, or `nil` for the suite's `baseURL`.
    func serverVariable(_ operation: Operation) -> String? {
        let servers = ServerAddress.usable(operation.servers)
        guard !serverNames.isEmpty, let first = servers.first else { return nil }
        let usual = usualServer
        if servers.contains(where: { ServerAddress($0, base: usual) == usual }) { return nil }
        return serverNames[ServerAddress(first, base: usual).text]
    }

    // MARK: Variables

    /// Names each captured value.
    mutating func nameSources(_ chains: ChainPlan, _ paths: PathValues) {
        for slot in chains.slots {
            guard let source = chains.sources[slot], sourceNames[source] == nil, paths.used.contains(source),
                let name = variableName(of: slot, chains)
            else { continue }
            sourceNames[source] = unusedVariable(name)
        }
    }

    private func unusedVariable(_ name: String) -> String {
        var result = name
        var number = 2
        while variables.contains(where: { $0.0 == result }) || sourceNames.values.contains(result)
            || isOutput(result)
        {
            result = "\(name)\(number)"
            number += 1
        }
        return result
    }

    /// Returns whether a name is that of a value of the login.
    private func isOutput(_ name: String) -> Bool { options.login?.outputs.contains(name) ?? false }

    private func variableName(of slot: PathSlot, _ chains: ChainPlan) -> String? {
        guard let first = chains.uses[slot]?.first else { return nil }
        let template = operations[first].template
        return template.slots.first { $0.slot == slot }.map { variableName($0.name, in: template) }
    }

    private func variableName(_ name: String, in template: PathTemplate) -> String {
        let plain = name.lowercased()
        guard ["id", "uuid", "guid", "sid", "identifier", "key", "name", "slug", "code", "number"].contains(plain),
            let position = template.segments.firstIndex(where: { $0 == [.parameter(name)] }), position > 0,
            case .literal(let text)? = template.segments[position - 1].first
        else { return Naming.variable(name) }
        var noun = text
        // In `/pets/by-name/{name}`, the name is that of a pet.
        if noun.lowercased().hasPrefix("by"), position > 1,
            case .literal(let outer)? = template.segments[position - 2].first
        {
            noun = outer
        }
        return Naming.variable(Naming.singular(noun) + "_" + name)
    }

    /// Returns the variable for a path parameter whose value no response provides.
    private mutating func variable(_ base: String, _ value: JSONValue) -> String {
        var name = base
        let node = SuiteNode(value)
        while true {
            if sourceNames.values.contains(name) || isOutput(name) {
                name += "Given"
                continue
            }
            guard let known = variables.first(where: { $0.0 == name }) else { break }
            if "\(known.1)" == "\(node)" { return name }
            name += "2"
        }
        variables.append((name, node))
        return name
    }

    /// Defines a variable for each resource whose name a client chooses.
    mutating func nameResources(_ drafts: [Draft], _ paths: PathValues) {
        let chains = paths.chains
        for slot in chains.slots {
            guard let creator = chains.creators[slot], chosenNames[creator] == nil, let value = paths.shared(slot),
                let base = variableName(of: slot, chains)
            else { continue }
            let member = chains.chosen[slot]
            if member != nil, paths.chosenName(slot) == nil { continue }
            let variable = variable(base, value)
            let body = drafts.first { $0.operation == creator }?.body
            let sampler = builder.sampler
            chosenNames[creator] = ChosenName(variable: variable, value: value, member: member) { other in
                guard paths.isAccepted(other, in: slot) else { return false }
                guard let member, let schema = body?.schema, var object = body?.value?.objectValue else { return true }
                object[member] = other
                return sampler.accepts(.object(object), schema)
            }
            for draft in drafts where operations[draft.operation].template.lastSlot == slot {
                guard draft.body?.key == "json", let value = draft.body?.value,
                    let name = member.flatMap({ value[$0] == nil ? nil : $0 }) ?? chains.member(naming: slot, in: value)
                else { continue }
                repeatedNames[draft.operation] = (name, variable)
            }
        }
    }

    // MARK: Paths

    /// Returns the path with variables and literal values for its parameters.
    mutating func path(of operation: Operation, _ paths: PathValues) -> String? {
        var path = serverVariable(operation).map { "${\($0)}" } ?? ""
        var slots = operation.template.slots[...]
        for segment in operation.template.segments {
            path += "/"
            for piece in segment {
                switch piece {
                case .literal(let text): path += SuiteNode.escaped(text)
                case .parameter(let name):
                    guard let slot = slots.popFirst()?.slot, let text = text(of: name, in: slot, operation, paths)
                    else { return nil }
                    path += text
                }
            }
        }
        return path
    }

    private mutating func text(
        of name: String, in slot: PathSlot, _ operation: Operation, _ paths: PathValues
    ) -> String? {
        guard let parameter = operation.parameters.first(where: { $0.location == .path && $0.name == name }) else {
            tell(operation, "the path parameter \(name) is not declared")
            return nil
        }
        let prefix =
            parameter.style == .label ? "." : parameter.style == .matrix ? ";\(PercentEncoding.encode(name))=" : ""
        do throws(SampleFailure) {
            switch try paths.value(of: parameter, in: slot) {
            case .captured(let source):
                guard let variable = sourceNames[source] else { return nil }
                return "\(prefix)\(reference(variable, paths.shared(slot)))"
            case .made(let value, let isGiven, let isShared):
                if value.arrayValue != nil || value.objectValue != nil {
                    return SuiteNode.escaped(ParameterText.path(parameter, value))
                }
                let own = variableName(name, in: operation.template)
                let base = isShared ? variableName(of: slot, paths.chains) ?? own : own
                let variable = variable(base, value)
                if !isGiven, !(isShared && paths.chains.creators[slot] != nil) { note(variable, operation) }
                return "\(prefix)\(reference(variable, value))"
            }
        } catch {
            tell(operation, "path parameter \(name): \(error.message)")
            return nil
        }
    }

    /// Returns a reference to a variable in a path, with percent-encoding if its value requires it.
    private func reference(_ variable: String, _ value: JSONValue?) -> String {
        let text = value.map { ParameterText.scalar($0) } ?? ""
        return PercentEncoding.encode(text) == text ? "${\(variable)}" : "${url.encode(string(\(variable)))}"
    }

    /// Records that an operation uses a variable with a generated value.
    private mutating func note(_ variable: String, _ operation: Operation) {
        let position = madeUp.firstIndex { $0.variable == variable } ?? madeUp.count
        if position == madeUp.count { madeUp.append((variable, [])) }
        if madeUp[position].operations.last != operation.title { madeUp[position].operations.append(operation.title) }
    }

    /// Returns the values that the test of an operation captures.
    func captures(
        of operation: Int, _ chains: ChainPlan, _ paths: PathValues, _ isCertain: Bool
    ) -> [(String, SuiteNode)] {
        let own = sourceNames.filter { $0.key.operation == operation }.sorted { $0.value < $1.value }
        return own.map { source, name in
            var entries: [(String, SuiteNode)]
            let isCertain = isCertain && !options.needsCaptureDefaults
            switch source.part {
            case .body(let tokens):
                let location = SuiteNode.text(Naming.path(tokens))
                if isCertain, !source.isElement { return (name, location) }
                entries = [("json", location)]
            case .header(let field): entries = [("header", .text(SuiteNode.escaped(field)))]
            }
            if !isCertain {
                // The resource may not exist, so the generated value serves as the default.
                let slot = chains.slots.first { chains.sources[$0] == source }
                if let value = slot.flatMap({ paths.shared($0) }) { entries.append(("default", SuiteNode(value))) }
            } else if source.isElement {
                entries.append(("default", .plain("null")))
            }
            return (name, entries.count == 1 && isBody(source) ? entries[0].1 : .map(entries))
        }
    }

    /// Returns the captured variables with the identifier of the resource that an operation creates.
    func identifiers(of operation: Int, _ chains: ChainPlan) -> Set<String> {
        let own = chains.slots.compactMap { slot -> String? in
            guard let source = chains.sources[slot], source.operation == operation,
                chains.isIdentifier(source, of: slot)
            else { return nil }
            return sourceNames[source]
        }
        return Set(own + (chosenNames[operation].map { [$0.variable] } ?? []))
    }

    /// Returns the condition of an operation's tests: the arrays contained the elements that its path refers to.
    mutating func condition(of operation: Int, _ paths: inout PathValues) -> SuiteNode? {
        var names: [String] = []
        for source in paths.elements(of: operation) where paths.isCertain(source.operation) {
            if let name = sourceNames[source], !names.contains(name) { names.append(name) }
        }
        return names.isEmpty ? nil : .text("${\(names.map { "\($0) != null" }.joined(separator: " && "))}")
    }

    private func isBody(_ source: ChainPlan.Source) -> Bool {
        if case .body = source.part { true } else { false }
    }
}
