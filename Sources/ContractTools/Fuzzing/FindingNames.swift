import Basics
import OpenAPI

extension Operation {
    /// The method, which is a word of the program, and the path, which is data.
    var wording: MessageText { "\(MessageText(words: method)) \(path)" }
}

extension FuzzPlan {
    /// Returns the name of a test, in which the method and the words about credentials are not data.
    func wording(of test: GeneratedTest) -> MessageText {
        let operation = operations[test.operation]
        let suffix = main(of: test.operation).flatMap { test.suffix(after: $0) } ?? ""
        let rest = test.name.dropLast(suffix.count)
        let start =
            rest.hasPrefix(operation.title)
            ? operation.wording + MessageText(String(rest.dropFirst(operation.title.count))) : MessageText(String(rest))
        return start + MessageText(words: suffix)
    }
}

extension GeneratedTest {
    /// Returns the words about credentials that follow the name of another test; `nil` if there are none.
    fileprivate func suffix(after main: GeneratedTest) -> String? {
        switch intent {
        case .withoutCredentials, .invalidCredentials:
            name.hasPrefix(main.name) ? String(name.dropFirst(main.name.count)) : nil
        case .valid, .variant, .invalid, .missingHeader, .unknownMediaType, .malformedBody, .unsupportedMethod,
            .readsStored, .readsDeleted:
            nil
        }
    }
}
