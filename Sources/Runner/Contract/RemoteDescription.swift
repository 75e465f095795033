public import Diagnostics
import HTTPSession
import JSON
public import OpenAPI
import Synchronization
import YAML

/// An OpenAPI description on a server, with the files of that server that it refers to.
public struct RemoteDescription: Sendable {
    /// So many files are fetched for one description at most.
    private static let largestCount = 1_000
    /// So many bytes are fetched for one description at most.
    private static let largestSize = 256 << 20

    /// The URL as it is shown: without credentials.
    public let name: String
    private let url: HTTPURL
    private let configuration: SessionConfiguration
    private let others: (any DocumentSource)?

    /// Creates a description that is not fetched yet.
    ///
    /// - Parameters:
    ///   - url: The URL of its main file.
    ///   - trust: Whom TLS connections trust.
    ///   - routes: How the server is reached.
    ///   - version: The program's version, which the server is told.
    ///   - others: The files that stand for the URIs of other servers; nil for none.
    /// - Throws: ``RunRoutes/Failure`` when the URL is not one.
    public init(
        _ url: String, trust: RunTrust = RunTrust(), routes: RunRoutes = RunRoutes(), version: String,
        others: (any DocumentSource)? = nil
    ) throws(RunRoutes.Failure) {
        do throws(HTTPURLError) {
            self.url = try HTTPURL(url)
        } catch {
            throw RunRoutes.Failure(message: "\(error)")
        }
        self.others = others
        name = "\(self.url.scheme)://\(self.url.authority)\(self.url.target)"
        var configuration = SessionConfiguration(userAgent: "apitest/\(version)")
        if trust != RunTrust() { configuration.connection.tls = trust.options }
        if routes != RunRoutes() {
            configuration.connection.proxy = routes.proxy
            configuration.connection.resolve = routes.overrides
        }
        self.configuration = configuration
    }

    /// Whether a text names a description on a server and not a file.
    public static func isURL(_ text: String) -> Bool {
        let scheme = text.prefix(8).lowercased()
        return scheme.hasPrefix("http://") || scheme.hasPrefix("https://")
    }

    /// Fetches and loads the description.
    ///
    /// - Parameter read: Loads the file at a location; it is called again for as long as files are missing.
    /// - Returns: The description; nil when its main file cannot be read. And what is wrong.
    public func load(
        _ read: (OpenAPILoader, String) -> (OpenAPIDescription?, [Diagnostic])
    ) async -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        let session = Session(configuration: configuration)
        let files = RemoteFiles(others: others)
        let main = RemoteFiles.prefix + RemoteFiles.decoded(url.path)
        let loader = OpenAPILoader(source: files)
        var size = 0
        var count = 0
        files.want(main)
        // A file may name others: what a load asked for is fetched before the next one.
        var result: (description: OpenAPIDescription?, problems: [Diagnostic]) = (nil, [])
        while true {
            let wanted = files.takeWanted()
            if wanted.isEmpty { break }
            for location in wanted {
                count += 1
                guard count <= Self.largestCount, size <= Self.largestSize else {
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
                return (.problems([Self.problem("\(shown) answered with \(response.status)\(reason)")]), 0)
            }
            let file = SourceFile(name: shown, text: response.body)
            return (Self.reading(of: file), response.body.count)
        } catch {
            return (.problems([Self.problem("\(shown) cannot be fetched: \(error.message)")]), 0)
        }
    }

    /// Reads a file by what it holds, as a URL has no ending that would tell.
    private static func reading(of file: SourceFile) -> LocatedDocument.Reading {
        let first = file.text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "{"), !file.name.lowercased().hasSuffix(".json"),
            let value = try? JSONParser(duplicateMembers: .reject).parse(file.text)
        {
            return .document(LocatedDocument(file: file, value: value))
        }
        return LocatedDocument.read(file, as: "description")
    }

    private static func problem(_ message: String) -> Diagnostic {
        Diagnostic(id: "unreadable-file", message: message)
    }
}

/// The files of a server that were fetched, and those that were asked for.
private final class RemoteFiles: DocumentSource {
    /// What locations begin with; their path is that of the URL, decoded.
    static let prefix = "remote:"

    private struct State {
        var readings: [String: LocatedDocument.Reading] = [:]
        var wanted: [String] = []
    }

    private let others: (any DocumentSource)?
    private let state = Mutex(State())

    /// Creates a collection of no files.
    ///
    /// - Parameter others: The files that stand for the URIs of other servers.
    init(others: (any DocumentSource)?) {
        self.others = others
    }

    func location(ofURI uri: String) -> String? { others?.location(ofURI: uri) }

    func document(at location: String) -> LocatedDocument.Reading {
        if let reading = state.withLock({ $0.readings[location] }) { return reading }
        guard location.hasPrefix(Self.prefix) else {
            // References in a fetched file lead to its server: only a file that stands for a URI has a plain path.
            if location.hasPrefix("/"), let others { return others.document(at: location) }
            return .problems([
                Diagnostic(
                    id: "missing-file", message: "\"\(location)\" is not on the server of the description",
                    suggestion: "keep a copy of it beside the description, and refer to that")
            ])
        }
        want(location)
        return .problems([Diagnostic(id: "missing-file", message: "\"\(location)\" is not fetched yet")])
    }

    /// Remembers a file that was asked for.
    func want(_ location: String) {
        state.withLock { state in
            if state.readings[location] == nil, !state.wanted.contains(location) { state.wanted.append(location) }
        }
    }

    /// The files that were asked for since the last call.
    func takeWanted() -> [String] {
        state.withLock { state in
            defer { state.wanted = [] }
            return state.wanted
        }
    }

    /// Adds a file, or why there is none.
    func add(_ location: String, _ reading: LocatedDocument.Reading) {
        state.withLock { $0.readings[location] = reading }
    }

    /// A path with its percent-encoded bytes decoded.
    static func decoded(_ path: String) -> String {
        var bytes: [UInt8] = []
        var rest = path.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let text = String(digits),
                let value = UInt8(text, radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A path with the bytes encoded that a URL's path cannot hold (RFC 3986, section 3.3).
    static func encoded(_ path: Substring) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                bytes.append(byte)
            default:
                if "/-._~!$&'()*+,;=:@".utf8.contains(byte) {
                    bytes.append(byte)
                } else {
                    bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
