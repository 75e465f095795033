import JSON
import OpenAPI

/// A reader of responses that refused a request. It finds the rules that the request violated.
///
/// It knows the formats of the usual frameworks and validators, and otherwise reads the sentences of the messages. The
/// amount of work is bounded for every body.
struct RefusalReader {
    private static let maximumBytes = 1 << 18
    private static let maximumDepth = 10
    private static let maximumSentences = 100
    private static let maximumMembers = 100
    /// The maximum number of lessons of one response.
    static let maximumLessons = 50

    /// The members that hold messages or lists of faults, rather than the messages about a member with that name.
    private static let carriers: Set = [
        "message", "messages", "msg", "error", "errors", "detail", "details", "reason", "description", "errormessage",
        "error_message", "errormessages", "violations", "fielderrors", "field_errors", "validationerrors",
        "validation_errors", "issues", "extra", "invalidparams", "invalid-params", "invalid_params", "validation",
        "title", "cause", "problems", "failures", "formerrors", "_errors", "defaultmessage", "error_description",
        "usermessage", "reasons", "validationmessages",
    ]
    /// The carriers whose members are the names of members or parameters.
    private static let mappings: Set = [
        "errors", "fielderrors", "field_errors", "validationerrors", "validation_errors", "violations", "details",
        "detail", "messages", "message", "error", "issues",
    ]
    /// The members of a fault with its subject, most specific first.
    private static let subjectKeys = [
        "loc", "instancePath", "dataPath", "propertyPath", "property_path", "path", "field", "fieldName", "field_name",
        "property", "propertyName", "attribute", "attr", "parameter", "param", "pointer", "key", "name",
    ]
    /// The members of a fault with its messages.
    private static let messageKeys = [
        "message", "msg", "defaultMessage", "detail", "description", "reason", "error", "errorMessage", "errors",
        "messages", "constraints", "title",
    ]

    private let request: RefusedRequest
    private let statements: RefusalStatements
    private var found: Set<Lesson> = []
    private var sentences = 0
    /// The lessons in the order of the response, without duplicates.
    private(set) var lessons: [Lesson] = []

    /// Creates a reader of responses to a request.
    ///
    /// - Parameter statements: The statements of sentences that other readers have read before.
    init(_ request: RefusedRequest, _ statements: RefusalStatements = RefusalStatements()) {
        self.request = request
        self.statements = statements
    }

    /// Reads the body of a response. Its declared media type is not trusted.
    mutating func read(_ body: [UInt8]) {
        guard body.count <= Self.maximumBytes else { return }
        if let value = try? JSONParser(limits: .init(maximumDepth: 64)).parse(body) {
            read(value, about: [], isMapping: false, depth: 0)
        } else {
            // A page for people has no rules that can be read reliably.
            let text = String(decoding: body.prefix(4_096), as: UTF8.self)
            if !text.hasPrefix("<"), !text.contains("<html") { read(text, about: []) }
        }
    }

    // MARK: Structure

    /// Reads a part of a response.
    ///
    /// - Parameters:
    ///   - names: The names of the enclosing members that name parts of the request.
    ///   - isMapping: Whether all members of an object are names.
    private mutating func read(_ value: JSONValue, about names: [String], isMapping: Bool, depth: Int) {
        guard depth < Self.maximumDepth, sentences < Self.maximumSentences else { return }
        switch value {
        case .string(let text): read(text, about: names)
        case .array(let elements):
            for element in elements.prefix(Self.maximumMembers) {
                read(element, about: names, isMapping: isMapping, depth: depth + 1)
            }
        case .object(let object):
            if readFault(object, about: names, depth: depth) { return }
            for (name, part) in object.prefix(Self.maximumMembers) {
                let key = name.lowercased()
                let isNamed = request.isKnown(name) && (isMapping || part.stringValue == nil)
                if Self.carriers.contains(key), !isNamed {
                    read(part, about: names, isMapping: Self.mappings.contains(key), depth: depth + 1)
                } else if isMapping || part.arrayValue != nil || part.objectValue != nil {
                    read(part, about: names + [name], isMapping: true, depth: depth + 1)
                }
            }
        case .null, .bool, .number: break
        }
    }

    /// Reads an object that describes one fault with its subject. Returns `false` for any other object.
    private mutating func readFault(_ object: JSONObject, about names: [String], depth: Int) -> Bool {
        guard let subject = subject(of: object) else { return false }
        let code = RefusalCode(object).statements
        let messages = Self.messageKeys.compactMap { key in object[key].map { (key, $0) } }
        guard !code.isEmpty || !messages.isEmpty else { return false }
        let all = names + subject.names
        for statement in code { add(statement, about: all, in: subject.location) }
        guard code.isEmpty else { return true }
        for (key, message) in messages {
            let previous = lessons.count
            switch message {
            case .string(let text): read(text, about: all, in: subject.location)
            case .object(let texts) where key == "constraints":
                for text in texts.values.prefix(Self.maximumMembers) {
                    if let text = text.stringValue { read(text, about: all, in: subject.location) }
                }
            case .array, .object: read(message, about: all, isMapping: false, depth: depth + 1)
            case .null, .bool, .number: break
            }
            // The other messages repeat the first one with a rule.
            if lessons.count > previous { break }
        }
        // Faults of members, in the style of class-validator.
        if let children = object["children"] { read(children, about: all, isMapping: false, depth: depth + 1) }
        return true
    }

    /// Returns the subject of a fault, or `nil` if an object has none.
    private func subject(of object: JSONObject) -> (names: [String], location: Parameter.Location?)? {
        var location: Parameter.Location?
        for key in ["location", "in", "source"] {
            location = location ?? object[key]?.stringValue.flatMap { RefusedRequest.location($0) }
        }
        if let source = object["source"]?.objectValue {
            if let name = source["parameter"]?.stringValue { return ([name], .query) }
            if let name = source["header"]?.stringValue { return ([name], .header) }
            // A JSON:API document has its values below `data` (JSON:API 1.1, section 11.2).
            if let pointer = source["pointer"]?.stringValue { return ([pointer], nil) }
        }
        for key in Self.subjectKeys {
            guard let value = object[key] else { continue }
            if let elements = value.arrayValue, ["loc", "path", "propertyPath"].contains(key) {
                let names = elements.prefix(20).compactMap { $0.stringValue ?? $0.numberValue?.literal }
                if names.count == min(20, elements.count) { return (names, location) }
            }
            guard let name = value.stringValue else { continue }
            // The tags of Go's validator have an argument with this name.
            if key == "param", object["tag"] != nil { continue }
            if ["path", "key", "name"].contains(key), request.target([name], in: location)?.isKnown != true {
                continue
            }
            return ([name], location)
        }
        return nil
    }

    // MARK: Sentences

    private mutating func read(_ text: String, about names: [String], in location: Parameter.Location? = nil) {
        for part in text.prefix(8_000).split(whereSeparator: { $0 == "\n" || $0 == ";" }) {
            guard sentences < Self.maximumSentences else { return }
            sentences += 1
            let sentence = part.drop { $0 == " " }
            guard let statement = statements.statement(of: sentence) else { continue }
            if statement.isAboutBody {
                add(Lesson(place: .body, rule: .required))
            } else if !names.isEmpty {
                add(statement, about: names, in: location)
            } else if statement.members.isEmpty {
                let subject = RefusalSubject(String(sentence), request)
                guard let place = subject.place(isRequired: statement.rules.contains(.required)) else { continue }
                for rule in statement.rules { add(Lesson(place: place, rule: rule)) }
            } else {
                add(statement, about: [], in: nil)
            }
        }
    }

    /// Adds the lessons of a statement.
    private mutating func add(
        _ statement: RefusalSentence.Statement, about names: [String], in location: Parameter.Location?
    ) {
        let subjects = statement.members.isEmpty ? [names] : statement.members.map { names + [$0] }
        for subject in subjects.prefix(Self.maximumMembers) where !subject.isEmpty {
            // A framework may already have named the member in its path.
            let own = statement.members.isEmpty || names.isEmpty ? nil : request.target(names, in: location)
            var target = request.target(subject, in: location)
            if target?.isKnown != true, let own, own.isKnown, names.last == subject.last { target = own }
            guard let target else { continue }
            for rule in statement.rules where target.isKnown || statement.rules.contains(.required) {
                add(Lesson(place: target.place, rule: rule))
            }
        }
    }

    private mutating func add(_ lesson: Lesson) {
        guard lessons.count < Self.maximumLessons, found.insert(lesson).inserted else { return }
        lessons.append(lesson)
    }
}
