#if THREAD_SANITIZER
import HTTPSession

/// A mutex that the thread sanitizer supports.
typealias Mutex = HTTPSession.Mutex
#endif
