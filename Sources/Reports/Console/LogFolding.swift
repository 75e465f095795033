import Diagnostics

/// The way in which the log of a CI service folds parts away; text that is no log stays as it is.
public struct LogFolding: Sendable {
    /// A service whose logs can be folded.
    enum Service: Hashable {
        case github, gitlab, buildkite
    }

    private let service: Service
    /// Keeps what a section holds from being read as commands of GitHub Actions.
    private let commands: CommandGuard?
    /// The time that sections of GitLab have, in seconds since 1970.
    private let time: Int64

    /// Finds the service that reads the log; nil for any other.
    ///
    /// - Parameters:
    ///   - environment: The process's environment.
    ///   - time: Seconds since 1970, for GitLab's sections.
    ///   - token: Returns a word that no server and no suite can know.
    public init?(
        environment: [String: String], time: Double,
        token: @escaping @Sendable () -> String = CommandGuard.randomToken
    ) {
        self.time = Int64(max(0, min(time, 1e12)))
        if environment["GITHUB_ACTIONS"] == "true" {
            service = .github
            commands = CommandGuard(environment: environment, token: token)
        } else if environment["GITLAB_CI"] == "true" {
            service = .gitlab
            commands = nil
        } else if environment["BUILDKITE"] == "true" {
            service = .buildkite
            commands = nil
        } else {
            return nil
        }
    }

    /// Renders the parts of a text.
    ///
    /// - Parameter count: The number of sections so far, by which GitLab tells them apart.
    func rendered(_ text: FoldableText, count: inout Int) -> String {
        var result = ""
        for part in text.parts {
            switch part {
            case .plain(let lines): result += guarded(lines)
            case .details(let title, let body): result += section(title, body, isOpen: false, isDetail: true, &count)
            case .section(let title, let body, let isOpen):
                result += section(title, body, isOpen: isOpen, isDetail: false, &count)
            }
        }
        return result
    }

    private func section(
        _ title: String, _ body: String, isOpen: Bool, isDetail: Bool, _ count: inout Int
    ) -> String {
        let whole = isDetail ? body : title + "\n" + body
        switch service {
        case .github:
            guard !isOpen, !body.isEmpty else { return guarded(whole) }
            // A command's text has no colors.
            return WorkflowCommand(name: "group", message: Painter.unpainted(title)).line + guarded(body)
                + WorkflowCommand(name: "endgroup", message: "").line
        case .gitlab:
            guard !isOpen, !body.isEmpty else { return whole }
            count += 1
            let name = "apitest_\(count)"
            return "\u{1B}[0Ksection_start:\(time):\(name)[collapsed=true]\r\u{1B}[0K\(title)\n\(body)"
                + "\u{1B}[0Ksection_end:\(time):\(name)\r\u{1B}[0K\n"
        case .buildkite:
            // A section there lasts until the next one begins, so that details cannot be folded apart.
            return isDetail ? body : (isOpen ? "+++ " : "--- ") + title + "\n" + body
        }
    }

    private func guarded(_ text: String) -> String { commands?.output(text) ?? text }
}
