import Basics
public import RunModel

extension RunOrigin {
    /// The maximum number of characters of a name or URL.
    private static let maximumLength = 2_048

    /// Creates an origin from the environment variables of CI systems.
    ///
    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - revision: The revision of the system under test, or `nil` for the revision that the CI system provides.
    public init(environment: [String: String], revision: String? = nil) {
        let variables = CIVariables(environment)
        self =
            Self.gitHub(variables) ?? Self.gitLab(variables) ?? Self.azure(variables) ?? Self.buildkite(variables)
            ?? Self.circleCI(variables) ?? Self.bitbucket(variables) ?? Self.jenkins(variables) ?? RunOrigin()
        if let revision, revision != self.revision?.name {
            self.revision = Self.link(revision)
        } else if self.revision == nil {
            self.revision = Self.link(variables["GITHUB_SHA"] ?? variables["CI_COMMIT_SHA"])
        }
    }

    // MARK: Systems

    private static func gitHub(_ variables: CIVariables) -> RunOrigin? {
        guard variables["GITHUB_ACTIONS"] == "true" else { return nil }
        let repository = variables.joined("GITHUB_SERVER_URL", "/", "GITHUB_REPOSITORY")
        // For a pull request, GITHUB_REF is refs/pull/7/merge and GITHUB_HEAD_REF is the branch.
        let pull = variables["GITHUB_REF"].flatMap { $0.hasPrefix("refs/pull/") ? $0.split(separator: "/") : nil }
        let branch = variables["GITHUB_HEAD_REF"] ?? variables["GITHUB_REF_NAME"]
        let path = pull.map { "/pull/\($0.dropFirst(2).first ?? "")" } ?? branch.map { "/tree/" + escaped($0) } ?? ""
        let attempt = variables["GITHUB_RUN_ATTEMPT"].flatMap { $0 == "1" ? nil : "/attempts/\($0)" } ?? ""
        return RunOrigin(
            system: "GitHub Actions", number: variables["GITHUB_RUN_NUMBER"], name: variables["GITHUB_WORKFLOW"],
            url: repository.flatMap { base in
                variables["GITHUB_RUN_ID"].map { "\(base)/actions/runs/\($0)\(attempt)" }
            },
            revision: link(variables["GITHUB_SHA"]) { hash in repository.map { "\($0)/commit/\(hash)" } },
            branch: link(branch) { _ in repository.map { $0 + path } })
    }

    private static func gitLab(_ variables: CIVariables) -> RunOrigin? {
        guard variables["GITLAB_CI"] == "true" else { return nil }
        let project = variables["CI_PROJECT_URL"]
        let request = variables.joined("CI_MERGE_REQUEST_PROJECT_URL", "/-/merge_requests/", "CI_MERGE_REQUEST_IID")
        return RunOrigin(
            system: "GitLab CI", number: variables["CI_PIPELINE_IID"], name: variables["CI_JOB_NAME"],
            url: variables["CI_JOB_URL"] ?? variables["CI_PIPELINE_URL"],
            revision: link(variables["CI_COMMIT_SHA"]) { hash in project.map { "\($0)/-/commit/\(hash)" } },
            branch: link(variables["CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"] ?? variables["CI_COMMIT_REF_NAME"]) { name in
                request ?? project.map { "\($0)/-/tree/\(escaped(name))" }
            })
    }

    private static func azure(_ variables: CIVariables) -> RunOrigin? {
        guard variables["TF_BUILD"]?.lowercased() == "true" else { return nil }
        let collection = variables.joined("SYSTEM_TEAMFOUNDATIONCOLLECTIONURI", "", "SYSTEM_TEAMPROJECT")
        return RunOrigin(
            system: "Azure Pipelines", number: variables["BUILD_BUILDNUMBER"], name: variables["BUILD_DEFINITIONNAME"],
            url: collection.flatMap { base in
                variables["BUILD_BUILDID"].map { "\(base)/_build/results?buildId=\($0)" }
            },
            revision: link(variables["BUILD_SOURCEVERSION"]), branch: link(variables["BUILD_SOURCEBRANCHNAME"]))
    }

    private static func buildkite(_ variables: CIVariables) -> RunOrigin? {
        guard variables["BUILDKITE"] == "true" else { return nil }
        return RunOrigin(
            system: "Buildkite", number: variables["BUILDKITE_BUILD_NUMBER"],
            name: variables["BUILDKITE_PIPELINE_SLUG"],
            url: variables.joined("BUILDKITE_BUILD_URL", "#", "BUILDKITE_JOB_ID") ?? variables["BUILDKITE_BUILD_URL"],
            revision: link(variables["BUILDKITE_COMMIT"]), branch: link(variables["BUILDKITE_BRANCH"]))
    }

    private static func circleCI(_ variables: CIVariables) -> RunOrigin? {
        guard variables["CIRCLECI"] == "true" else { return nil }
        return RunOrigin(
            system: "CircleCI", number: variables["CIRCLE_BUILD_NUM"], name: variables["CIRCLE_JOB"],
            url: variables["CIRCLE_BUILD_URL"], revision: link(variables["CIRCLE_SHA1"]),
            branch: link(variables["CIRCLE_BRANCH"] ?? variables["CIRCLE_TAG"]))
    }

    private static func bitbucket(_ variables: CIVariables) -> RunOrigin? {
        guard let number = variables["BITBUCKET_BUILD_NUMBER"] else { return nil }
        let repository = variables["BITBUCKET_GIT_HTTP_ORIGIN"]
        return RunOrigin(
            system: "Bitbucket Pipelines", number: number, name: variables["BITBUCKET_REPO_SLUG"],
            url: repository.map { "\($0)/pipelines/results/\(number)" },
            revision: link(variables["BITBUCKET_COMMIT"]) { hash in repository.map { "\($0)/commits/\(hash)" } },
            branch: link(variables["BITBUCKET_BRANCH"] ?? variables["BITBUCKET_TAG"]))
    }

    private static func jenkins(_ variables: CIVariables) -> RunOrigin? {
        guard variables["JENKINS_URL"] != nil else { return nil }
        return RunOrigin(
            system: "Jenkins", number: variables["BUILD_NUMBER"], name: variables["JOB_NAME"],
            url: variables["BUILD_URL"], revision: link(variables["GIT_COMMIT"]),
            branch: link(variables["CHANGE_BRANCH"] ?? variables["BRANCH_NAME"] ?? variables["GIT_BRANCH"]) { _ in
                variables["CHANGE_URL"]
            })
    }

    // MARK: Parts

    private init(system: String, number: String?, name: String?, url: String?, revision: Link?, branch: Link?) {
        let words = [name, number.map { "#" + $0 }].compactMap { $0 }
        self.init(
            revision: revision, branch: branch,
            job: Self.link(words.isEmpty ? url.map { _ in system } : words.joined(separator: " ")) { _ in url },
            system: system,
            build: number.flatMap { Int64($0) })
    }

    private static func link(_ name: String?, url: (String) -> String? = { _ in nil }) -> Link? {
        guard let name, !name.isEmpty else { return nil }
        return Link(name: String(name.prefix(maximumLength)), url: url(name).flatMap(page))
    }

    /// Returns a URL if a page may link to it: it must be a web page and have no credentials.
    private static func page(_ url: String) -> String? {
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), url.utf8.count <= maximumLength,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E })
        else { return nil }
        let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return authority.isEmpty || authority.contains("@") ? nil : url
    }

    /// Returns a branch name percent-encoded for a URL path, except for its slashes.
    private static func escaped(_ name: String) -> String {
        PercentEncoding.encode(name) { ASCII.isUnreserved($0) || $0 == UInt8(ascii: "/") }
    }
}

/// The environment variables of a CI system.
///
/// An empty variable counts as not set.
private struct CIVariables {
    private let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    subscript(name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns two variables joined by a separator, or `nil` unless both are set.
    func joined(_ first: String, _ between: String, _ second: String) -> String? {
        guard let first = self[first], let second = self[second] else { return nil }
        return first + between + second
    }
}
