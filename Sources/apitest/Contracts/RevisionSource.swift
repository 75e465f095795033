import Basics
import Diagnostics
import OpenAPI
import YAML

/// Files of a revision of the git repository that the current folder is in: `git:REVISION:path`.
///
/// What a file refers to is taken from the same revision, but for the files that stand for URIs.
struct RevisionSource: DocumentSource {
    /// What the location of such a file begins with.
    static let prefix = "git:"
    /// The files of no revision.
    let others: any DocumentSource

    /// The location of a file that the user names.
    ///
    /// - Parameter text: `git:REVISION:path`, the path from the repository's top folder, or with `./` from the current one.
    /// - Returns: The same with a path from the top folder; or what is wrong.
    static func location(of text: String) -> Result<String, Problem> {
        guard let (revision, path) = parts(of: text), !revision.isEmpty, !path.isEmpty, !revision.hasPrefix("-") else {
            return .failure(
                Problem(
                    diagnostic: Diagnostic(
                        id: "invalid-revision", message: "\"\(text)\" names no file of a revision",
                        suggestion: "write git:REVISION:path, such as git:main:openapi.yaml")))
        }
        guard path.hasPrefix("./") || path.hasPrefix("../") else { return .success(text) }
        do {
            let folder = try ChildOutput.run(["git", "rev-parse", "--show-prefix"])
            guard folder.status == 0 else { return .failure(Problem(diagnostic: noRepository(folder))) }
            let prefix = String(decoding: folder.output, as: UTF8.self).split(separator: "\n").first ?? ""
            var folders: [Substring] = []
            for part in (prefix + path).split(separator: "/") where part != "." {
                if part != ".." {
                    folders.append(part)
                } else if folders.popLast() == nil {
                    return .failure(
                        Problem(
                            diagnostic: Diagnostic(
                                id: "missing-file", message: "\"\(path)\" lies outside of the repository")))
                }
            }
            return .success("\(Self.prefix)\(revision):\(folders.joined(separator: "/"))")
        } catch {
            return .failure(Problem(diagnostic: noGit(error)))
        }
    }

    /// Why there is no location.
    struct Problem: Error {
        /// What to show.
        var diagnostic: Diagnostic
    }

    func location(ofURI uri: String) -> String? { others.location(ofURI: uri) }

    func document(at location: String) -> LocatedDocument.Reading {
        // References in a revision lead to it: only a file that stands for a URI has a plain path.
        if location.hasPrefix("/") { return others.document(at: location) }
        guard let (revision, path) = Self.parts(of: location), !revision.hasPrefix("-") else {
            return .problems([Diagnostic(id: "missing-file", message: "\"\(location)\" is in no revision")])
        }
        do {
            let file = try ChildOutput.run(["git", "cat-file", "blob", "\(revision):\(path)"])
            guard file.status == 0 else { return .problems([try Self.problem(revision, path)]) }
            return LocatedDocument.read(SourceFile(name: location, text: file.output), as: "description")
        } catch {
            return .problems([Self.noGit(error)])
        }
    }

    /// The revision and the path.
    private static func parts(of location: String) -> (revision: String, path: String)? {
        guard location.hasPrefix(prefix) else { return nil }
        let rest = location.dropFirst(prefix.count)
        guard let colon = rest.lastIndex(of: ":") else { return nil }
        return (String(rest[..<colon]), String(rest[rest.index(after: colon)...]))
    }

    // MARK: Problems

    /// Why there is no such file.
    private static func problem(_ revision: String, _ path: String) throws(ChildOutput.Failure) -> Diagnostic {
        let repository = try ChildOutput.run(["git", "rev-parse", "--git-dir"])
        guard repository.status == 0 else { return noRepository(repository) }
        let tree = try ChildOutput.run(["git", "rev-parse", "--verify", "--quiet", "\(revision)^{tree}"])
        guard tree.status == 0 else {
            return Diagnostic(
                id: "unknown-revision", message: "the repository has no revision \"\(revision)\"",
                suggestion: "a checkout in CI often holds one commit alone: fetch the revision first")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let listing = try ChildOutput.run([
            "git", "ls-tree", "--full-tree", "--name-only", "-z", revision, "--", folder + ".",
        ])
        let names = listing.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        if names.contains(path) {
            return Diagnostic(id: "missing-file", message: "\"\(path)\" is a folder in \(revision), not a file")
        }
        let nearest = Spelling.nearest(to: path, among: names)
        return Diagnostic(
            id: "missing-file", message: "there is no file \"\(path)\" in \(revision)",
            suggestion: nearest.map { "did you mean \"\($0)\"?" }
                ?? "the path is that from the repository's top folder; write ./ before one from the current folder")
    }

    private static func noRepository(_ output: ChildOutput) -> Diagnostic {
        if output.errors.contains("not a git repository") {
            return Diagnostic(
                id: "no-repository", message: "the current folder is in no git repository",
                suggestion: "a description of a revision is read from the repository of the current folder")
        }
        let reason = output.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
        return Diagnostic(id: "no-repository", message: "git does not read the repository\(reason)")
    }

    private static func noGit(_ failure: ChildOutput.Failure) -> Diagnostic {
        Diagnostic(
            id: "no-repository", message: "git cannot be asked for a revision: \(failure.message)",
            suggestion: "install git, or give the description as a file")
    }
}
