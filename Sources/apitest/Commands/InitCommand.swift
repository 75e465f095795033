import Diagnostics
import Glibc

/// The `apitest init [DIRECTORY]` command.
struct InitCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "init", abstract: "Create an example suite that runs against its own mock server",
        discussion: "Nothing is overwritten: if one of the files exists, no file is written.")

    var directory = "."

    static var syntax: [Syntax] {
        [
            .argument(
                "directory", \.directory, "Directory to write to, created if it does not exist",
                completion: .directories)
        ]
    }

    func run() throws {
        let directory = directory.isEmpty ? "." : directory
        let prefix = directory == "." ? "" : directory.hasSuffix("/") ? directory : directory + "/"
        let existing = StarterFiles.all.filter { access(prefix + $0.name, F_OK) == 0 }
        guard existing.isEmpty else {
            let names = existing.map { "\"\(prefix)\($0.name)\"" }.joined(separator: ", ")
            throw ExitStatus.invalid(
                .existingFile,
                because: "init: \(names) already \(existing.count == 1 ? "exists" : "exist"), and nothing was written: "
                    + "choose another directory, as in \"apitest init shop\"")
        }
        try OutputDirectory.create(directory, command: "init")
        for file in StarterFiles.all { try Self.write(file.text, to: prefix + file.name) }
        let width = StarterFiles.all.reduce(0) { max($0, $1.name.utf8.count) } + prefix.utf8.count + 2
        var text = ""
        for file in StarterFiles.all {
            let path = prefix + file.name
            text += "wrote \(path)\(String(repeating: " ", count: width - path.utf8.count))\(file.purpose)\n"
        }
        let change = directory == "." ? "" : "cd \(directory) && "
        text += """

            \(change)apitest         runs the suite
            \(change)apitest lint    checks it without sending requests
            \(change)apitest list    lists its tests

            For completion and help in an editor, use the JSON Schema that "apitest schema" prints.

            """
        StandardOutput.write(text)
    }

    /// Writes a file that must not exist yet.
    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        var problem = descriptor < 0 ? errno : 0
        if descriptor >= 0 {
            problem = FileDescriptorWriter.writeAll(Array(text.utf8), to: descriptor) ?? 0
            if close(descriptor) != 0, problem == 0 { problem = errno }
        }
        if problem != 0 {
            throw ExitStatus.invalid(
                .unwritableFile, because: "init: cannot write \"\(path)\": \(String(cString: strerror(problem)))")
        }
    }
}
