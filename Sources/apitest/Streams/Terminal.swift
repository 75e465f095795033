import APITestKit
import Glibc
import Synchronization

/// The choice of when to use color.
enum ColorChoice: String, ArgumentValue, CaseIterable {
    /// On terminals and in the logs of CI services that support color, unless the environment disables it.
    case auto
    /// Always.
    case always
    /// Never.
    case never

    /// Returns whether output to a descriptor is colored.
    ///
    /// The precedence is the usual one: NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, and then TERM and CLICOLOR.
    func isOn(for descriptor: Int32, environment: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: Self.isOnByDefault(for: descriptor, environment: environment)
        }
    }

    private static func isOnByDefault(for descriptor: Int32, environment: [String: String]) -> Bool {
        if environment["NO_COLOR"]?.isEmpty == false { return false }
        if let force = environment["FORCE_COLOR"], !force.isEmpty { return force != "0" && force != "false" }
        if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
        if environment["TERM"] == "dumb" || environment["CLICOLOR"] == "0" { return false }
        if isatty(descriptor) == 1 { return true }
        let showsColors = ["GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE"].contains { environment[$0] == "true" }
        return showsColors && !Terminal.isFile(descriptor)
    }
}

/// Properties of the terminal to which the program writes.
enum Terminal {
    /// Whether there may be a live line, which must be removed at exit.
    private static let hasLiveLine = Atomic(false)

    /// Sets whether there may be a live line from now on.
    static func expectLiveLine(_ isLive: Bool) {
        hasLiveLine.store(isLive, ordering: .relaxed)
    }

    /// Whether standard error, which shows the progress, is a terminal.
    static var isTerminalForProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// Returns whether two descriptors refer to the same terminal.
    static func areSame(_ first: Int32, _ second: Int32) -> Bool {
        var one = stat()
        var other = stat()
        guard isatty(first) == 1, isatty(second) == 1, fstat(first, &one) == 0, fstat(second, &other) == 0 else {
            return false
        }
        return one.st_rdev == other.st_rdev
    }

    /// Returns whether a descriptor refers to a regular file, as after `> file`.
    static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Removes the live line before an immediate exit.
    static func clearLiveLine() {
        if hasLiveLine.load(ordering: .relaxed) { StandardError.write("\r\u{1B}[K") }
    }

    /// Returns the width in columns of the terminal of a descriptor.
    static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
