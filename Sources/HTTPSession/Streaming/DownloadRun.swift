/// The stages of a download: the files, the request for what is missing, the transfer, and the name at the end.
struct DownloadRun: Sendable {
    let exchange: PendingExchange
    let path: String
    let options: DownloadOptions

    /// How much of a refusal's body its error gets.
    private static let refusalBytes = 64 << 10

    /// What is to be done with a response.
    private enum Plan {
        /// Its body goes on where the file ends.
        case append(total: Int?)
        /// Its body is the whole file.
        case begin(total: Int?)
        /// The file was complete already.
        case complete
        /// The file cannot be continued.
        case startAnew
    }

    /// Makes the download, and continues it where that is wanted.
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
            // Also when the task is cancelled: this does not wait for anything that a cancellation ends.
            if !isResumable { files.remove() }
            throw error
        }
    }

    // MARK: The request

    private func exchanged(
        _ rest: DownloadFiles.Rest, _ files: DownloadFiles
    ) async throws(SessionError) -> (body: StreamedResponse, plan: Plan) {
        let first = try await request(rest.record.map { ($0.validator, rest.length) }, files).stream()
        let plan = try await self.plan(first, rest)
        guard case .startAnew = plan else { return (first, plan) }
        first.body.abandon()
        let second = try await request(nil, files).stream()
        return (second, try await self.plan(second, nil))
    }

    private func request(_ rest: (validator: String, length: Int)?, _ files: DownloadFiles) -> PendingExchange {
        guard files.options.resumes else { return exchange }
        return exchange.with { request in
            // The bytes of a range are those of the coded body, which need not be the same at another time.
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
                // A server that does not know If-Range may send a part of another version.
                let validator = PartialFileRecord.validator(in: response.headers)
                let isSame = validator == nil || validator == record.validator || response.headers["ETag"] == nil
                let isCoded = response.headers.contains("Content-Encoding")
                return range?.first == rest.length && isSame && !isCoded ? .append(total: range?.total) : .startAnew
            }
            if response.status == 416 { return range?.total == rest.length ? .complete : .startAnew }
        }
        guard (200..<300).contains(response.status) else { throw await refusal(response) }
        let isCoded = response.headers.contains("Content-Encoding") && exchange.request.decompress
        return .begin(total: isCoded ? nil : response.expectedLength)
    }

    /// The error of a status that is not 2xx, with the beginning of the body.
    private func refusal(_ response: StreamedResponse) async -> SessionError {
        var refused = response.response
        while refused.body.count < Self.refusalBytes, let piece = try? await response.body.next() {
            refused.body += piece.prefix(Self.refusalBytes - refused.body.count)
        }
        response.body.abandon()
        let reason = response.response.reason.isEmpty ? "" : " " + response.response.reason
        return SessionError(
            .validate, .unacceptableResponse,
            "the file is not there to download: the status is \(response.status)\(reason)",
            response: refused)
    }

    // MARK: The transfer

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
        case .startAnew:
            throw error(response, .invalidResponse, "the server sends a part of the file that was not asked for")
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
            throw error(response, .connectionClosed, "the server has sent \(length) of \(total) bytes")
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
        _ response: StreamedResponse, _ reason: SessionError.Reason, _ message: String
    ) -> SessionError {
        SessionError(.receive, reason, message, response: response.response)
    }

    /// Does what may wait for a disk.
    private func work<Value: Sendable>(
        _ phase: SessionError.Phase, _ body: @escaping @Sendable () throws(FileFailure) -> Value
    ) async throws(SessionError) -> Value {
        do throws(FileFailure) {
            return try await BlockingWork.run(body)
        } catch {
            throw SessionError(
                phase: phase, reason: .fileNotWritable,
                message: "the file cannot be written: \(error.path): \(error.message)",
                method: exchange.request.method, url: exchange.request.url)
        }
    }
}
