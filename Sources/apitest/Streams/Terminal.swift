import APITestKit
import Glibc
import Synchronization

/// When color is used.
enum ColorChoice: String, ArgumentValue, CaseIterable {
    /// On a terminal and in the log of a CI service that shows colors, unless the environment says otherwise.
    case auto
    /// Always.
    case always
    /// Never.
    case never

    /// Whether output to the descriptor is colored.
    ///
    /// As other programs do: NO_COLOR comes before FORCE_COLOR and CLICOLOR_FORCE, these before TERM and CLICOLOR.
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

/// Facts of the terminal that the program writes to.
enum Terminal {
    /// Whether there may be a live line, which has to be taken away when the program ends.
    private static let hasLiveLine = Atomic(false)

    /// Says whether there may be a live line from now on.
    static func expectLiveLine(_ isLive: Bool) {
        hasLiveLine.store(isLive, ordering: .relaxed)
    }

    /// Whether standard error, where it is shown how far a run is, is a terminal.
    static var isTerminalForProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether two descriptors are the same terminal.
    static func areSame(_ first: Int32, _ second: Int32) -> Bool {
        var one = stat()
        var other = stat()
        guard isatty(first) == 1, isatty(second) == 1, fstat(first, &one) == 0, fstat(second, &other) == 0 else {
            return false
        }
        return one.st_rdev == other.st_rdev
    }

    /// Whether a descriptor is that of a file, as after `> file`.
    static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Takes the live line away when the program is to end at once.
    static func clearLiveLine() {
        if hasLiveLine.load(ordering: .relaxed) { StandardError.write("\r\u{1B}[K") }
    }

    /// The width of the terminal behind the descriptor, in columns.
    static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
