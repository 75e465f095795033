import Glibc

/// The descriptors of the standard streams.
enum StandardDescriptors {
    /// Gives those that are closed a meaning, so that no file or socket opened from now on gets their number and then
    /// what is written to the stream. Writing to a stream that was closed fails, and reading from it ends, as before.
    static func fill() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest number that is free is given, which is this one. What can only be read cannot be written to.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
