/// A reporter that converts the differences of a schema pair into changes at one site.
struct SchemaReporter {
    /// The maximum number of reports of a nested pair for one site, if it is reached on several paths.
    private static let maximumRepetition = 4
    /// The number of visits for one site after which each pair is reported only once.
    private static let maximumBudget = 4000
    /// The maximum depth of a pair.
    private static let maximumDepth = 100

    private let pairs: [SchemaPair]
    private let site: SchemaSite
    private var visits: [Int: Int] = [:]
    private var ancestors: Set<Int> = []
    private var work = 0
    /// The changes that were found.
    private(set) var changes: [Change] = []

    /// Creates a reporter for one use of a schema.
    init(_ pairs: [SchemaPair], site: SchemaSite) {
        self.pairs = pairs
        self.site = site
    }

    /// Reports the differences of a pair and its nested pairs.
    mutating func report(_ position: Int) { report(position, site.role, path: "", depth: 0) }

    private mutating func report(
        _ position: Int, _ role: SchemaRole, path: String, depth: Int, isElement: Bool = false
    ) {
        let pair = pairs[position]
        guard pair.differs, depth < Self.maximumDepth, !ancestors.contains(position) else { return }
        work += 1
        let visit = visits[position, default: 0]
        guard visit < (work < Self.maximumBudget ? Self.maximumRepetition : 1) else { return }
        visits[position] = visit + 1
        ancestors.insert(position)
        defer { ancestors.remove(position) }
        let first = changes.count
        var schemas: [SchemaFinding] = []
        let isWrapped = pair.isWrapped && isSingle(path) && takesSingle(pair)
        for finding in pair.findings {
            switch finding.kind {
            case .allOf: schemas.append(finding)
            case .types(let old, let new) where isWrapped:
                add(aspect: "type-generalized", ", from \(old.text) to \(new.text)", role, path, finding)
            // A default value belongs to the whole parameter.
            case .aspect(let name) where isElement && name.hasPrefix("default-value"): break
            default: report(finding, role, path)
            }
        }
        for edge in pair.edges where pairs[edge.target].differs {
            if edge.kind == .single, !isWrapped { continue }
            report(
                edge.target, next(edge.kind, role), path: joined(path, edge.step), depth: depth + 1,
                isElement: edge.kind == .single)
        }
        // In a request, an additional `allOf` schema matters only if something else became narrower.
        let minimum: ChangeLevel = role.isRequest ? .warning : .info
        // The changes from the `allOf` report itself do not count.
        let hasChanged = changes.count > first
        let hasNarrowed = !schemas.isEmpty && changes[first...].contains { $0.level >= minimum }
        for finding in schemas {
            guard case .allOf(let name) = finding.kind else { continue }
            let matters = name == "all-of-removed" ? hasChanged : hasNarrowed
            if matters { add(aspect: name, finding.detail, role, path, finding) }
        }
    }

    /// Returns whether a path leads to a value in parameter serialization: the value itself, or a form field.
    private func isSingle(_ path: String) -> Bool {
        site.isSingleInside ? !path.isEmpty && !path.contains("/") : path.isEmpty
    }

    /// Returns whether the site accepts the old scalar as an array with one element.
    private func takesSingle(_ pair: SchemaPair) -> Bool {
        switch site.single {
        case .none: false
        case .all: true
        case .numbers:
            pair.findings.contains { finding in
                if case .types(let old, _) = finding.kind {
                    old.types?.isDisjoint(with: .string) ?? false
                } else {
                    false
                }
            }
        }
    }

    private func joined(_ path: String, _ step: String) -> String { path.isEmpty ? step : "\(path)/\(step)" }

    private func next(_ kind: SchemaPair.Edge.Kind, _ role: SchemaRole) -> SchemaRole {
        switch kind {
        case .same: return role
        case .element, .single: return role.element
        case .property(let isReadOnly, let isWriteOnly):
            let property = role.property
            if isReadOnly, property == .requestProperty { return .requestReadOnlyProperty }
            if isWriteOnly, property == .responseProperty { return .responseWriteOnlyProperty }
            return property
        }
    }

    // MARK: Findings

    private mutating func report(_ finding: SchemaFinding, _ role: SchemaRole, _ path: String) {
        switch finding.kind {
        case .aspect(let name):
            if name == "became-enum", role == .requestParameterProperty, site.isRequestHeader {
                add("request-header-property-became-enum", finding.detail, role, path, finding)
            } else {
                add(aspect: name, finding.detail, role, path, finding)
            }
        case .allOf: break
        case .types(let old, let new):
            let (name, detail) = SchemaTypeChange(old: old, new: new).aspect(for: role, isText: site.isText)
            add(aspect: name, detail, role, path, finding)
        case .propertyAdded(let member): add(Self.added(member, role, site), member, role, path, finding)
        case .propertyRemoved(let member): add(Self.removed(member, role), member, role, path, finding)
        case .propertyBecameRequired(let member):
            add(Self.becameRequired(member, role, site), member, role, path, finding)
        case .propertyBecameOptional(let member): add(Self.becameOptional(member, role), member, role, path, finding)
        case .mutability(let member, let kind, let isSet):
            guard role.property == .requestProperty || role.property == .responseProperty else { return }
            let side = role.isRequest ? "request" : "response"
            let requirement = member.isRequired ? "required" : "optional"
            add(
                "\(side)-\(requirement)-property-became-\(isSet ? "" : "not-")\(kind)", member, role.property, path,
                finding)
        }
    }

    private static func added(_ member: SchemaMember, _ role: SchemaRole, _ site: SchemaSite) -> String? {
        switch role.property {
        case .requestProperty:
            if member.isReadOnly { return nil }
            if !member.isRequired { return "new-optional-request-property" }
            return member.hasDefault ? "new-required-request-property-with-default" : "new-required-request-property"
        case .requestParameterProperty:
            if !member.isRequired { return "new-optional-request-parameter-property" }
            return site.isRequestHeader
                ? "new-required-request-header-property" : "new-required-request-parameter-property"
        case .responseProperty:
            return "response-\(member.isRequired ? "required" : "optional")\(member.isWriteOnly ? "-write-only" : "")"
                + "-property-added"
        case .requestBody, .requestReadOnlyProperty, .requestParameter, .responseBody, .responseWriteOnlyProperty,
            .responseHeader:
            return nil
        }
    }

    private static func removed(_ member: SchemaMember, _ role: SchemaRole) -> String? {
        switch role.property {
        case .requestProperty: return member.isReadOnly ? nil : "request-property-removed"
        case .requestParameterProperty: return "request-parameter-property-removed"
        case .responseProperty:
            return "response-\(member.isRequired ? "required" : "optional")\(member.isWriteOnly ? "-write-only" : "")"
                + "-property-removed"
        case .requestBody, .requestReadOnlyProperty, .requestParameter, .responseBody, .responseWriteOnlyProperty,
            .responseHeader:
            return nil
        }
    }

    private static func becameRequired(_ member: SchemaMember, _ role: SchemaRole, _ site: SchemaSite) -> String? {
        switch role.property {
        case .requestProperty:
            if member.isReadOnly { return nil }
            return "request-property-became-required\(member.hasDefault ? "-with-default" : "")"
        case .requestParameterProperty:
            return site.isRequestHeader
                ? "request-header-property-became-required" : "request-parameter-property-became-required"
        case .responseProperty:
            return "response\(member.isWriteOnly ? "-write-only" : "")-property-became-required"
        case .requestBody, .requestReadOnlyProperty, .requestParameter, .responseBody, .responseWriteOnlyProperty,
            .responseHeader:
            return nil
        }
    }

    private static func becameOptional(_ member: SchemaMember, _ role: SchemaRole) -> String? {
        switch role.property {
        case .requestProperty: return member.isReadOnly ? nil : "request-property-became-optional"
        case .requestParameterProperty: return "request-parameter-property-became-optional"
        case .responseProperty:
            return "response\(member.isWriteOnly ? "-write-only" : "")-property-became-optional"
        case .requestBody, .requestReadOnlyProperty, .requestParameter, .responseBody, .responseWriteOnlyProperty,
            .responseHeader:
            return nil
        }
    }

    // MARK: Changes

    private mutating func add(
        aspect name: String, _ detail: String?, _ role: SchemaRole, _ path: String, _ finding: SchemaFinding
    ) {
        guard let aspect = SchemaAspect.named(name), let id = aspect.id(for: role), let level = aspect.level(for: role)
        else { return }
        let subject = site.subject(of: role, path: path)
        add(
            id, finding.level ?? level, ChangePhrase.text(aspect.phrase, subject: subject, detail: detail ?? ""),
            finding)
    }

    private mutating func add(
        _ id: String?, _ member: SchemaMember, _ role: SchemaRole, _ path: String, _ finding: SchemaFinding
    ) {
        guard let id else { return }
        add(id, nil, role.property, joined(path, member.name), finding)
    }

    private mutating func add(
        _ id: String, _ detail: String?, _ role: SchemaRole, _ path: String, _ finding: SchemaFinding
    ) {
        guard let template = ChangeCatalog.template(id) else { return }
        let subject = site.subject(of: role, path: path)
        add(id, template.level, ChangePhrase.text(template.phrase, subject: subject, detail: detail), finding)
    }

    private mutating func add(_ id: String, _ level: ChangeLevel, _ message: String, _ finding: SchemaFinding) {
        changes.append(
            Change(
                id: id, level: level, message: message, operation: site.operation, oldLocation: finding.oldLocation,
                newLocation: finding.newLocation, section: site.section))
    }
}

/// A difference between two schemas, independent of their use.
struct SchemaFinding {
    /// The kind of a difference.
    enum Kind {
        /// An aspect of the schemas, by name.
        case aspect(String)
        /// An added or removed `allOf` schema, which matters only if something else differs.
        case allOf(String)
        /// A change of types or formats.
        case types(old: SchemaTypeSummary, new: SchemaTypeSummary)
        /// An added member.
        case propertyAdded(SchemaMember)
        /// A removed member.
        case propertyRemoved(SchemaMember)
        /// A member that became required.
        case propertyBecameRequired(SchemaMember)
        /// A member that became optional.
        case propertyBecameOptional(SchemaMember)
        /// A member that became `read-only` or `write-only`, or is no longer.
        case mutability(SchemaMember, kind: String, isSet: Bool)
    }

    var kind: Kind
    /// The details for the sentence.
    var detail: String?
    var oldLocation: DescriptionNode?
    var newLocation: DescriptionNode?
    /// The level that replaces the one of the aspect.
    var level: ChangeLevel?
}

/// The properties of an object member that determine the effect of its addition or removal.
struct SchemaMember {
    var name: String
    var isRequired: Bool
    var hasDefault: Bool
    var isReadOnly: Bool
    var isWriteOnly: Bool
}

/// The types and the format of a schema.
struct SchemaTypeSummary: Hashable {
    /// The types without `null`, or `nil` for any type.
    var types: SchemaTypes?
    /// The names that are not JSON Schema types.
    var unknown: [String] = []
    var format: String?

    /// The types and the format as a string: `string (date-time)`.
    var text: String {
        let known = types.map { $0.isEmpty && unknown.isEmpty ? ["null"] : $0.names } ?? ["any type"]
        let names = (known + unknown).joined(separator: " or ")
        return format.map { "\(names) (\($0))" } ?? names
    }
}

/// A use of a schema in an operation.
struct SchemaSite {
    /// The part of a message that the schema describes.
    var role: SchemaRole
    /// The name in a sentence: `the body of response 200`, `the query parameter "limit"`.
    var subject: String
    var operation: String?
    var section: ChangeSection
    /// Whether values are sent as strings, which makes `1` and `"1"` indistinguishable.
    var isText: Bool
    /// Whether the schema describes a request header.
    var isRequestHeader = false

    /// The scalars that are accepted as arrays with one element.
    var single = Single.none

    /// Whether ``single`` applies to the schema's properties rather than to the schema itself.
    var isSingleInside = false

    /// The scalars whose serialization equals that of an array with one element.
    enum Single {
        case none
        /// The scalars that cannot contain the delimiter of arrays.
        case numbers
        case all
    }

    /// Returns the name of a part of the value.
    func subject(of role: SchemaRole, path: String) -> String {
        if path.isEmpty { return subject }
        switch role {
        case .requestBody, .responseBody, .requestParameter, .responseHeader: return "\(subject) at \"\(path)\""
        case .requestProperty, .responseProperty, .requestParameterProperty:
            return "the property \"\(path)\" of \(subject)"
        case .requestReadOnlyProperty: return "the read-only property \"\(path)\" of \(subject)"
        case .responseWriteOnlyProperty: return "the write-only property \"\(path)\" of \(subject)"
        }
    }
}
