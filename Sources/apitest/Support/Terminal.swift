import APITestKit
import ArgumentParser
import Glibc

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
    /// Whether a live progress line can be drawn on standard error.
    static func canShowProgress(environment: [String: String]) -> Bool {
        isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb" && (environment["CI"] ?? "").isEmpty
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
