import Basics
import JSON

extension DescriptionComparer {
    // MARK: Paths

    /// Compares the paths: first those with equal templates, then those that differ only in parameter names.
    mutating func comparePaths() {
        let newByPath = Dictionary(new.paths.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let oldPaths = Set(old.paths.map(\.path))
        let newByShape = Dictionary(
            new.paths.filter { !oldPaths.contains($0.path) }.map { ($0.template.shape, $0) },
            uniquingKeysWith: { first, _ in first })
        var taken: Set<String> = []
        for oldItem in old.paths {
            var other = newByPath[oldItem.path]
            if other == nil, let item = newByShape[oldItem.template.shape], !taken.contains(item.path) { other = item }
            guard let other else {
                for operation in oldItem.operations { reportRemoved(operation, pathOf: oldItem, withPath: true) }
                continue
            }
            taken.insert(other.path)
            compare(oldItem, other)
        }
        for item in new.paths where !taken.contains(item.path) {
            for operation in item.operations { reportAdded(operation) }
        }
    }

    private mutating func compare(_ oldItem: PathItem, _ newItem: PathItem) {
        let renamed = Self.renamedParameters(oldItem.template, newItem.template)
        let shared = reportSharedParameters(oldItem, newItem, renamed)
        for before in oldItem.operations {
            guard let after = newItem.operations.first(where: { $0.method == before.method }) else {
                reportRemoved(before, pathOf: newItem, withPath: false)
                continue
            }
            compare(before, after, renamed, shared)
        }
        for after in newItem.operations where !oldItem.operations.contains(where: { $0.method == after.method }) {
            reportAdded(after)
        }
    }

    /// Returns the parameter names of the new template by those of the old one.
    private static func renamedParameters(_ old: PathTemplate, _ new: PathTemplate) -> [String: String] {
        Dictionary(zip(old.parameterNames, new.parameterNames), uniquingKeysWith: { first, _ in first })
    }

    // MARK: Operations

    private mutating func reportAdded(_ operation: Operation) {
        add("endpoint-added", in: operation.title, .paths, nil, operation.node)
    }

    private mutating func reportRemoved(_ operation: Operation, pathOf item: PathItem, withPath: Bool) {
        if isVolatile(Stability.level(operation.node["x-stability-level"])) { makeVolatile(operation.title) }
        let prefix = withPath ? "api-path" : "api"
        let location = withPath ? nil : item.node
        guard operation.isDeprecated else {
            add("\(prefix)-removed-without-deprecation", in: operation.title, .paths, operation.node, location)
            return
        }
        switch Sunset(operation.node["x-sunset"]) {
        case .invalid(let text):
            add(
                "api-path-sunset-parse", detail: "\"\(text)\"", in: operation.title, .paths,
                operation.node["x-sunset"], location)
        case .day(let day) where day > options.today:
            add(
                "\(prefix)-removed-before-sunset", detail: "date \(day)", in: operation.title, .paths,
                operation.node, location)
        case .absent, .day:
            add("\(prefix)-removed-with-deprecation", in: operation.title, .paths, operation.node, location)
        }
    }

    private mutating func compare(
        _ before: Operation, _ after: Operation, _ renamed: [String: String], _ shared: Set<String>
    ) {
        let title = after.title
        compareStability(before, after)
        compareDeprecation(before, after)
        if before.id != after.id {
            if let id = before.id {
                let detail = after.id.map { " \"\(id)\" (now \"\($0)\")" } ?? " \"\(id)\""
                add(
                    "api-operation-id-removed", detail: detail, in: title, .paths, before.node["operationId"],
                    after.node["operationId"] ?? after.node)
            } else if let id = after.id {
                add(
                    "api-operation-id-added", detail: " \"\(id)\"", in: title, .paths, before.node,
                    after.node["operationId"])
            }
        }
        for tag in before.tags where !after.tags.contains(tag) {
            add(
                "api-tag-removed", detail: "the tag \"\(tag)\"", in: title, .tags, before.node["tags"],
                after.node["tags"] ?? after.node)
        }
        for tag in after.tags where !before.tags.contains(tag) {
            add(
                "api-tag-added", detail: "the tag \"\(tag)\"", in: title, .tags, before.node["tags"] ?? before.node,
                after.node["tags"])
        }
        compareSecurity(before, after)
        compareParameters(before, after, renamed, shared)
        compareRequestBodies(before, after)
        compareResponses(before, after)
        compareCallbacks(before, after)
    }

    /// Returns whether a stability level permits changes at any time.
    private func isVolatile(_ level: Stability?) -> Bool { level.map { $0 < options.minimumStability } ?? false }

    private mutating func compareStability(_ before: Operation, _ after: Operation) {
        let oldNode = before.node["x-stability-level"]
        let newNode = after.node["x-stability-level"]
        let oldLevel = Stability.level(oldNode)
        if isVolatile(oldLevel) { makeVolatile(after.title) }
        guard oldNode?.value != newNode?.value else { return }
        guard let newLevel = Stability.level(newNode) else {
            add(
                "api-invalid-stability-level", detail: newNode.map { SchemaComparer.text($0.value) }, in: after.title,
                .paths, oldNode ?? before.node, newNode)
            return
        }
        guard let oldLevel else {
            let text = oldNode.map { $0.value.stringValue ?? $0.value.serialized() } ?? ""
            add(
                "api-invalid-stability-level", detail: Stability.inOldDescription(text), level: .info, in: after.title,
                .paths, oldNode, newNode ?? after.node)
            return
        }
        guard oldLevel != newLevel else { return }
        add(
            newLevel < oldLevel ? "api-stability-decreased" : "api-stability-increased",
            detail: "from \(oldLevel.rawValue) to \(newLevel.rawValue)", in: after.title, .paths,
            oldNode ?? before.node, newNode ?? after.node)
    }

    private mutating func compareDeprecation(_ before: Operation, _ after: Operation) {
        let title = after.title
        let oldLocation = before.node["deprecated"] ?? before.node
        let newLocation = after.node["x-sunset"] ?? after.node["deprecated"] ?? after.node
        if let text = invalidSunset(before.node["x-sunset"], changedTo: after.node["x-sunset"]) {
            add(
                "api-deprecated-sunset-parse", detail: text, level: .info, in: title, .paths,
                before.node["x-sunset"], newLocation)
        }
        switch (before.isDeprecated, after.isDeprecated) {
        case (false, false):
            if case .invalid(let text) = sunsetChange(before.node["x-sunset"], after.node["x-sunset"]) {
                add("api-deprecated-sunset-parse", detail: "\"\(text)\"", in: title, .paths, oldLocation, newLocation)
            }
        case (true, false): add("endpoint-reactivated", in: title, .paths, oldLocation, newLocation)
        case (false, true):
            let sunset = Sunset(after.node["x-sunset"])
            let (kind, detail) = sunset.announcement(today: options.today, minimumDays: options.deprecationDays)
            let id =
                switch kind {
                case .deprecated: "endpoint-deprecated"
                case .missing: "api-deprecated-sunset-missing"
                case .invalid: "api-deprecated-sunset-parse"
                case .tooEarly: "api-sunset-date-too-small"
                case .announced: "endpoint-deprecated-with-sunset"
                }
            add(id, detail: detail, in: title, .paths, oldLocation, newLocation)
        case (true, true):
            switch sunsetChange(before.node["x-sunset"], after.node["x-sunset"]) {
            case .none: break
            case .deleted:
                add("sunset-deleted", in: title, .paths, before.node["x-sunset"], newLocation)
            case .invalid(let text):
                add("api-deprecated-sunset-parse", detail: "\"\(text)\"", in: title, .paths, oldLocation, newLocation)
            case .movedForward(let detail):
                add(
                    "api-sunset-date-changed-too-small", detail: detail, in: title, .paths, before.node["x-sunset"],
                    newLocation)
            }
        }
    }

    /// Returns a description of an invalid `x-sunset` that only the old description has, or `nil`.
    func invalidSunset(_ before: DescriptionNode?, changedTo after: DescriptionNode?) -> String? {
        guard case .invalid(let text) = Sunset(before), before?.value != after?.value else { return nil }
        return Stability.inOldDescription(text)
    }

    /// A change to the sunset of an element that was already deprecated.
    enum SunsetChange {
        case none, deleted
        case invalid(String)
        case movedForward(String)
    }

    /// Compares the sunset dates of an element that is deprecated in both descriptions.
    func sunsetChange(_ before: DescriptionNode?, _ after: DescriptionNode?) -> SunsetChange {
        switch (Sunset(before), Sunset(after)) {
        case (_, .invalid(let text)): return before?.value == after?.value ? .none : .invalid(text)
        case (.day, .absent): return .deleted
        case (.day(let oldDay), .day(let newDay)):
            let minimum = options.today.daysSince1970.addingReportingOverflow(options.deprecationDays).partialValue
            return newDay < oldDay && newDay.daysSince1970 < minimum
                ? .movedForward(", from \(oldDay) to \(newDay)") : .none
        case (.absent, _), (.invalid, _): return .none
        }
    }
}
