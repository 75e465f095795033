import Output
import RunModel
import RunRecord

/// The data that all results of a suite share.
struct AllureSuite {
    let info: SuiteInfo
    /// The path of the suite with the document number, which starts the full names of its tests.
    let location: String
    /// The `labels` member with a leading comma and without the closing bracket.
    let labels: [UInt8]
    /// The prefix of hashes that are the same in every run.
    let history: AllureHash
    /// The prefix of hashes that are unique to this run.
    let identity: AllureHash

    init(_ info: SuiteInfo, run: AllureHash, workingDirectory: String, hostName: String) {
        self.info = info
        let location = SuiteLocation(
            path: info.path, documentIndex: info.documentIndex, workingDirectory: workingDirectory)
        self.location = info.documentIndex > 0 ? "\(location.file)[\(info.documentIndex + 1)]" : location.file
        var history = AllureHash()
        history.add(self.location)
        self.history = history
        var identity = run
        identity.add(Int64(info.index))
        identity.add(self.location)
        self.identity = identity

        var json = JSONText()
        json.beginArray("labels")
        func write(_ name: String, _ value: String, into json: inout JSONText) {
            json.beginObject()
            json.member("name", name)
            json.member("value", value, limit: FailureSummary.maximumMessageLength)
            json.endObject()
        }
        let directories = location.file.split(separator: "/").dropLast()
        if !directories.isEmpty { write("parentSuite", directories.joined(separator: "/"), into: &json) }
        write("suite", info.name, into: &json)
        write("package", location.className, into: &json)
        write("framework", "apitest", into: &json)
        write("language", "yaml", into: &json)
        write("host", hostName, into: &json)
        labels = Array(",".utf8) + json.bytes
    }
}

/// The contents of a suite's container: its results and their fixtures.
struct AllureContainer {
    /// The identities of the results.
    var children: [AllureHash] = []
    /// The serialized objects of `setup`.
    var befores: [[UInt8]] = []
    /// The serialized objects of `teardown`.
    var afters: [[UInt8]] = []
}

/// A file attached to a result: a body, or an exchange as text.
struct AllureAttachment {
    let name: String
    let type: String
    /// The file name extension.
    let suffix: String
    let bytes: [UInt8]

    /// The maximum number of bytes of a body to write.
    private static let maximumLength = 1 << 20

    /// Returns the attachments of an exchange: a transcript and the nonempty bodies.
    static func all(of exchange: Exchange, sizes: BodySizes.Pair) -> [AllureAttachment] {
        let transcript = ExchangeTranscript.text(exchange, sizes: sizes)
        var attachments = [
            AllureAttachment(name: "exchange", type: "text/plain", suffix: "txt", bytes: Array(transcript.utf8))
        ]
        func add(_ name: String, _ body: [UInt8], _ fields: [HeaderField], size: Int?, isCut: Bool) {
            guard !body.isEmpty else { return }
            let type = fields.first { $0.isNamed("Content-Type") }?.value ?? ""
            attachments.append(AllureAttachment(name, body, contentType: type, size: size, isCut: isCut))
        }
        add(
            "request body", exchange.request.body, exchange.request.headers, size: sizes.request,
            isCut: sizes.isRequestCut)
        if let response = exchange.response {
            add(
                "response body", response.body, response.headers, size: sizes.response, isCut: sizes.isResponseCut)
        }
        return attachments
    }

    private init(name: String, type: String, suffix: String, bytes: [UInt8]) {
        self.name = name
        self.type = type
        self.suffix = suffix
        self.bytes = bytes
    }

    private init(_ name: String, _ body: [UInt8], contentType: String, size: Int?, isCut: Bool) {
        let media = BodyExcerpt.mediaType(contentType).lowercased()
        (type, suffix) = Self.kind(of: body, media)
        bytes = body.count > Self.maximumLength ? Array(body.prefix(Self.maximumLength)) : body
        self.name =
            isCut || bytes.count < body.count
            ? "\(name) (first \(bytes.count) of \(size ?? body.count) bytes)" : name
    }

    /// Returns the media type and file extension under which to show a body.
    ///
    /// The type never allows scripts.
    private static func kind(of body: [UInt8], _ media: String) -> (type: String, suffix: String) {
        switch media {
        case "image/png": return ("image/png", "png")
        case "image/jpeg": return ("image/jpeg", "jpg")
        case "image/gif": return ("image/gif", "gif")
        default: break
        }
        if body.prefix(4_096).contains(0) { return ("application/octet-stream", "bin") }
        if media.hasSuffix("json") { return ("application/json", "json") }
        if media == "text/csv" { return ("text/csv", "csv") }
        return ("text/plain", "txt")
    }
}

/// The `environment.properties` file of Allure, with properties of the whole run.
enum AllureEnvironment {
    /// Returns the contents of the file.
    ///
    /// - Parameter notices: The notices of the run, for which Allure has no other location.
    static func bytes(
        run: RunInfo, suites: [Int: SuiteInfo], notices: [RunNotice] = [], missing: MissingTests? = nil,
        wasInterrupted: Bool = false
    ) -> [UInt8] {
        var output: [UInt8] = []
        func write(_ name: String, _ value: String) {
            append(name, to: &output, isKey: true)
            output += " = ".utf8
            append(value, to: &output, isKey: false)
            output.append(0x0A)
        }
        write("apitest", run.version)
        write("seed", String(run.seed))
        write("host", run.hostName)
        write("jobs", String(run.jobs))
        if let shard = run.shard { write("shard", shard) }
        let environments = Set(suites.values.compactMap(\.environment)).sorted()
        if !environments.isEmpty { write("environment", environments.joined(separator: ", ")) }
        let addresses = Set(suites.values.compactMap(\.baseURL)).sorted()
        // Servers that suites start themselves can produce any number of addresses.
        if !addresses.isEmpty, addresses.count <= 10 { write("baseURL", addresses.joined(separator: ", ")) }
        if wasInterrupted { write("interrupted", "true") }
        if let missing { write("incomplete", missing.message) }
        for (index, notice) in notices.enumerated() {
            let name = notice.suite.flatMap { suites[$0]?.name }.map { $0 + ": " } ?? ""
            write("notice \(index + 1)", "\(notice.severity.rawValue): \(name)\(notice.messageWithID)")
        }
        return output
    }

    /// Appends a key or value in ASCII, escaped as in Java property files.
    private static func append(_ text: String, to output: inout [UInt8], isKey: Bool) {
        var isFirst = true
        for unit in text.utf16.prefix(FailureSummary.maximumMessageLength) {
            defer { isFirst = false }
            switch unit {
            case 0x20 where isKey || isFirst: output += "\\ ".utf8
            case 0x3A where isKey, 0x3D where isKey, 0x23 where isKey, 0x21 where isKey, 0x5C:
                output += [0x5C, UInt8(truncatingIfNeeded: unit)]
            case 0x20..<0x7F: output.append(UInt8(truncatingIfNeeded: unit))
            default:
                let digits = String(unit, radix: 16, uppercase: true)
                output += "\\u".utf8
                output += String(repeating: "0", count: 4 - digits.utf8.count).utf8
                output += digits.utf8
            }
        }
    }
}

/// The CI job of a run, in the format of Allure's `executor.json`.
struct AllureExecutor {
    /// The contents of the file.
    let bytes: [UInt8]

    /// Creates the file for a run, or returns `nil` if the run is not part of a CI job.
    init?(_ origin: RunOrigin) {
        guard let system = origin.system else { return nil }
        var json = JSONText()
        json.beginObject()
        json.member("name", system)
        // Allure's executor types are the first words of these names: github, gitlab, jenkins.
        json.member("type", system.prefix { $0 != " " }.lowercased())
        if let build = origin.build { json.member("buildOrder", build) }
        if let job = origin.job {
            json.member("buildName", job.name)
            if let url = job.url { json.member("buildUrl", url) }
        }
        json.endObject()
        bytes = json.bytes + [0x0A]
    }
}
