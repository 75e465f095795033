#if THREAD_SANITIZER
import HTTPSession

/// The mutex that the thread sanitizer understands.
typealias Mutex = HTTPSession.Mutex
#endif
