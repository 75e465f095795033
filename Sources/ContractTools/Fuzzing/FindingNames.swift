import Basics
import OpenAPI

extension Operation {
    /// The method and the path, which are words of the description. No secret masks them.
    var wording: MessageText { MessageText(words: title) }
}

extension FuzzPlan {
    /// Returns the name of a test. The name of its operation and the words about credentials are not data.
    func wording(of test: GeneratedTest) -> MessageText {
        let operation = operations[test.operation]
        let names = [main(of: test.operation)?.name, operation.title, operation.path].compactMap { $0 }
        guard let name = names.first(where: { test.name.hasPrefix($0) }) else { return MessageText(test.name) }
        let rest = String(test.name.dropFirst(name.count))
        return MessageText(words: name)
            + (test.intent.isAboutCredentials ? MessageText(words: rest) : MessageText(rest))
    }
}

extension GeneratedTest.Intent {
    /// Whether the request differs from a valid one in its credentials only.
    fileprivate var isAboutCredentials: Bool {
        switch self {
        case .withoutCredentials, .invalidCredentials: true
        case .valid, .variant, .invalid, .missingHeader, .unknownMediaType, .malformedBody, .unsupportedMethod,
            .readsStored, .readsDeleted:
            false
        }
    }
}
