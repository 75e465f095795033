import Basics
public import Diagnostics
import FileSystem
import JSON
import YAML

/// A pact: the expectations that a consumer has of a provider (Pact specification, versions 1 to 4).
public struct Pact: Sendable {
    /// The contents of the file with their locations.
    let document: LocatedDocument
    /// The name of the consumer, or `nil` if the file does not name it.
    public let consumer: String?
    /// The name of the provider, or `nil` if the file does not name it.
    public let provider: String?
    let interactions: [PactInteraction]

    /// The maximum size of a file in bytes.
    private static let maximumBytes = 64 << 20
    /// The maximum nesting depth of a file.
    private static let maximumDepth = 256

    /// The result of reading a file.
    public enum Reading: Sendable {
        /// The pact.
        case pact(Pact)
        /// The errors that prevent the file from being checked.
        case problems([Diagnostic])
    }

    init(document: LocatedDocument, consumer: String?, provider: String?, interactions: [PactInteraction]) {
        self.document = document
        self.consumer = consumer
        self.provider = provider
        self.interactions = interactions
    }

    /// Reads a file with a pact.
    ///
    /// - Parameter path: The path, which is also the name in messages.
    public static func read(_ path: String) -> Reading {
        do throws(File.Failure) {
            return read(SourceFile(name: path, text: try File.bytes(at: path)))
        } catch {
            return .problems([
                Diagnostic(id: "unreadable-file", message: "the pact \"\(path)\" cannot be read: \(error.reason)")
            ])
        }
    }

    /// Reads the text of a pact, which is always JSON.
    public static func read(_ file: SourceFile) -> Reading {
        let limits = JSONParser.Limits(maximumDepth: maximumDepth, maximumBytes: maximumBytes)
        do throws(JSONParseError) {
            let value = try JSONParser(limits: limits, duplicateMembers: .reject).parse(file.text)
            var reader = PactReader(LocatedDocument(file: file, value: value))
            return reader.read()
        } catch {
            return .problems([.invalidJSON(error, in: file, as: "pact")])
        }
    }

    /// Returns the paths of the pacts at a path: the file itself, or the files of a directory that end in `.json`.
    public static func paths(at path: String) -> [String] {
        guard File.kind(of: path) == .directory, let names = File.names(inDirectory: path) else { return [path] }
        let directory = path.hasSuffix("/") ? path : path + "/"
        return names.filter { $0.lowercased().hasSuffix(".json") }.map { directory + $0 }
    }

    /// The name of the file.
    public var name: String { document.file.name }

    /// The names of consumer and provider: `web → library`.
    public var title: String { "\(consumer ?? "a consumer") → \(provider ?? "a provider")" }
}

/// An interaction of a pact: a request with the expected response, or a message.
struct PactInteraction: Sendable {
    /// The content of an interaction.
    enum Content: Sendable {
        /// A request and the expected response.
        case http(PactRequest, PactResponse)
        /// Messages, which do not use HTTP. The string is the type in the words of the specification.
        case messages(String)
    }

    /// The location in the file.
    let tokens: [String]
    let description: String
    /// The names of the states that the provider must be in.
    let states: [String]
    /// Whether the verification of a provider reports a difference without failing (version 4).
    let isPending: Bool
    let content: Content
}

/// The request of an interaction.
struct PactRequest: Sendable {
    let method: String
    /// The path with its query, percent-encoded.
    let target: String
    let headers: [(name: String, value: String)]
    let body: PactBody?
}

/// The expected response of an interaction.
struct PactResponse: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: PactBody?
}

/// The body of a request or response.
struct PactBody: Sendable {
    let bytes: [UInt8]
    /// The location of the body in the file.
    let tokens: [String]
    /// Whether the location contains the body as a JSON value, so that it has the locations of its parts.
    let hasLocations: Bool
}
