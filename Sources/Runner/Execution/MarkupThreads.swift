import NIOCore
import NIOPosix

/// The threads on which XML and HTML are parsed and XPaths evaluated over large documents.
///
/// A document or expression made to take long keeps one of them busy until its budget or its test's time is over. Event
/// loops, timers and signals do not run here, and what waits for its turn is not started once its task is cancelled.
final class MarkupThreads: TaskExecutor {
    /// The threads of the process, which start with the first work.
    static let shared = MarkupThreads()

    private let pool: NIOThreadPool

    private init() {
        pool = NIOThreadPool(numberOfThreads: max(2, System.coreCount))
        pool.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The pool is never shut down, so that each job runs.
        pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
