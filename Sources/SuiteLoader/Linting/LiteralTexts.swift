import JSON
import SuiteModel

/// The texts that stand as they are in a request or an expectation.
enum LiteralTexts {
    /// Shorter texts are equal by chance.
    private static let shortest = 3

    /// What a request's body holds.
    static func sent(by request: RequestSpec) -> Set<String> {
        var texts: Set<String> = []
        switch request.body {
        case .json(let value): add(value, to: &texts)
        case .form(let fields): for field in fields { add(field.value, to: &texts) }
        case .text, .file, .multipart, .xml, .graphql, .base64, nil: break
        }
        return texts
    }

    /// What is expected to be in a body.
    static func expected(by set: ExpectationSet) -> Set<String> {
        var texts: Set<String> = []
        for path in set.json { add(path.matcher, to: &texts) }
        if let body = set.body { add(body, to: &texts) }
        return texts
    }

    private static func add(_ matcher: Matcher, to texts: inout Set<String>) {
        for operation in matcher.operations {
            switch operation.operator {
            case .equals(let value), .contains(let value), .like(let value), .strictLike(let value):
                add(value, to: &texts)
            case .any(let inner), .includes(let inner): add(inner, to: &texts)
            case .all(let matchers): for inner in matchers { add(inner, to: &texts) }
            default: break
            }
        }
    }

    private static func add(_ value: ValueTemplate, to texts: inout Set<String>) {
        switch value {
        case .constant(let value):
            for text in SecretText.leaves(of: value) where text.utf8.count >= shortest { texts.insert(text) }
        case .template: break
        case .array(let elements): for element in elements { add(element, to: &texts) }
        case .object(let members): for member in members { add(member.value, to: &texts) }
        }
    }
}
