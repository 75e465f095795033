import Basics
import Digests
package import FileSystem
import HTTPSession
import Output
import Synchronization

/// A client that reads and writes records outside of the file system.
public final class StorageClient: Sendable {
    /// The number of bytes of a file that are read at a time.
    private static let chunkSize = 1 << 18
    /// The number of times that a download starts over after its body was cut off.
    private static let maximumDownloads = 4
    /// The number of downloads at the same time.
    private static let parallelDownloads = 8
    /// The maximum number of objects in a listing.
    private static let maximumObjects = 200_000
    /// The end of the keys of records.
    private static let recordSuffix = ".jsonl"

    private let session: Session
    /// The object store; nil if no location is in one.
    private let store: ObjectStore?
    /// The credentials, which all output must mask.
    public let secrets: [String]

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - locations: The locations that will be read or written.
    ///   - environment: The environment of the process, which has the credentials of an object store, and may name
    ///     authorities and a proxy.
    ///   - authorities: The path of a PEM file with authorities that are trusted too; nil for none.
    ///   - routes: The proxy and the address overrides of the run, which precede those of the environment.
    ///   - version: The version of the program.
    /// - Throws: ``StorageError`` if the environment lacks a variable, or has an invalid one.
    public convenience init(
        for locations: [StorageLocation], environment: [String: String], authorities: String? = nil,
        routes: RunRoutes = RunRoutes(), version: String
    ) throws(StorageError) {
        try self.init(
            for: locations, environment: environment, authorities: authorities, routes: routes, version: version,
            transport: nil, clock: .system)
    }

    /// Creates a client with a transport, nil for connections over the network, and a clock of delays and signatures.
    init(
        for locations: [StorageLocation], environment: [String: String], authorities: String? = nil,
        routes: RunRoutes = RunRoutes(), version: String, transport: (any Transport)?, clock: SessionClock
    ) throws(StorageError) {
        store = locations.contains(where: \.isObject) ? try ObjectStore(environment: environment) : nil
        let connection = try StorageConnection(environment: environment, authorities: authorities, routes: routes)
        secrets = (store?.secrets ?? []) + connection.secrets + locations.flatMap(\.secrets)
        var configuration = SessionConfiguration(userAgent: "apitest/\(version)", clock: clock)
        configuration.connection = connection.options
        // A large record takes long, but must not stop.
        configuration.timeouts.total = nil
        configuration.timeouts.firstByte = .seconds(60)
        session = Session(configuration: configuration, transport: transport)
    }

    /// Closes all connections.
    public func close() async { await session.close() }

    /// Returns a policy that retries failures of a server and of the network, but not those of the request.
    private static func retries(_ count: Int) -> RetryPolicy {
        RetryPolicy(
            maximumRetries: count, statuses: Set(500...599).union([408, 429]), jitter: .full,
            maximumDelay: .seconds(20))
    }

    private func exchange(_ method: HTTPMethod, _ location: StorageLocation, retries: Int) -> PendingExchange {
        switch location.target {
        case .url(let url): return session.request(Request(method, url: url)).retry(with: Self.retries(retries))
        case .object(let bucket, let key):
            return exchange(method, bucket: bucket, key: key, retries: retries)
        }
    }

    private func exchange(
        _ method: HTTPMethod, bucket: String, key: String, query: [(name: String, value: String)] = [], retries: Int
    ) -> PendingExchange {
        let url = store?.url(bucket: bucket, key: key, query: query) ?? ""
        let exchange = session.request(Request(method, url: url)).retry(with: Self.retries(retries))
        return store.map { exchange.adapt(with: $0.signature) } ?? exchange
    }

    /// Returns the response if its status is 2xx.
    private func response(_ exchange: PendingExchange) async throws(StorageError) -> Response {
        let response: Response
        do throws(SessionError) {
            response = try await exchange.response()
        } catch {
            throw StorageError(message: error.wording)
        }
        guard (200..<300).contains(response.status) else {
            throw Self.problem(response.status, response.reason, response.body)
        }
        return response
    }

    private static func problem(_ status: Int, _ reason: String, _ body: [UInt8]) -> StorageError {
        let detail = ObjectListing.problem(body).map { " (\($0))" } ?? ""
        return StorageError(
            message: "the server responded with status \(status)\(reason.isEmpty ? "" : " " + reason)\(detail)")
    }

    // MARK: Writing

    /// Writes the first bytes of a file.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - retries: The maximum number of retries.
    package func put(
        _ file: SharedFile, count: Int, to location: StorageLocation, retries: Int
    ) async throws(StorageError) {
        var exchange = exchange(.put, location, retries: retries)
        exchange.request.headers.set(name: "Content-Type", value: "application/x-ndjson")
        if location.isObject {
            exchange.request.headers.set(name: "X-Amz-Content-Sha256", value: try Self.hash(file, count: count))
        }
        exchange.request.body = .stream(Self.body(file, count: count))
        _ = try await response(exchange)
    }

    private static func hash(_ file: SharedFile, count: Int) throws(StorageError) -> String {
        var hash = SHA256()
        var offset = 0
        do throws(FileHandle.Failure) {
            while offset < count {
                let bytes = try file.handle.read(offset..<min(count, offset + chunkSize))
                hash.update(bytes)
                offset += bytes.count
            }
        } catch {
            throw StorageError(message: "cannot read the local copy: \(SystemInfo.message(of: error.number))")
        }
        return Hexadecimal.encode(hash.finalize())
    }

    private static func body(_ file: SharedFile, count: Int) -> BodySource {
        BodySource(length: count, isReplayable: true) {
            let position = Position()
            return {
                let offset = position.value
                guard offset < count else { return nil }
                let bytes = try file.handle.read(offset..<min(count, offset + chunkSize))
                position.value += bytes.count
                return bytes
            }
        }
    }

    // MARK: Reading

    /// Returns the locations of the records in directories of object stores; other locations stay.
    ///
    /// - Throws: ``StorageError`` if a directory cannot be listed.
    public func records(in locations: [StorageLocation]) async throws(StorageError) -> [StorageLocation] {
        var records: [StorageLocation] = []
        for location in locations {
            guard case .object(let bucket, let prefix) = location.target, location.isDirectory else {
                records.append(location)
                continue
            }
            do throws(StorageError) {
                for key in try await keys(in: bucket, prefix: prefix) where key.hasSuffix(Self.recordSuffix) {
                    records.append(try StorageLocation("s3://\(bucket)/\(key)"))
                }
            } catch {
                throw StorageError(message: "cannot list \"\(location)\": \(error.message)")
            }
        }
        return records
    }

    private func keys(in bucket: String, prefix: String) async throws(StorageError) -> [String] {
        var keys: [String] = []
        var token: String?
        repeat {
            var query = [("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix)]
            if let token { query.append(("continuation-token", token)) }
            let page = try ObjectListing(
                await response(exchange(.get, bucket: bucket, key: "", query: query, retries: 5)).body)
            keys += page.keys
            token = page.nextToken
            guard keys.count <= Self.maximumObjects, token == nil || !page.keys.isEmpty else {
                throw StorageError(message: "there are too many objects")
            }
        } while token != nil
        return keys
    }

    /// Downloads records to temporary files without names.
    ///
    /// - Returns: The file of each record, in order.
    /// - Throws: ``StorageError`` if a record cannot be read.
    package func download(_ locations: [StorageLocation]) async throws(StorageError) -> [SharedFile] {
        var results = [Result<SharedFile, StorageError>?](repeating: nil, count: locations.count)
        await withTaskGroup(of: (Int, Result<SharedFile, StorageError>).self) { group in
            var next = 0
            func start() {
                guard next < locations.count else { return }
                let index = next
                next += 1
                group.addTask { (index, await self.result(of: locations[index])) }
            }
            for _ in 0..<Self.parallelDownloads { start() }
            for await (index, result) in group {
                results[index] = result
                if case .failure = result { break }
                start()
            }
            group.cancelAll()
        }
        for case .failure(let error)? in results { throw error }
        return results.compactMap { try? $0?.get() }
    }

    private func result(of location: StorageLocation) async -> Result<SharedFile, StorageError> {
        do throws(StorageError) {
            return .success(try await download(location))
        } catch {
            return .failure(StorageError(message: "cannot read \"\(location)\": \(error.message)"))
        }
    }

    private func download(_ location: StorageLocation) async throws(StorageError) -> SharedFile {
        for _ in 0..<Self.maximumDownloads {
            let response: StreamedResponse
            do throws(SessionError) {
                response = try await exchange(.get, location, retries: 5).stream()
            } catch {
                throw StorageError(message: error.wording)
            }
            guard (200..<300).contains(response.status) else {
                let body = try? await response.body.collect(limit: 1 << 16)
                throw Self.problem(response.status, response.response.reason, body ?? [])
            }
            if let file = try await Self.file(of: response.body) { return file }
        }
        throw StorageError(message: "the connection was lost \(Self.maximumDownloads) times")
    }

    /// Writes a body to a temporary file.
    ///
    /// - Returns: The file; nil if the body was cut off, so that another download may succeed.
    private static func file(of body: ResponseBodyStream) async throws(StorageError) -> SharedFile? {
        do {
            let file = try SharedFile.temporary()
            while let piece = try await body.next() { try file.handle.write(piece) }
            return file
        } catch let error as SessionError {
            if RetryableFailure(error.reason) != nil { return nil }
            throw StorageError(message: error.wording)
        } catch let error as FileHandle.Failure {
            throw StorageError(
                message: "cannot write a temporary file in \"\(FileHandle.temporaryDirectory)\": "
                    + MessageText(words: SystemInfo.message(of: error.number)))
        } catch {
            throw StorageError(message: "\(error)")
        }
    }
}

/// An offset that the reader of a body advances.
private final class Position: Sendable {
    private let offset = Atomic<Int>(0)

    var value: Int {
        get { offset.load(ordering: .relaxed) }
        set { offset.store(newValue, ordering: .relaxed) }
    }
}
