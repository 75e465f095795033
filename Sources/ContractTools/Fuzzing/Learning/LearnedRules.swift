import JSON
import OpenAPI

/// The rules that a server enforces beyond its description, by operation.
///
/// A lesson takes effect when two responses have stated it, because one response may be about a value that only occurs
/// once.
struct LearnedRules {
    private static let neededObservations = 2
    private static let maximumLessons = 200

    /// The lessons of one operation.
    fileprivate struct Lessons {
        var observations: [Lesson: Int] = [:]
        /// The lessons that take effect, in the order in which they did.
        var effective: [Lesson] = []
        var body = SampleNarrowing()
        var parameters: [Lesson.Place: SampleNarrowing] = [:]
        var required: Set<Lesson.Place> = []
        var forbidden: Set<Lesson.Place> = []
    }

    private var operations: [Int: Lessons] = [:]

    /// The operations with lessons that take effect.
    var learned: Set<Int> { Set(operations.filter { !$0.value.effective.isEmpty }.keys) }

    /// Returns the lessons of an operation that take effect.
    func lessons(of operation: Int) -> [Lesson] { operations[operation]?.effective ?? [] }

    /// Records the lessons of one response.
    ///
    /// - Returns: Whether a lesson takes effect from now on.
    @discardableResult
    mutating func observe(_ lessons: [Lesson], of operation: Int) -> Bool {
        guard !lessons.isEmpty else { return false }
        var own = operations[operation] ?? Lessons()
        var isChanged = false
        for lesson in lessons where own.effective.count < Self.maximumLessons {
            if own.observations[lesson] == nil, own.observations.count >= Self.maximumLessons { continue }
            own.observations[lesson, default: 0] += 1
            guard own.observations[lesson] == Self.neededObservations else { continue }
            own.effective.append(lesson)
            own.apply(lesson)
            isChanged = true
        }
        operations[operation] = own
        return isChanged
    }

    // MARK: Application

    /// Returns the constraints on the body of an operation, or `nil` if there are none.
    func body(of operation: Int) -> SampleNarrowing? { operations[operation]?.body }

    /// Returns the constraints on a parameter of an operation, or `nil` if there are none.
    func narrowing(of parameter: Parameter, in operation: Int) -> SampleNarrowing? {
        operations[operation]?.parameters[.parameter(parameter.location, parameter.name)]
    }

    /// Returns whether a server requires a parameter of an operation that may be optional in its description.
    func requires(_ parameter: Parameter, in operation: Int) -> Bool {
        operations[operation]?.required.contains(.parameter(parameter.location, parameter.name)) ?? false
    }

    /// Returns whether a server permits a parameter of an operation.
    func permits(_ parameter: Parameter, in operation: Int) -> Bool {
        !(operations[operation]?.forbidden.contains(.parameter(parameter.location, parameter.name)) ?? false)
    }

    /// Changes a request so that it follows the rules where its description allows it.
    ///
    /// - Parameter variation: The index among alternative values; 0 retains the values that follow the rules.
    func apply(
        to draft: inout SuiteGenerator.Draft, of operation: Operation, _ bodies: BodyBuilder, variation: Int = 0
    ) {
        guard let own = operations[draft.operation] ?? (variation > 0 ? Lessons() : nil) else { return }
        draft.sent.removeAll {
            !$0.parameter.isRequired && own.forbidden.contains(.parameter($0.parameter.location, $0.parameter.name))
        }
        for parameter in operation.parameters {
            let place = Lesson.Place.parameter(parameter.location, parameter.name)
            let position = draft.sent.firstIndex {
                $0.parameter.location == parameter.location && $0.parameter.name == parameter.name
            }
            guard let schema = parameter.schema, position != nil || own.required.contains(place) else { continue }
            let narrowing = own.parameters[place]
            if let position, variation == 0, narrowing?.accepts(draft.sent[position].value) ?? true { continue }
            guard
                let value = try? bodies.sampler.sample(
                    schema, name: parameter.name, variation: variation, narrowedBy: narrowing),
                !value.isLostInForms
            else { continue }
            let sent = TestBuilder.Sent(parameter: parameter, value: value)
            if let position { draft.sent[position] = sent } else { draft.sent.append(sent) }
        }
        if let body = draft.body, let value = body.value, let schema = body.schema,
            let changed = changed(value, schema, own.body, bodies.sampler, variation)
        {
            draft.body = bodies.body(body, with: changed) ?? body
        }
    }

    /// Returns a body that follows the rules, or `nil` if the value already does or none was found.
    private func changed(
        _ value: JSONValue, _ schema: DescriptionNode, _ narrowing: SampleNarrowing, _ sampler: SchemaSampler,
        _ variation: Int
    ) -> JSONValue? {
        if variation == 0, narrowing.isEmpty || narrowing.accepts(value) { return nil }
        guard let other = try? sampler.sample(schema, variation: variation, narrowedBy: narrowing) else { return nil }
        // The rest of an example probably suits the server better than generated values.
        if variation == 0 {
            let repaired = narrowing.repaired(value, with: other)
            if narrowing.accepts(repaired), sampler.accepts(repaired, schema) { return repaired }
        }
        return other
    }
}

extension LearnedRules.Lessons {
    fileprivate mutating func apply(_ lesson: Lesson) {
        switch (lesson.place, lesson.rule) {
        case (.body, _): break
        case (.member(let path), .required): body.require(path)
        case (.member(let path), .forbidden): body.forbid(path)
        case (.member(let path), let rule):
            for keyword in rule.keywords { body.add(keyword.name, keyword.value, at: path) }
        case (.parameter, .required): required.insert(lesson.place)
        case (.parameter, .forbidden): forbidden.insert(lesson.place)
        case (.parameter, let rule):
            for keyword in rule.keywords {
                parameters[lesson.place, default: SampleNarrowing()].add(keyword.name, keyword.value, at: [])
            }
        }
    }
}

extension SampleNarrowing {
    /// Returns a value whose members follow the constraints, with those of another value where they do not.
    fileprivate func repaired(_ value: JSONValue, with other: JSONValue, at path: [String] = []) -> JSONValue {
        guard var object = value.objectValue, let others = other.objectValue else {
            return accepts(value, at: path) ? value : other
        }
        object.removeAll { !others.contains($0.key) && isForbidden(path + [$0.key]) }
        for (name, part) in others {
            if let own = object[name] {
                object[name] = repaired(own, with: part, at: path + [name])
            } else if isRequired(path + [name]) {
                object.append(name, part)
            }
        }
        return .object(object)
    }
}
