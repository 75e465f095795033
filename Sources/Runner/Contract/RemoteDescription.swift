import Basics
public import Diagnostics
import HTTPSession
import JSON
public import OpenAPI
import Synchronization
import YAML

/// An OpenAPI description on a server, including the files on that server that it references.
public struct RemoteDescription: Sendable {
    /// The maximum number of files that are fetched for one description.
    private static let maximumCount = 1_000
    /// The maximum number of bytes that are fetched for one description.
    private static let maximumSize = 256 << 20

    /// The URL for display, without credentials.
    public let name: String
    private let url: HTTPURL
    private let configuration: SessionConfiguration
    private let others: (any DocumentSource)?

    /// Creates a description without fetching it.
    ///
    /// - Parameters:
    ///   - url: The URL of the main file.
    ///   - trust: The TLS trust settings.
    ///   - routes: The proxy and address overrides.
    ///   - version: The version of the program, for the `User-Agent` field.
    ///   - others: The local files that replace URIs of other servers; nil for none.
    /// - Throws: ``RunRoutes/Failure`` if the URL is invalid.
    public init(
        _ url: String, trust: TrustOptions = TrustOptions(), routes: RunRoutes = RunRoutes(), version: String,
        others: (any DocumentSource)? = nil
    ) throws(RunRoutes.Failure) {
        do throws(HTTPURLError) {
            self.url = try HTTPURL(url)
        } catch {
            throw RunRoutes.Failure(message: "\(error)")
        }
        self.others = others
        name = "\(self.url.scheme)://\(self.url.authority)\(self.url.target)"
        configuration = SessionConfiguration(trust: trust, routes: routes, version: version)
    }

    /// Returns whether a string is the URL of a description rather than the path of a file.
    public static func isURL(_ text: String) -> Bool {
        let scheme = text.prefix(8).lowercased()
        return scheme.hasPrefix("http://") || scheme.hasPrefix("https://")
    }

    /// Fetches and loads the description.
    ///
    /// - Parameter read: Loads the file at a location. It is called repeatedly while referenced files are missing.
    /// - Returns: The description, or nil if the main file cannot be read, and the diagnostics.
    public func load(
        _ read: (OpenAPILoader, String) -> (OpenAPIDescription?, [Diagnostic])
    ) async -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        let session = Session(configuration: configuration)
        let files = RemoteFiles(others: others)
        let main = RemoteFiles.prefix + PercentEncoding.decode(url.path)
        let loader = OpenAPILoader(source: files)
        var size = 0
        var count = 0
        files.want(main)
        // A file may reference others, so each pass fetches the files that the previous load requested.
        var result: (description: OpenAPIDescription?, problems: [Diagnostic]) = (nil, [])
        while true {
            let wanted = files.takeWanted()
            if wanted.isEmpty { break }
            for location in wanted {
                count += 1
                guard count <= Self.maximumCount, size <= Self.maximumSize else {
                    files.add(location, .problems([Self.problem("\(name) refers to too many or too large files")]))
                    continue
                }
                let (reading, bytes) = await fetch(location, isMain: location == main, session)
                size += bytes
                files.add(location, reading)
            }
            result = read(loader, main)
        }
        await session.close()
        return result
    }

    private func fetch(
        _ location: String, isMain: Bool, _ session: Session
    ) async -> (reading: LocatedDocument.Reading, size: Int) {
        let target = isMain ? url.target : RemoteFiles.encoded(location.dropFirst(RemoteFiles.prefix.count))
        let shown = "\(url.scheme)://\(url.authority)\(target)"
        let credentials = url.userInfo.map { "\($0)@" } ?? ""
        var request = Request(.get, url: "\(url.scheme)://\(credentials)\(url.authority)\(target)")
        request.headers.append(name: "Accept", value: "application/yaml, application/json, */*;q=0.5")
        do {
            let response = try await session.send(request)
            guard (200...299).contains(response.status) else {
                let reason = response.reason.isEmpty ? "" : " \(response.reason)"
                return (.problems([Self.problem("\(shown) responded with \(response.status)\(reason)")]), 0)
            }
            let file = SourceFile(name: shown, text: response.body)
            return (Self.reading(of: file), response.body.count)
        } catch {
            return (.problems([Self.problem("\(shown) cannot be fetched: \(error.wording)")]), 0)
        }
    }

    /// Reads a file as JSON or YAML, depending on its contents, because a URL often has no extension.
    private static func reading(of file: SourceFile) -> LocatedDocument.Reading {
        let first = file.text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "{"), !file.name.lowercased().hasSuffix(".json"),
            let value = try? JSONParser(duplicateMembers: .reject).parse(file.text)
        {
            return .document(LocatedDocument(file: file, value: value))
        }
        return LocatedDocument.read(file, as: "description")
    }

    private static func problem(_ message: MessageText) -> Diagnostic {
        Diagnostic(id: "unreadable-file", message: message)
    }
}

/// The files of a server: those already fetched and those requested.
private final class RemoteFiles: DocumentSource {
    /// The prefix of all locations. The rest is the path of the URL, percent-decoded.
    static let prefix = "remote:"

    private struct State {
        var readings: [String: LocatedDocument.Reading] = [:]
        var wanted: [String] = []
    }

    private let others: (any DocumentSource)?
    private let state = Mutex(State())

    /// Creates an empty collection.
    ///
    /// - Parameter others: The local files that replace URIs of other servers.
    init(others: (any DocumentSource)?) {
        self.others = others
    }

    func location(ofURI uri: String) -> String? { others?.location(ofURI: uri) }

    func document(at location: String) -> LocatedDocument.Reading {
        if let reading = state.withLock({ $0.readings[location] }) { return reading }
        guard location.hasPrefix(Self.prefix) else {
            // References in a fetched file resolve to its server. Only a file that replaces a URI has a plain path.
            if location.hasPrefix("/"), let others { return others.document(at: location) }
            return .problems([
                Diagnostic(
                    id: "missing-file", message: "\"\(location)\" is not on the server of the description",
                    suggestion: "keep a copy of it next to the description, and refer to the copy")
            ])
        }
        want(location)
        return .problems([Diagnostic(id: "missing-file", message: "\"\(location)\" has not been fetched yet")])
    }

    /// Requests a file unless it has been read or requested.
    func want(_ location: String) {
        state.withLock { state in
            if state.readings[location] == nil, !state.wanted.contains(location) { state.wanted.append(location) }
        }
    }

    /// Returns and clears the list of requested files.
    func takeWanted() -> [String] {
        state.withLock { state in
            defer { state.wanted = [] }
            return state.wanted
        }
    }

    /// Adds a file, or the reason why it could not be read.
    func add(_ location: String, _ reading: LocatedDocument.Reading) {
        state.withLock { $0.readings[location] = reading }
    }

    /// Returns a path with percent-encoded bytes where the path of a URL requires it (RFC 3986, section 3.3).
    static func encoded(_ path: Substring) -> String {
        PercentEncoding.encode(path) { byte in
            ASCII.isUnreserved(byte) || ASCII.isSubDelimiter(byte) || "/:@".utf8.contains(byte)
        }
    }
}
