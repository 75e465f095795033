import Diagnostics
import Glibc
import OpenAPI
import SuiteLoader
import YAML

/// A description that is named on the command line: a file, or `-` for standard input.
struct DescriptionArgument: DocumentSource {
    /// The location of the main file.
    let location: String
    private let files: DescriptionSource
    private let standardInput: LocatedDocument.Reading?

    /// Finds a description.
    ///
    /// - Parameters:
    ///   - text: A path, or `-`.
    ///   - options: Which files it may refer to.
    /// - Throws: For a URL, and for standard input that cannot be read.
    init(_ text: String, options: DescriptionOptions, command: String) throws {
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            throw ExitStatus.invalid(
                because: "\(command): \(text) is not loaded from the network: "
                    + "save it with curl -fo openapi.yaml \(text), or pipe it: curl -f \(text) | apitest \(command) -")
        }
        guard text == "-" else {
            files = options.source(of: text)
            location = files.location(of: text)
            standardInput = nil
            return
        }
        guard let bytes = StandardInput.readAll() else {
            let reason = String(cString: strerror(errno)).lowercased()
            throw ExitStatus.invalid(because: "\(command): standard input cannot be read: \(reason)")
        }
        // A name with the ending of JSON is read as JSON.
        let isJSON = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
        let file = SourceFile(name: isJSON ? "standard-input.json" : "standard-input", text: bytes)
        files = options.source(of: file.name)
        location = files.location(of: file.name)
        standardInput = LocatedDocument.read(file, as: "description")
    }

    func document(at location: String) -> LocatedDocument.Reading {
        if location == self.location, let standardInput { return standardInput }
        return files.document(at: location)
    }

    func location(ofURI uri: String) -> String? { files.location(ofURI: uri) }
}
