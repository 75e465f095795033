/// Tells what a pair of schemas, and those inside it, mean where they are used.
struct SchemaReporter {
    /// So often the inside of a pair is told for one site, when it is reached in several ways.
    private static let largestRepetition = 4
    /// So many pairs are visited for one site before each is told once alone.
    private static let largestBudget = 4000
    /// So deep the way to a pair may be.
    private static let largestDepth = 100

    private let pairs: [SchemaPair]
    private let site: SchemaSite
    private var visits: [Int: Int] = [:]
    private var ancestors: Set<Int> = []
    private var work = 0
    /// What was found.
    private(set) var changes: [Change] = []

    /// Creates a reporter for one use of a schema.
    init(_ pairs: [SchemaPair], site: SchemaSite) {
        self.pairs = pairs
        self.site = site
    }

    /// Tells what differs in a pair and in those inside it.
    mutating func report(_ position: Int) { report(position, site.role, path: "", depth: 0) }

    private mutating func report(
        _ position: Int, _ role: SchemaRole, path: String, depth: Int, isElement: Bool = false
    ) {
        let pair = pairs[position]
        guard pair.differs, depth < Self.largestDepth, !ancestors.contains(position) else { return }
        work += 1
        let visit = visits[position, default: 0]
        guard visit < (work < Self.largestBudget ? Self.largestRepetition : 1) else { return }
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
            // The default is one of the whole parameter.
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
        // More in an allOf matters in a request when something else became narrower.
        let least: ChangeLevel = role.isRequest ? .warning : .info
        // Of what the allOf itself is told for, nothing counts.
        let hasChanged = changes.count > first
        let hasNarrowed = !schemas.isEmpty && changes[first...].contains { $0.level >= least }
        for finding in schemas {
            guard case .allOf(let name) = finding.kind else { continue }
            let matters = name == "all-of-removed" ? hasChanged : hasNarrowed
            if matters { add(aspect: name, finding.detail, role, path, finding) }
        }
    }

    /// Whether a path leads to what is written as a parameter is: the value itself, or a field of a form.
    private func isSingle(_ path: String) -> Bool {
        site.isSingleInside ? !path.isEmpty && !path.contains("/") : path.isEmpty
    }

    /// Whether what was a scalar is read as an array of one element at the site.
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
                id: id, level: level, message: message, operation: site.operation, oldPlace: finding.oldPlace,
                newPlace: finding.newPlace, section: site.section))
    }
}

/// Something that differs between two schemas, before it is known what they describe.
struct SchemaFinding {
    /// What differs.
    enum Kind {
        /// An aspect of the schemas, by its name.
        case aspect(String)
        /// An added or removed schema of `allOf`, which matters only as far as something else differs.
        case allOf(String)
        /// Types or formats.
        case types(old: SchemaTypeSummary, new: SchemaTypeSummary)
        /// A new member.
        case propertyAdded(SchemaMember)
        /// A member that is gone.
        case propertyRemoved(SchemaMember)
        /// A member that became required.
        case propertyBecameRequired(SchemaMember)
        /// A member that became optional.
        case propertyBecameOptional(SchemaMember)
        /// A member that became, or no longer is, `read-only` or `write-only`.
        case mutability(SchemaMember, kind: String, isSet: Bool)
    }

    var kind: Kind
    /// What was found, as it stands in the sentence.
    var detail: String?
    var oldPlace: DescriptionNode?
    var newPlace: DescriptionNode?
    /// The level in place of the aspect's.
    var level: ChangeLevel?
}

/// A member of an object schema, as far as it matters for what its coming and going means.
struct SchemaMember {
    var name: String
    var isRequired: Bool
    var hasDefault: Bool
    var isReadOnly: Bool
    var isWriteOnly: Bool
}

/// The types and the format of a schema.
struct SchemaTypeSummary: Hashable {
    /// The types without null; nil for any.
    var types: SchemaTypes?
    /// Names that are not types of JSON Schema.
    var unknown: [String] = []
    var format: String?

    /// Both as text: `string (date-time)`.
    var text: String {
        let known = types.map { $0.isEmpty && unknown.isEmpty ? ["null"] : $0.names } ?? ["any type"]
        let names = (known + unknown).joined(separator: " or ")
        return format.map { "\(names) (\($0))" } ?? names
    }
}

/// Where a schema is used: what it describes there, and for which operation.
struct SchemaSite {
    /// What the schema itself describes.
    var role: SchemaRole
    /// What it is called in a sentence: `the body of response 200`, `the query parameter "limit"`.
    var subject: String
    var operation: String?
    var section: ChangeSection
    /// Whether values are sent as text, so that `1` and `"1"` look the same.
    var isText: Bool
    /// Whether it is a request's header.
    var isRequestHeader = false

    /// Which scalars are read as arrays of one element.
    var single = Single.none

    /// Whether that holds for the properties of the schema, and not for the schema itself.
    var isSingleInside = false

    /// Scalars that are written as an array of one element is.
    enum Single {
        case none
        /// Those that cannot hold the delimiter of arrays.
        case numbers
        case all
    }

    /// What a part of it is called.
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
