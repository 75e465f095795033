import Glibc

/// A pseudoterminal whose output a test can read (pty(7)).
final class PseudoTerminal {
    struct Failure: Error {
        var number: Int32
    }

    /// `TIOCSPTLCK` and `TIOCGPTN` (ioctl_tty(2)), which are not imported into Swift, like posix_openpt(3).
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// The path that a program opens.
    let path: String
    /// All output so far.
    private(set) var bytes: [UInt8] = []
    private var controller: Int32
    /// A descriptor that keeps the terminal open while no program uses it.
    private var own: Int32

    /// Creates a terminal.
    init(columns: Int, rows: Int = 24) throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: CInt = 0
        var isLocked: CInt = 0
        guard controller >= 0, ioctl(controller, Self.unlock, &isLocked) == 0,
            ioctl(controller, Self.getNumber, &number) == 0
        else { throw Failure(number: errno) }
        path = "/dev/pts/\(number)"
        own = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        _ = fcntl(controller, F_SETFL, O_NONBLOCK)
        resize(columns: columns, rows: rows)
    }

    deinit { hangUp() }

    /// Closes the terminal, which sends SIGHUP to its programs.
    func hangUp() {
        guard controller >= 0 else { return }
        close(own)
        close(controller)
        (own, controller) = (-1, -1)
    }

    /// Changes the size.
    func resize(columns: Int, rows: Int = 24) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
    }

    /// Reads the available output.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(controller, &buffer, buffer.count)
            guard count > 0 else { return }
            bytes += buffer.prefix(count)
        }
    }

    /// All output so far, as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
