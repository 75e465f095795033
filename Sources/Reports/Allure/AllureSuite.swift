import SuiteModel

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
