import Basics
import FileSystem

/// The steps of a download: opening files, requesting the missing bytes, the transfer, and the final rename.
struct DownloadRun: Sendable {
    let exchange: PendingExchange
    let path: String
    let options: DownloadOptions

    /// The maximum number of body bytes in the error of a refused download.
    private static let refusalBytes = 64 << 10

    /// The way in which a response is used.
    private enum Plan {
        /// The body continues the partial file.
        case append(total: Int?)
        /// The body is the whole file.
        case begin(total: Int?)
        /// The partial file was complete already.
        case complete
        /// The partial file cannot be continued.
        case restart
    }

    /// Runs the download and continues it after lost connections, if requested.
    func run(_ board: ProgressBoard) async throws(SessionError) -> DownloadedFile {
        let mark = exchange.session.configuration.random.next()
        let resumes = options.resumes && !exchange.request.headers.contains("Range") && exchange.request.method == .get
        var options = options
        options.resumes = resumes
        let files = DownloadFiles(destination: path, options: options, mark: mark)
        var continuations = resumes ? max(0, options.continuations) : 0
        while true {
            do throws(SessionError) {
                return try await attempt(files, board)
            } catch {
                guard continuations > 0, error.isConnectionLoss, !Task.isCancelled else { throw error }
                continuations -= 1
            }
        }
    }

    private func attempt(_ files: DownloadFiles, _ board: ProgressBoard) async throws(SessionError) -> DownloadedFile {
        let url = try exchange.session.url(of: exchange.request).withFragment(nil).description
        let rest = try await work(.request) { () throws(FileFailure) in try files.open(url: url) }
        defer { rest.file.unlock() }
        var isResumable = rest.record != nil
        do throws(SessionError) {
            let response = try await exchanged(rest, files)
            let file = try await transfer(response.body, plan: response.plan, rest, url, files, board, &isResumable)
            try await work(.receive) { () throws(FileFailure) in try files.finish(rest.file) }
            return file
        } catch {
            if case .limitExceeded = error.reason { isResumable = false }
            // This also runs when the task is cancelled: it waits for nothing that a cancellation would stop.
            if !isResumable { files.remove() }
            throw error
        }
    }

    // MARK: Request

    private func exchanged(
        _ rest: DownloadFiles.Rest, _ files: DownloadFiles
    ) async throws(SessionError) -> (body: StreamedResponse, plan: Plan) {
        let first = try await request(rest.record.map { ($0.validator, rest.length) }, files).stream()
        let plan = try await self.plan(first, rest)
        guard case .restart = plan else { return (first, plan) }
        first.body.abandon()
        let second = try await request(nil, files).stream()
        return (second, try await self.plan(second, nil))
    }

    private func request(_ rest: (validator: String, length: Int)?, _ files: DownloadFiles) -> PendingExchange {
        guard files.options.resumes else { return exchange }
        return exchange.with { request in
            // A range counts the bytes of the encoded body, which can differ between transfers.
            if !request.headers.contains("Accept-Encoding") {
                request.headers.append(name: "Accept-Encoding", value: "identity")
            }
            guard let rest else { return }
            request.headers.set(name: "Range", value: "bytes=\(rest.length)-")
            request.headers.set(name: "If-Range", value: rest.validator)
        }
    }

    private func plan(
        _ response: StreamedResponse, _ rest: DownloadFiles.Rest?
    ) async throws(SessionError) -> Plan {
        let range = response.headers["Content-Range"].flatMap { ContentRange($0) }
        if let rest, let record = rest.record {
            if response.status == 206 {
                // A server that does not support If-Range may send a range of another version.
                let validator = PartialFileRecord.validator(in: response.headers)
                let isSame = validator == nil || validator == record.validator || response.headers["ETag"] == nil
                let isCoded = response.headers.contains("Content-Encoding")
                return range?.first == rest.length && isSame && !isCoded ? .append(total: range?.total) : .restart
            }
            if response.status == 416 { return range?.total == rest.length ? .complete : .restart }
        }
        guard (200..<300).contains(response.status) else { throw await refusal(response) }
        let isCoded = response.headers.contains("Content-Encoding") && exchange.request.decompress
        return .begin(total: isCoded ? nil : response.expectedLength)
    }

    /// Returns the error of a status other than 2xx, with the start of the body.
    private func refusal(_ response: StreamedResponse) async -> SessionError {
        var refused = response.response
        while refused.body.count < Self.refusalBytes, let piece = try? await response.body.next() {
            refused.body += piece.prefix(Self.refusalBytes - refused.body.count)
        }
        response.body.abandon()
        let reason = response.response.reason.isEmpty ? "" : " " + response.response.reason
        return SessionError(
            .validate, .unacceptableResponse,
            "cannot download the file: the status is \(response.status)\(reason)",
            response: refused)
    }

    // MARK: Transfer

    private func transfer(
        _ response: StreamedResponse, plan: Plan, _ rest: DownloadFiles.Rest, _ url: String, _ files: DownloadFiles,
        _ board: ProgressBoard, _ isResumable: inout Bool
    ) async throws(SessionError) -> DownloadedFile {
        var length = 0
        var resumed = 0
        var total: Int?
        switch plan {
        case .complete:
            response.body.abandon()
            return downloaded(response, length: rest.length, resumed: rest.length)
        case .append(let known):
            length = rest.length
            resumed = rest.length
            total = known
        case .begin(let known):
            total = known
            let keeps = files.options.resumes && !response.headers.contains("Content-Encoding")
            let record = keeps ? PartialFileRecord(url: url, headers: response.headers) : nil
            isResumable = record != nil
            try await work(.receive) { () throws(FileFailure) in try files.begin(rest.file, record) }
        case .restart:
            throw error(response, .invalidResponse, "the server sent a part of the file that was not requested")
        }
        if let total { try check(response, total) }
        board.post(TransferProgress(completed: length, total: total))
        while let piece = try await response.body.next() {
            try check(response, length + piece.count)
            let offset = length
            try await work(.receive) { () throws(FileFailure) in try rest.file.write(piece, at: offset) }
            length += piece.count
            board.post(TransferProgress(completed: length, total: total))
        }
        if let total, length < total {
            throw error(response, .connectionClosed, "the server sent only \(length) of \(total) bytes")
        }
        return downloaded(response, length: length, resumed: resumed)
    }

    private func check(_ response: StreamedResponse, _ length: Int) throws(SessionError) {
        guard let maximum = options.maximumBytes, length > maximum else { return }
        response.body.abandon()
        throw error(
            response, .limitExceeded(.bodyBytes, maximum), "the file is larger than the limit of \(maximum) bytes")
    }

    private func downloaded(_ response: StreamedResponse, length: Int, resumed: Int) -> DownloadedFile {
        DownloadedFile(
            path: path, length: length, resumedBytes: resumed, response: response.response,
            metrics: response.body.end?.metrics ?? response.response.metrics)
    }

    // MARK: Errors

    private func error(
        _ response: StreamedResponse, _ reason: SessionError.Reason, _ message: MessageText
    ) -> SessionError {
        SessionError(.receive, reason, message, response: response.response)
    }

    /// Runs work that may block on disk I/O.
    private func work<Value: Sendable>(
        _ phase: SessionError.Phase, _ body: @escaping @Sendable () throws(FileFailure) -> Value
    ) async throws(SessionError) -> Value {
        do throws(FileFailure) {
            return try await BlockingWork.run(body)
        } catch {
            throw SessionError(
                phase, .fileNotWritable, "the file \"\(error.path)\" cannot be written: \(error.message)",
                request: exchange.request)
        }
    }
}

/// The files of one download: the destination and its temporary files. Every method may block on disk I/O.
struct DownloadFiles: Sendable {
    /// The path of the destination.
    let destination: String
    let options: DownloadOptions
    /// A number that distinguishes the temporary files of downloads to the same path.
    let mark: UInt64

    private var temporary: String {
        let prefix = Path.absolute("." + Path.lastComponent(of: destination), in: Path.parent(of: destination))
        return options.resumes ? prefix + ".partial" : prefix + "." + String(mark, radix: 16) + ".partial"
    }

    private var record: String { temporary + ".info" }

    /// The remains of a previous transfer.
    struct Rest: Sendable {
        var file: PartialFile
        var length: Int
        var record: PartialFileRecord?
    }

    /// Checks the destination and opens the temporary file.
    /// - Parameter url: The source of the file; remains of a download from another source are discarded.
    func open(url: String) throws(FileFailure) -> Rest {
        guard !Path.lastComponent(of: destination).isEmpty else {
            throw FileFailure(path: destination, number: 0, message: "the path does not name a file")
        }
        switch FileSystemCalls.kind(destination) {
        case .nothing: break
        case .directory: throw FileFailure(path: destination, number: 0, message: "it is a directory")
        case .file, .other:
            guard options.replacesFile else {
                throw FileFailure(path: destination, number: 0, message: "the file already exists")
            }
        }
        if options.createsDirectories { try FileSystemCalls.makeDirectory(Path.parent(of: destination)) }
        guard options.resumes else {
            return Rest(file: try PartialFile.create(temporary), length: 0, record: nil)
        }
        let file = try PartialFile.resume(temporary)
        let record = FileSystemCalls.read(record).flatMap { PartialFileRecord($0) }
        let length = try file.length()
        if let record, record.url == url, length > 0 { return Rest(file: file, length: length, record: record) }
        try file.truncate(to: 0)
        FileSystemCalls.remove(self.record)
        return Rest(file: file, length: 0, record: nil)
    }

    /// Discards the bytes received so far, and records the information that a later transfer needs to resume.
    func begin(_ file: PartialFile, _ record: PartialFileRecord?) throws(FileFailure) {
        FileSystemCalls.remove(self.record)
        try file.truncate(to: 0)
        guard let record else { return }
        let info = try PartialFile.create(self.record)
        try info.write(record.bytes, at: 0)
    }

    /// Renames the temporary file to its destination.
    func finish(_ file: PartialFile) throws(FileFailure) {
        if let permissions = options.permissions { try file.setPermissions(permissions) }
        if options.replacesFile {
            try FileSystemCalls.rename(temporary, to: destination)
        } else {
            try FileSystemCalls.renameToFree(temporary, to: destination)
        }
        if options.resumes { FileSystemCalls.remove(record) }
    }

    /// Removes the temporary files.
    func remove() {
        if options.resumes { FileSystemCalls.remove(record) }
        FileSystemCalls.remove(temporary)
    }
}

/// The `Content-Range` of a response in bytes (RFC 9110, section 14.4).
struct ContentRange: Hashable {
    /// The position of the first byte; nil in a response of status 416.
    var first: Int?
    /// The length of the complete representation, if known.
    var total: Int?

    /// Creates a value from `bytes 0-9/20`, `bytes 0-9/*` or `bytes */20`; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, ASCII.equalIgnoringCase(String(parts[0]), "bytes") else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        if sides[1] != "*" {
            guard let total = Self.number(sides[1]) else { return nil }
            self.total = total
        }
        guard sides[0] != "*" else { return }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        self.first = first
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(text)
    }
}
