import Output
import RunModel
import RunRecord

/// What stands in all results of a suite.
struct AllureSuite {
    let info: SuiteInfo
    /// The path of the suite, with the number of the document in it: what the names of its tests begin with.
    let place: String
    /// The members `labels` but for its end, with a comma before it.
    let labels: [UInt8]
    /// Begun with what is the same in each run.
    let history: AllureHash
    /// Begun with what is the same only in this run.
    let identity: AllureHash

    init(_ info: SuiteInfo, run: AllureHash, workingFolder: String, hostName: String) {
        self.info = info
        let place = SuitePlace(path: info.path, documentIndex: info.documentIndex, workingFolder: workingFolder)
        self.place = info.documentIndex > 0 ? "\(place.file)[\(info.documentIndex + 1)]" : place.file
        var history = AllureHash()
        history.add(self.place)
        self.history = history
        var identity = run
        identity.add(Int64(info.index))
        identity.add(self.place)
        self.identity = identity

        var json = JSONText()
        json.beginArray("labels")
        func write(_ name: String, _ value: String, into json: inout JSONText) {
            json.beginObject()
            json.member("name", name)
            json.member("value", value, limit: FailureSummary.longestMessage)
            json.endObject()
        }
        let folders = place.file.split(separator: "/").dropLast()
        if !folders.isEmpty { write("parentSuite", folders.joined(separator: "/"), into: &json) }
        write("suite", info.name, into: &json)
        write("package", place.className, into: &json)
        write("framework", "apitest", into: &json)
        write("language", "yaml", into: &json)
        write("host", hostName, into: &json)
        labels = Array(",".utf8) + json.bytes
    }
}

/// What the container of a suite needs: its results, and the fixtures that are around them.
struct AllureContainer {
    /// The names of the results.
    var children: [AllureHash] = []
    /// The objects of `setup`.
    var befores: [[UInt8]] = []
    /// The objects of `teardown`.
    var afters: [[UInt8]] = []
}

/// A file beside a result: a body, or an exchange as text.
struct AllureAttachment {
    let name: String
    let type: String
    /// The extension of the file's name.
    let suffix: String
    let bytes: [UInt8]

    /// The most bytes of a body that are written.
    private static let longest = 1 << 20

    /// The attachments of an exchange: the whole of it as text, and the bodies that it has.
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
        bytes = body.count > Self.longest ? Array(body.prefix(Self.longest)) : body
        self.name =
            isCut || bytes.count < body.count
            ? "\(name), the first \(bytes.count) of \(size ?? body.count) bytes" : name
    }

    /// The type under which a body is shown; never one that can hold a script.
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

/// Allure's `environment.properties`: what a run had in common.
enum AllureEnvironment {
    /// The file.
    ///
    /// - Parameter notices: What happened beside the tests, for which Allure has no other place.
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
        // The servers that suites start have addresses without end.
        if !addresses.isEmpty, addresses.count <= 10 { write("baseURL", addresses.joined(separator: ", ")) }
        if wasInterrupted { write("interrupted", "true") }
        if let missing { write("incomplete", missing.message) }
        for (index, notice) in notices.enumerated() {
            let name = notice.suite.flatMap { suites[$0]?.name }.map { $0 + ": " } ?? ""
            write("notice \(index + 1)", "\(notice.severity.rawValue): \(name)\(notice.message)")
        }
        return output
    }

    /// Appends a key or value, escaped as Java's properties are, in ASCII.
    private static func append(_ text: String, to output: inout [UInt8], isKey: Bool) {
        var isFirst = true
        for unit in text.utf16.prefix(FailureSummary.longestMessage) {
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

/// The CI job of a run, as Allure's `executor.json` describes it.
struct AllureExecutor {
    /// The file.
    let bytes: [UInt8]

    /// Creates the file for a run; nil when it is not part of a CI job.
    init?(_ origin: RunOrigin) {
        guard let system = origin.system else { return nil }
        var json = JSONText()
        json.beginObject()
        json.member("name", system)
        // Allure's types are the first words of these names: github, gitlab, jenkins.
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
