import Diagnostics
import Glibc
import OpenAPI
import Runner
import SuiteLoader
import YAML

/// A description that is compared: a file, one on a server, one of a revision, or what standard input holds.
struct ComparedDescription {
    /// What it is called.
    let name: String
    /// The description; nil when there is none.
    let description: OpenAPIDescription?
    /// What is wrong with it.
    let problems: [Diagnostic]

    /// Reads a description.
    ///
    /// - Parameters:
    ///   - text: A path, a URL, `git:REVISION:path`, or `-` for standard input.
    ///   - options: Which files it may refer to.
    ///   - connection: How servers are reached and trusted.
    /// - Throws: ``ExitStatus/invalid`` when an option of the connection is wrong, which is printed.
    init(_ text: String, options: DescriptionOptions, connection: ConnectionOptions) async throws {
        if RemoteDescription.isURL(text) {
            let trust = try connection.trust()
            let routes = try connection.routes()
            do throws(RunRoutes.Failure) {
                let remote = try RemoteDescription(
                    text, trust: trust, routes: routes, version: Apitest.version)
                name = remote.name
                (description, problems) = await remote.load()
            } catch {
                throw ExitStatus.invalid(because: "contract diff: \"\(text)\": \(error.message)")
            }
        } else if text == "-" {
            name = "standard input"
            (description, problems) = Self.standardInput(options)
        } else if text.hasPrefix(RevisionSource.prefix) {
            name = text
            switch RevisionSource.location(of: text) {
            case .success(let location):
                (description, problems) = OpenAPILoader(source: RevisionSource()).load(location)
            case .failure(let problem): (description, problems) = (nil, [problem.diagnostic])
            }
        } else {
            name = text
            let source = options.source(of: text)
            (description, problems) = OpenAPILoader(source: source).load(source.location(of: text))
        }
    }

    private static func standardInput(
        _ options: DescriptionOptions
    ) -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        guard let bytes = StandardInput.readAll() else {
            let reason = String(cString: strerror(errno)).lowercased()
            return (nil, [Diagnostic(id: "unreadable-file", message: "standard input cannot be read: \(reason)")])
        }
        // A name with the ending of JSON is read as JSON.
        let isJSON = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
        let file = SourceFile(name: isJSON ? "standard-input.json" : "standard-input", text: bytes)
        let files = options.source(of: file.name)
        let location = files.location(of: file.name)
        let reading = LocatedDocument.read(file, as: "description")
        return OpenAPILoader(source: PlacedSource(location: location, reading: reading, files: files)).load(location)
    }

    /// Files of which one was read elsewhere.
    private struct PlacedSource: DocumentSource {
        var location: String
        var reading: LocatedDocument.Reading
        var files: DescriptionSource

        func document(at location: String) -> LocatedDocument.Reading {
            location == self.location ? reading : files.document(at: location)
        }
    }
}
