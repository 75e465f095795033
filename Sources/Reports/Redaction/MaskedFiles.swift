import Diagnostics
import Synchronization

/// The suites' files with their secrets masked, made once for as long as no secret becomes known; all copies of a redactor
/// have the same.
final class MaskedFiles: Sendable {
    private struct State {
        var generation = 0
        /// Nil for a file without secrets.
        var files: [SourceFile: SourceFile?] = [:]
    }

    private let state = Mutex(State())

    /// The masked file; nil for one without secrets.
    ///
    /// - Parameters:
    ///   - generation: How many secrets are known to whoever asks.
    ///   - make: Masks the file.
    func file(for file: SourceFile, generation: Int, make: () -> SourceFile?) -> SourceFile? {
        if let known = state.withLock({ $0.generation == generation ? $0.files[file] : nil }) { return known }
        let made = make()
        return state.withLock { state in
            guard generation >= state.generation else { return made }
            if generation > state.generation { state = State(generation: generation) }
            // Another thread may have made it meanwhile; all must have the same.
            if let known = state.files[file] { return known }
            state.files[file] = .some(made)
            return made
        }
    }
}
