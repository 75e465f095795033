import JSON

extension DescriptionComparer {
    /// Returns the key that identifies a parameter in both descriptions.
    private static func key(_ parameter: Parameter, renamed: [String: String]) -> String {
        let name: String
        switch parameter.location {
        case .path: name = renamed[parameter.name] ?? parameter.name
        case .header: name = parameter.name.lowercased()
        case .query, .querystring, .cookie: name = parameter.name
        }
        return "\(parameter.location.rawValue):\(name)"
    }

    private static func subject(_ parameter: Parameter) -> String {
        let kind = parameter.location == .header ? "request header" : "\(parameter.location.rawValue) parameter"
        return "the \(kind) \"\(parameter.name)\""
    }

    /// Reports the parameters that a path adds to all its operations if no operation had them before.
    ///
    /// - Returns: The keys of the reported parameters.
    mutating func reportSharedParameters(
        _ oldItem: PathItem, _ newItem: PathItem, _ renamed: [String: String]
    ) -> Set<String> {
        guard !newItem.parameters.isEmpty, !oldItem.operations.isEmpty else { return [] }
        let known = Set(
            (oldItem.parameters + oldItem.operations.flatMap(\.parameters)).map { Self.key($0, renamed: renamed) })
        var reported: Set<String> = []
        for parameter in newItem.parameters where parameter.location != .path {
            let key = Self.key(parameter, renamed: [:])
            guard !known.contains(key) else { continue }
            reported.insert(key)
            add(
                parameter.isRequired
                    ? "new-required-request-default-parameter-to-existing-path"
                    : "new-optional-request-default-parameter-to-existing-path", subject: Self.subject(parameter),
                in: newItem.path, .parameters, oldItem.node, parameter.node)
        }
        return reported
    }

    /// Compares the parameters of an operation.
    ///
    /// - Parameters:
    ///   - renamed: The new names of path parameters by their old names.
    ///   - shared: The keys of the parameters already reported for the whole path.
    mutating func compareParameters(
        _ before: Operation, _ after: Operation, _ renamed: [String: String], _ shared: Set<String>
    ) {
        let newParameters = Dictionary(
            after.parameters.map { (Self.key($0, renamed: [:]), $0) }, uniquingKeysWith: { first, _ in first })
        var known: Set<String> = []
        for parameter in before.parameters {
            let key = Self.key(parameter, renamed: renamed)
            known.insert(key)
            if let other = newParameters[key] {
                compare(parameter, other, after)
            } else {
                reportRemoved(parameter, after)
            }
        }
        for parameter in after.parameters {
            let key = Self.key(parameter, renamed: [:])
            if known.contains(key) || shared.contains(key) { continue }
            let id =
                parameter.location == .path
                ? "new-request-path-parameter"
                : parameter.isRequired ? "new-required-request-parameter" : "new-optional-request-parameter"
            add(
                id, subject: Self.subject(parameter), in: after.title, .parameters,
                before.node["parameters"] ?? before.node, parameter.node)
        }
    }

    private mutating func reportRemoved(_ parameter: Parameter, _ after: Operation) {
        let subject = Self.subject(parameter)
        let location = after.node["parameters"] ?? after.node
        guard parameter.isDeprecated else {
            add("request-parameter-removed", subject: subject, in: after.title, .parameters, parameter.node, location)
            return
        }
        switch Sunset(parameter.node["x-sunset"]) {
        case .invalid(let text):
            add(
                "request-parameter-sunset-parse", subject: subject, detail: "\"\(text)\"", in: after.title,
                .parameters, parameter.node["x-sunset"], location)
        case .day(let day) where day > options.today:
            add(
                "request-parameter-removed-before-sunset", subject: subject, detail: "date \(day)",
                in: after.title, .parameters, parameter.node, location)
        case .absent, .day:
            add(
                "request-parameter-removed-with-deprecation", subject: subject, in: after.title, .parameters,
                parameter.node, location)
        }
    }

    private mutating func compare(_ before: Parameter, _ after: Parameter, _ operation: Operation) {
        let title = operation.title
        let subject = Self.subject(after)
        if before.isRequired != after.isRequired {
            add(
                after.isRequired ? "request-parameter-became-required" : "request-parameter-became-optional",
                subject: subject, in: title, .parameters, before.node["required"] ?? before.node,
                after.node["required"] ?? after.node)
        }
        compareDeprecation(before, after, subject, title)
        compareSerialization(before, after, subject, title)
        guard let oldSchema = before.schema ?? before.content?.schema,
            let newSchema = after.schema ?? after.content?.schema
        else { return }
        addSchemas(
            oldSchema, newSchema,
            SchemaSite(
                role: .requestParameter, subject: subject, operation: title, section: .parameters,
                isText: after.content == nil, isRequestHeader: after.location == .header,
                single: Self.single(before, after)))
    }

    /// Returns the scalars whose serialization equals that of an array with one element.
    private static func single(_ before: Parameter, _ after: Parameter) -> SchemaSite.Single {
        guard before.content == nil, after.content == nil, before.style == after.style else { return .none }
        switch after.style {
        case .form, .matrix: return after.isExploded ? .all : .numbers
        case .simple, .label, .pipeDelimited, .spaceDelimited: return .numbers
        default: return .none
        }
    }

    private mutating func compareSerialization(
        _ before: Parameter, _ after: Parameter, _ subject: String, _ title: String
    ) {
        if before.style != after.style {
            add(
                "request-parameter-style-changed", subject: subject,
                detail: "from \(before.style.rawValue) to \(after.style.rawValue)", in: title, .parameters,
                before.node["style"] ?? before.node, after.node["style"] ?? after.node)
        } else if before.isExploded != after.isExploded, hasParts(before.schema, old), hasParts(after.schema, new) {
            add(
                "request-parameter-explode-changed", subject: subject,
                detail: "from \(before.isExploded) to \(after.isExploded)", in: title, .parameters,
                before.node["explode"] ?? before.node, after.node["explode"] ?? after.node)
        }
        if before.allowsEmptyValue, !after.allowsEmptyValue {
            add(
                "request-parameter-allow-empty-value-removed", subject: subject, in: title, .parameters,
                before.node["allowEmptyValue"], after.node["allowEmptyValue"] ?? after.node)
        }
    }

    /// Returns whether a value can be an array or object, which means that the serialization of its parts matters.
    private func hasParts(_ schema: DescriptionNode?, _ description: OpenAPIDescription) -> Bool {
        guard let schema else { return false }
        var builder = SchemaViewBuilder(description)
        let view = builder.view(of: [schema])
        return view.types.map { !$0.isScalar } ?? true
    }

    private mutating func compareDeprecation(
        _ before: Parameter, _ after: Parameter, _ subject: String, _ title: String
    ) {
        let oldLocation = before.node["deprecated"] ?? before.node
        let newLocation = after.node["x-sunset"] ?? after.node["deprecated"] ?? after.node
        if let text = invalidSunset(before.node["x-sunset"], changedTo: after.node["x-sunset"]) {
            add(
                "request-parameter-sunset-parse", subject: subject, detail: text, level: .info, in: title, .parameters,
                before.node["x-sunset"], newLocation)
        }
        switch (before.isDeprecated, after.isDeprecated) {
        case (false, false):
            if case .invalid(let text) = sunsetChange(before.node["x-sunset"], after.node["x-sunset"]) {
                add(
                    "request-parameter-sunset-parse", subject: subject, detail: "\"\(text)\"", in: title, .parameters,
                    oldLocation, newLocation)
            }
        case (true, false):
            add("request-parameter-reactivated", subject: subject, in: title, .parameters, oldLocation, newLocation)
        case (false, true):
            let sunset = Sunset(after.node["x-sunset"])
            let (kind, detail) = sunset.announcement(today: options.today, minimumDays: options.deprecationDays)
            let id =
                switch kind {
                case .deprecated, .announced: "request-parameter-deprecated"
                case .missing: "request-parameter-deprecated-sunset-missing"
                case .invalid: "request-parameter-sunset-parse"
                case .tooEarly: "request-parameter-sunset-date-too-small"
                }
            add(id, subject: subject, detail: detail, in: title, .parameters, oldLocation, newLocation)
        case (true, true):
            switch sunsetChange(before.node["x-sunset"], after.node["x-sunset"]) {
            case .none: break
            case .deleted:
                add(
                    "request-parameter-sunset-deleted", subject: subject, in: title, .parameters,
                    before.node["x-sunset"], newLocation)
            case .invalid(let text):
                add(
                    "request-parameter-sunset-parse", subject: subject, detail: "\"\(text)\"", in: title, .parameters,
                    oldLocation, newLocation)
            case .movedForward(let detail):
                add(
                    "request-parameter-sunset-date-changed-too-small", subject: subject, detail: detail, in: title,
                    .parameters, before.node["x-sunset"], newLocation)
            }
        }
    }
}
