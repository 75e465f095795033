import APITestKit
import ArgumentParser
import Glibc
import Synchronization

/// When colour is used.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb.
    case auto
    /// Always.
    case always
    /// Never.
    case never

    /// Whether output to the descriptor is coloured.
    func isOn(for descriptor: Int32, environment: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            isatty(descriptor) == 1 && environment["NO_COLOR"].map(\.isEmpty) != false && environment["TERM"] != "dumb"
        }
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

/// The process's environment as a dictionary.
enum ProcessEnvironment {
    /// All variables; read once, when the program begins.
    static func variables() -> [String: String] { APITestKit.ProcessEnvironment.variables() }
}
