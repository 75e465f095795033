import Diagnostics
import OpenAPI
import Runner

/// A description that is named on the command line and was read: a file, one on a server, one of a revision, or what
/// standard input holds.
struct NamedDescription {
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
    ///   - command: The command that reads it.
    ///   - read: Reads the file at a location with what it refers to.
    /// - Throws: ``ExitStatus/invalid`` when an option of the connection is wrong, which is printed.
    init(
        _ text: String, options: DescriptionOptions, connection: ConnectionOptions, command: String,
        read: (OpenAPILoader, String) -> (OpenAPIDescription?, [Diagnostic])
    ) async throws {
        guard RemoteDescription.isURL(text) else {
            let source = DescriptionArgument(text, options: options)
            name = source.name
            (description, problems) = read(OpenAPILoader(source: source), source.location)
            return
        }
        let trust = try connection.trust()
        let routes = try connection.routes()
        do throws(RunRoutes.Failure) {
            let remote = try RemoteDescription(
                text, trust: trust, routes: routes, version: Apitest.version, others: options.source(of: "remote"))
            name = remote.name
            (description, problems) = await remote.load(read)
        } catch {
            throw ExitStatus.invalid(because: "\(command): \"\(text)\": \(error.message)")
        }
    }
}
