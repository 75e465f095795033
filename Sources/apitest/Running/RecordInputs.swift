import Basics
import Diagnostics
import FileSystem
import NIOCore
import NIOPosix
import Output
import RunRecord
import Runner

/// The records that the commands under `report` read.
enum RecordInputs {
    /// The number of descriptors per record.
    private static let descriptors = 1

    /// Returns the record that an argument names. One outside of the file system is downloaded.
    ///
    /// - Parameter argument: A path, a URL, a key in an object store, or `-` for standard input.
    /// - Throws: ``ExitStatus/invalid`` if the record cannot be read. The error is printed.
    static func input(_ argument: String) throws -> RecordInput {
        if let location = try? StorageLocation(argument), location.isObject, location.isDirectory {
            throw ExitStatus.invalid(
                .invalidOption,
                because:
                    "\"\(location)\" is a prefix of keys: name one record, or merge all with \"apitest report merge\"")
        }
        return try inputs([argument], allowsNone: false).first ?? RecordInput(path: argument)
    }

    /// Returns the records in the order of the arguments. Those outside of the file system are downloaded.
    ///
    /// - Parameters:
    ///   - arguments: Paths, URLs, and prefixes of keys in an object store.
    ///   - allowsNone: Whether a prefix without records is accepted.
    /// - Throws: ``ExitStatus/invalid`` if a record cannot be read. The error is printed.
    static func inputs(_ arguments: [String], allowsNone: Bool) throws -> [RecordInput] {
        do throws(StorageError) {
            var locations: [StorageLocation] = []
            for argument in arguments where StorageLocation.isLocation(argument) {
                locations.append(try StorageLocation(argument))
            }
            if locations.isEmpty {
                _ = FileDescriptors.raiseLimit(forConnections: arguments.count * descriptors)
                return arguments.map { RecordInput(path: $0) }
            }
            let client = try StorageClient(
                for: locations, environment: ProcessEnvironment.variables(), version: Apitest.version)
            defer { Blocking.run { await client.close() } }
            var inputs: [RecordInput] = []
            var next = locations[...]
            for argument in arguments {
                guard StorageLocation.isLocation(argument), let location = next.popFirst() else {
                    inputs.append(RecordInput(path: argument))
                    continue
                }
                let records = try Blocking.run { () async throws(StorageError) in
                    try await client.records(in: [location])
                }
                if records.isEmpty, !allowsNone {
                    throw StorageError(message: "\"\(location)\" has no records: expected keys that end with .jsonl")
                }
                _ = FileDescriptors.raiseLimit(forConnections: (inputs.count + records.count) * descriptors)
                let files = try Blocking.run { () async throws(StorageError) in try await client.download(records) }
                inputs += zip(records, files).map { RecordInput($1, name: $0.description) }
            }
            return inputs
        } catch {
            throw ExitStatus.invalid(error.id ?? .unreadableReport, because: error.message.text)
        }
    }
}

/// Asynchronous operations of commands that run synchronously on the main thread.
enum Blocking {
    /// Runs an operation on the threads of the concurrency runtime, and waits for its result.
    static func run<Value: Sendable, Failure: Error>(
        _ operation: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let future = loop.makeFutureWithTask { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
        }
        while true {
            // The task does not throw.
            if let result = try? future.wait() { return try result.get() }
        }
    }
}
