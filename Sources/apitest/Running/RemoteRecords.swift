import APITestKit
import Basics
import Diagnostics
import FileSystem
import Output
import Reports
import RunModel
import RunRecord
import Runner

/// The records of a run that are written outside of the file system.
struct RemoteRecords {
    private let client: StorageClient
    private let uploads: [(upload: RecordUpload, file: SharedFile)]
    /// The reporters, which write to local copies.
    let reporters: [any Reporter]

    /// Creates the reporters and the uploads of requested records.
    ///
    /// - Parameters:
    ///   - requests: The requests; nil is returned if there are none.
    ///   - environment: The environment of the process.
    ///   - authorities: The path of a PEM file with authorities that are trusted too; nil for none.
    ///   - routes: The proxy and the address overrides of the run.
    /// - Throws: ``ReportError`` if the credentials are missing, or a temporary file cannot be created.
    init?(
        _ requests: [RemoteRequest], environment: [String: String], authorities: String? = nil,
        routes: RunRoutes = RunRoutes()
    ) throws(ReportError) {
        guard let first = requests.first else { return nil }
        do throws(StorageError) {
            client = try StorageClient(
                for: requests.map(\.location), environment: environment, authorities: authorities, routes: routes,
                version: Apitest.version)
        } catch {
            throw Self.error(
                (requests.first { $0.location.isObject } ?? first).location, error.message.text, id: error.id)
        }
        var (uploads, reporters): ([(RecordUpload, SharedFile)], [any Reporter]) = ([], [])
        for request in requests {
            let name = request.location.description
            do throws(FileHandle.Failure) {
                let file = try SharedFile.temporary()
                uploads.append((RecordUpload(file, to: request.location, client: client), file))
                reporters.append(ReporterFactory.record(for: request.report, in: file, name: name))
            } catch {
                throw Self.error(
                    request.location,
                    "cannot create a temporary file in \"\(FileHandle.temporaryDirectory)\": "
                        + SystemInfo.message(of: error.number))
            }
        }
        self.uploads = uploads
        self.reporters = reporters
    }

    private static func error(
        _ location: StorageLocation, _ message: String, id: ProblemID? = nil
    ) -> ReportError {
        ReportError(
            id: id ?? .unwritableFile, path: "\(location)",
            message: "cannot write the report \"\(location)\": \(message)")
    }

    /// Uploads the records at regular intervals while an operation runs.
    ///
    /// - Parameters:
    ///   - records: The records; nil for none.
    ///   - reports: The reports, in which the credentials are masked.
    static func sending(
        _ records: RemoteRecords?, of reports: ReportFanOut, _ operation: () async -> RunSummary
    ) async -> RunSummary {
        guard let records else { return await operation() }
        for secret in records.client.secrets { reports.send(.secretRegistered(secret)) }
        async let sending: Void = records.run()
        let summary = await operation()
        for (upload, _) in records.uploads { upload.stop() }
        await sending
        return summary
    }

    private func run() async {
        await withTaskGroup { group in
            for (upload, _) in uploads {
                group.addTask { await upload.run { StandardError.warn(.unsentRecord, $0) } }
            }
        }
    }

    /// Uploads the complete records.
    ///
    /// A record that cannot be uploaded is kept in a local file.
    ///
    /// - Returns: The errors of the records that could not be uploaded.
    func finish() async -> [ReportError] {
        var errors: [ReportError] = []
        for (upload, file) in uploads {
            do throws(StorageError) {
                try await upload.finish()
            } catch {
                let path = "\(FileHandle.temporaryDirectory)/apitest-\(UInt32.random(in: 0...(.max))).jsonl"
                let hint = file.handle.link(as: path) ? "; the record is in \"\(path)\"" : ""
                errors.append(Self.error(upload.location, error.message.text + hint, id: error.id))
            }
        }
        await client.close()
        return errors
    }
}

/// A requested record outside of the file system.
struct RemoteRequest {
    let report: ReportRequest
    let location: StorageLocation
}

/// The names of records in a directory.
enum RecordName {
    /// Returns the name of the record of a shard, which sorts by its index, or of a run without shards.
    static func of(_ shard: Shard?) -> String {
        guard let shard else { return "record.jsonl" }
        let total = String(shard.count)
        let index = String(shard.index)
        return "shard-\(String(repeating: "0", count: total.count - index.count))\(index)-of-\(total).jsonl"
    }
}
