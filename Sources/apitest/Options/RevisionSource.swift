import Basics
import Diagnostics
import FileSystem
import Glibc
import OpenAPI
import Runner
import YAML

/// The files of a revision in the git repository of the working directory, named `git:REVISION:path`.
///
/// References within a file are resolved in the same revision, except for URIs that are mapped to files.
struct RevisionSource: DocumentSource {
    /// The prefix of the locations.
    static let prefix = "git:"
    /// The source of files that are not part of a revision.
    let others: any DocumentSource

    /// Returns the location of a file named by the user.
    ///
    /// - Parameter text: `git:REVISION:path`, with the path relative to the repository root, or to the working
    ///   directory if it starts with `./`.
    /// - Returns: The location with a path relative to the repository root, or the problem.
    static func location(of text: String) -> Result<String, Problem> {
        guard let (revision, path) = parts(of: text), !revision.isEmpty, !path.isEmpty, !revision.hasPrefix("-") else {
            return .failure(
                Problem(
                    diagnostic: Diagnostic(
                        id: "invalid-revision", message: "\"\(text)\" does not name a file in a revision",
                        suggestion: "write git:REVISION:path, such as git:main:openapi.yaml")))
        }
        guard path.hasPrefix("./") || path.hasPrefix("../") else { return .success(text) }
        do {
            let directory = try ChildOutput.run(["git", "rev-parse", "--show-prefix"])
            guard directory.status == 0 else { return .failure(Problem(diagnostic: noRepository(directory))) }
            let prefix = String(decoding: directory.output, as: UTF8.self).split(separator: "\n").first ?? ""
            var directories: [Substring] = []
            for part in (prefix + path).split(separator: "/") where part != "." {
                if part != ".." {
                    directories.append(part)
                } else if directories.popLast() == nil {
                    return .failure(
                        Problem(
                            diagnostic: Diagnostic(
                                id: "missing-file", message: "\"\(path)\" is outside the repository")))
                }
            }
            return .success("\(Self.prefix)\(revision):\(directories.joined(separator: "/"))")
        } catch {
            return .failure(Problem(diagnostic: noGit(error)))
        }
    }

    /// The reason why there is no location.
    struct Problem: Error {
        /// The diagnostic to show.
        var diagnostic: Diagnostic
    }

    func location(ofURI uri: String) -> String? { others.location(ofURI: uri) }

    func document(at location: String) -> LocatedDocument.Reading {
        // References in a revision stay within it. Only a file mapped to a URI has an absolute path.
        if location.hasPrefix("/") { return others.document(at: location) }
        guard let (revision, path) = Self.parts(of: location), !revision.hasPrefix("-") else {
            return .problems([
                Diagnostic(id: "missing-file", message: "\"\(location)\" does not name a file in a revision")
            ])
        }
        do {
            let file = try ChildOutput.run(["git", "cat-file", "blob", "\(revision):\(path)"])
            guard file.status == 0 else { return .problems([try Self.problem(revision, path)]) }
            return LocatedDocument.read(SourceFile(name: location, text: file.output), as: "description")
        } catch {
            return .problems([Self.noGit(error)])
        }
    }

    /// Returns the revision and the path of a location.
    private static func parts(of location: String) -> (revision: String, path: String)? {
        guard location.hasPrefix(prefix) else { return nil }
        let rest = location.dropFirst(prefix.count)
        guard let colon = rest.lastIndex(of: ":") else { return nil }
        return (String(rest[..<colon]), String(rest[rest.index(after: colon)...]))
    }

    // MARK: Problems

    /// Returns the reason why a file does not exist in a revision.
    private static func problem(_ revision: String, _ path: String) throws(ChildOutput.Failure) -> Diagnostic {
        let repository = try ChildOutput.run(["git", "rev-parse", "--git-dir"])
        guard repository.status == 0 else { return noRepository(repository) }
        let tree = try ChildOutput.run(["git", "rev-parse", "--verify", "--quiet", "\(revision)^{tree}"])
        guard tree.status == 0 else {
            return Diagnostic(
                id: "unknown-revision", message: "unknown revision \"\(revision)\"",
                suggestion: "a CI checkout often contains only one commit: fetch the revision first")
        }
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let listing = try ChildOutput.run([
            "git", "ls-tree", "--full-tree", "--name-only", "-z", revision, "--", directory + ".",
        ])
        let names = listing.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        if names.contains(path) {
            return Diagnostic(id: "missing-file", message: "\"\(path)\" is a directory in \(revision), not a file")
        }
        let nearest = Spelling.nearest(to: path, among: names)
        return Diagnostic(
            id: "missing-file", message: "\"\(path)\" does not exist in \(revision)",
            suggestion: nearest.map { "did you mean \"\($0)\"?" }
                ?? "paths are relative to the root of the repository; start with ./ for the current directory")
    }

    private static func noRepository(_ output: ChildOutput) -> Diagnostic {
        if output.errors.contains("not a git repository") {
            return Diagnostic(
                id: "no-repository", message: "the current directory is not in a git repository",
                suggestion: "run apitest in the repository that contains the revision")
        }
        let reason = output.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
        return Diagnostic(id: "no-repository", message: "git cannot read the repository\(reason)")
    }

    private static func noGit(_ failure: ChildOutput.Failure) -> Diagnostic {
        Diagnostic(
            id: "no-repository", message: "cannot run git to read a revision: \(failure.message)",
            suggestion: "install git, or pass the description as a file")
    }
}

/// The output of a program that ran to its end.
struct ChildOutput {
    /// The exit status, or `nil` if a signal terminated the program.
    var status: Int32?
    /// The bytes written to standard output.
    var output: [UInt8]
    /// The text written to standard error.
    var errors: String

    /// The reason why a program could not be run.
    struct Failure: Error {
        /// A sentence without a final period.
        var message: String
    }

    /// The maximum size of the output in bytes.
    private static let maximumOutputSize = 256 << 20

    /// Runs a program, which is searched in `PATH`, with empty standard input.
    static func run(_ arguments: [String]) throws(Failure) -> ChildOutput {
        var outputs: [Int32] = [-1, -1]
        var errors: [Int32] = [-1, -1]
        guard pipe(&outputs) == 0 else { throw Failure(message: reason(errno)) }
        guard pipe(&errors) == 0 else {
            let code = errno
            for end in outputs { close(end) }
            throw Failure(message: reason(code))
        }
        for end in outputs + errors { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { for end in [outputs[0], errors[0]] { close(end) } }
        let started = spawn(arguments, outputs[1], errors[1])
        close(outputs[1])
        close(errors[1])
        guard case .success(let identifier) = started else {
            throw Failure(message: "\(arguments.first ?? "") cannot be started")
        }
        var texts: [[UInt8]] = [[], []]
        let isComplete = readAll([outputs[0], errors[0]], into: &texts)
        if !isComplete { kill(identifier, SIGKILL) }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        guard isComplete else { throw Failure(message: "\(arguments.first ?? "") printed too much output") }
        let hasExited = status & 0x7F == 0
        return ChildOutput(
            status: hasExited ? (status >> 8) & 0xFF : nil, output: texts[0],
            errors: String(decoding: texts[1], as: UTF8.self))
    }

    /// Reads several descriptors to their ends.
    ///
    /// - Returns: Whether everything was read.
    private static func readAll(_ descriptors: [Int32], into texts: inout [[UInt8]]) -> Bool {
        var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while polls.contains(where: { $0.fd >= 0 }) {
            if poll(&polls, nfds_t(polls.count), -1) < 0 {
                if errno == EINTR { continue }
                return false
            }
            for index in polls.indices where polls[index].fd >= 0 && polls[index].revents != 0 {
                let count = read(polls[index].fd, &chunk, chunk.count)
                if count > 0 {
                    texts[index] += chunk[..<count]
                    if texts[index].count > maximumOutputSize { return false }
                } else if count == 0 || errno != EINTR {
                    polls[index].fd = -1
                }
            }
        }
        return true
    }

    private static func spawn(_ arguments: [String], _ output: Int32, _ errors: Int32) -> Result<pid_t, Failure> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child starts with no signals blocked, so that an interrupt terminates it too.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // Messages in English, because some of them are recognized.
        let variables = ProcessEnvironment.variables().merging(["LC_ALL": "C"]) { $1 }
        var identifier: pid_t = 0
        let result = CStringArray.with(arguments) { argv in
            CStringArray.with(variables.map { "\($0.key)=\($0.value)" }) { envp in
                posix_spawnp(&identifier, arguments.first ?? "", &actions, &attributes, argv, envp)
            }
        }
        return result == 0 ? .success(identifier) : .failure(Failure(message: reason(result)))
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
