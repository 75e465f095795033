import Basics
import RunModel

extension ResponseContent {
    /// The content coding that the body still has, in a sentence such as "is encoded with compress, which is not decoded";
    /// nil if the body looks like text.
    var undecodedCoding: MessageText? {
        guard !isOfCommand, let response = exchange.response else { return nil }
        let codings = response.headers.filter { $0.isNamed("content-encoding") }
            .flatMap { $0.value.split(separator: ",").map { ASCII.trimmed($0) } }
            .filter { !$0.isEmpty && !ASCII.equalIgnoringCase(String($0), "identity") }
        guard !codings.isEmpty, !bytes.isEmpty, isBinary else { return nil }
        let names = codings.joined(separator: ", ")
        return exchange.request.headers.contains { $0.isNamed("accept-encoding") }
            ? "is encoded with \(names), which is not decoded"
            : "is encoded with \(names), which is not decoded because the request has no Accept-Encoding"
    }

    /// Whether the start of the body has bytes that text does not have. ISO-2022-JP uses the escape character.
    private var isBinary: Bool {
        bytes.prefix(512).contains { $0 < 0x20 && $0 != 0x1B && !ASCII.isWhitespace($0) }
    }
}
