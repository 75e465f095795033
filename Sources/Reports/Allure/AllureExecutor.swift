import SuiteModel

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
