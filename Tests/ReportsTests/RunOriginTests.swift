import RunModel
import Testing

@testable import Reports

struct RunOriginTests {
    private static let gitHub = [
        "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "a/b",
        "GITHUB_SHA": "0123456789abcdef0123456789abcdef01234567", "GITHUB_REF": "refs/heads/fix/#7",
        "GITHUB_REF_NAME": "fix/#7", "GITHUB_WORKFLOW": "CI", "GITHUB_RUN_NUMBER": "12", "GITHUB_RUN_ID": "99",
        "GITHUB_RUN_ATTEMPT": "1",
    ]

    private static func texts(_ environment: [String: String], revision: String? = nil) -> [String] {
        RunOrigin(environment: environment, revision: revision).links.map { title, link in
            "\(title) \(link.shortName) \(link.url ?? "-")"
        }
    }

    @Test func gitHubActions() {
        #expect(
            Self.texts(Self.gitHub) == [
                "Commit 0123456789ab https://github.com/a/b/commit/0123456789abcdef0123456789abcdef01234567",
                "Branch fix/#7 https://github.com/a/b/tree/fix/%237",
                "Job CI #12 https://github.com/a/b/actions/runs/99",
            ])
        let request = Self.gitHub.merging([
            "GITHUB_REF": "refs/pull/7/merge", "GITHUB_REF_NAME": "7/merge", "GITHUB_HEAD_REF": "topic",
            "GITHUB_RUN_ATTEMPT": "2",
        ]) { $1 }
        #expect(
            Self.texts(request).dropFirst() == [
                "Branch topic https://github.com/a/b/pull/7",
                "Job CI #12 https://github.com/a/b/actions/runs/99/attempts/2",
            ])
        // A reference in an unexpected format is not an error.
        #expect(Self.texts(Self.gitHub.merging(["GITHUB_REF": "refs/pull/"]) { $1 }).count == 3)
    }

    @Test(arguments: [
        (
            [
                "GITLAB_CI": "true", "CI_PROJECT_URL": "https://g.example/a/b", "CI_COMMIT_SHA": "abc",
                "CI_COMMIT_REF_NAME": "main", "CI_JOB_NAME": "api", "CI_PIPELINE_IID": "3",
                "CI_JOB_URL": "https://g.example/a/b/-/jobs/5",
            ],
            [
                "Commit abc https://g.example/a/b/-/commit/abc", "Branch main https://g.example/a/b/-/tree/main",
                "Job api #3 https://g.example/a/b/-/jobs/5",
            ]
        ),
        (
            [
                "JENKINS_URL": "https://j", "BUILD_NUMBER": "3", "JOB_NAME": "api", "BUILD_URL": "https://j/3",
                "GIT_COMMIT": "abc", "GIT_BRANCH": "origin/main",
            ], ["Commit abc -", "Branch origin/main -", "Job api #3 https://j/3"]
        ),
        (
            ["CIRCLECI": "true", "CIRCLE_SHA1": "abc", "CIRCLE_JOB": "api", "CIRCLE_BUILD_URL": "https://c/3"],
            ["Commit abc -", "Job api https://c/3"]
        ),
        (["GITHUB_SHA": "abc"], ["Commit abc -"]), (["CI_COMMIT_SHA": "abc"], ["Commit abc -"]), ([:], []),
    ])
    func otherSystems(_ environment: [String: String], _ expected: [String]) {
        #expect(Self.texts(environment) == expected)
    }

    @Test("A given revision replaces the one from the CI system and its link")
    func statedRevision() {
        #expect(Self.texts(Self.gitHub, revision: "v2").first == "Commit v2 -")
        let hash = Self.gitHub["GITHUB_SHA"]
        #expect(Self.texts(Self.gitHub, revision: hash).first?.hasSuffix("-") == false)
    }

    @Test(
        "URLs that could run code or contain credentials are not linked",
        arguments: ["javascript:alert(1)", "https://ada:secret@j/3", "https://j/\"><script>", "https://", "file:///x"])
    func unsafeURLs(_ url: String) {
        let origin = RunOrigin(environment: ["JENKINS_URL": "j", "JOB_NAME": "api", "BUILD_URL": url])
        #expect(origin.job == RunOrigin.Link(name: "api"))
    }

    @Test func shards() {
        var first = RunOrigin(environment: Self.gitHub)
        let whole = first
        first.job?.url = "https://github.com/a/b/actions/runs/99/job/1"
        let common = first.common(with: [first, whole])
        #expect(common.job == nil)
        #expect(common.revision == whole.revision)
    }
}
