/// What runs the tests, as Allure's `executor.json` tells it: a CI system that its variables name.
struct AllureExecutor {
    /// The file.
    let bytes: [UInt8]

    /// Looks at the environment; nil when no CI system that is known runs the tests.
    init?(_ environment: [String: String]) {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let (name, type): (String, String)
        let buildName, number, url: String?
        if variable("GITHUB_ACTIONS") == "true" {
            (name, type) = ("GitHub Actions", "github")
            number = variable("GITHUB_RUN_NUMBER")
            buildName = variable("GITHUB_WORKFLOW")
            if let server = variable("GITHUB_SERVER_URL"), let repository = variable("GITHUB_REPOSITORY"),
                let run = variable("GITHUB_RUN_ID")
            {
                url = "\(server)/\(repository)/actions/runs/\(run)"
            } else {
                url = nil
            }
        } else if variable("GITLAB_CI") == "true" {
            (name, type) = ("GitLab CI", "gitlab")
            number = variable("CI_PIPELINE_IID")
            buildName = variable("CI_JOB_NAME")
            url = variable("CI_JOB_URL") ?? variable("CI_PIPELINE_URL")
        } else if variable("JENKINS_URL") != nil {
            (name, type) = ("Jenkins", "jenkins")
            number = variable("BUILD_NUMBER")
            buildName = variable("JOB_NAME")
            url = variable("BUILD_URL")
        } else {
            return nil
        }
        var json = JSONText()
        json.beginObject()
        json.member("name", name)
        json.member("type", type)
        if let order = number.flatMap({ Int64($0) }) { json.member("buildOrder", order) }
        let words = [buildName, number.map { "#" + $0 }].compactMap { $0 }
        if !words.isEmpty { json.member("buildName", words.joined(separator: " ")) }
        if let url { json.member("buildUrl", url) }
        json.endObject()
        bytes = json.bytes + [0x0A]
    }
}
