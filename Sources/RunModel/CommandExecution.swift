/// The execution of a program by a step, which an ``Exchange`` represents in reports.
///
/// The standard input is the body of the request, the standard output the body of the response, and the exit status its
/// status.
public struct CommandExecution: Sendable, Hashable {
    /// The termination status of the program.
    public enum Ending: Sendable, Hashable {
        /// The program exited with a status.
        case exit(Int)
        /// A signal terminated the program.
        case signal(Int)

        /// The exit status as a shell reports it: that of the program, or 128 plus the number of the signal.
        public var status: Int {
            switch self {
            case .exit(let status): status
            case .signal(let signal): 128 + signal
            }
        }
    }

    /// The method in the request line of a command.
    public static let method = "RUN"

    /// The maximum number of bytes of the standard output that are kept.
    public static let maximumOutput = 64 << 20
    /// The maximum number of bytes of the standard error that are kept.
    public static let maximumErrors = 1 << 20

    /// The program and its arguments; for a shell, its command line.
    public var arguments: [String]
    /// Whether a shell interprets the only argument.
    public var usesShell: Bool
    /// The termination status; nil if the program did not start or was killed.
    public var ending: Ending?
    /// The standard error, possibly truncated.
    public var errors: [UInt8]
    /// The number of bytes that the program wrote to the standard error.
    public var errorSize: Int
    /// Whether ``errors`` is truncated.
    public var isErrorCut: Bool

    /// Creates the execution of a program.
    public init(
        arguments: [String], usesShell: Bool = false, ending: Ending? = nil, errors: [UInt8] = [],
        errorSize: Int? = nil, isErrorCut: Bool = false
    ) {
        self.arguments = arguments
        self.usesShell = usesShell
        self.ending = ending
        self.errors = errors
        self.errorSize = errorSize ?? errors.count
        self.isErrorCut = isErrorCut
    }

    /// The command line, with arguments quoted for a POSIX shell where needed.
    public var line: String {
        usesShell ? arguments.joined(separator: " ") : arguments.map(Self.quoted).joined(separator: " ")
    }

    /// Returns text from a stream of a program without trailing line breaks, as a shell's `$(…)` does.
    public static func trimmed(_ text: String) -> String {
        var bytes = text.utf8[...]
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
            bytes = bytes.dropLast()
        }
        return String(Substring(bytes))
    }

    /// Returns an argument as one word of a POSIX shell.
    private static func quoted(_ argument: String) -> String {
        let isPlain =
            !argument.isEmpty
            && argument.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-_./:=@%+,".utf8.contains(byte)
                }
            }
        if isPlain { return argument }
        return "'" + argument.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
