import Glibc

/// The growth of the memory of a load: a setting of the whole process, and therefore of the program, not of a library.
enum LoadMemory {
    /// The step by which the heap of a thread grows, in bytes: less than the 64 MiB of a heap. Unused memory of it is not
    /// resident.
    private static let step: CInt = 60 << 20
    /// The parameters of glibc, from its malloc.h.
    private static let (trimThreshold, topPad, mapThreshold): (CInt, CInt, CInt) = (-1, -2, -3)

    /// Makes the heaps of threads that start from now on grow in large steps, and keep their memory.
    ///
    /// With glibc, the heap of any thread but the first grows by a page and a system call at a time, and shrinks as soon as
    /// it can. An iteration in flight needs 15 pages, so a server that becomes slower would slow down the generator too.
    static func growInLargeSteps() {
        // The function is specific to glibc, and not part of the module of the C library.
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let mallopt = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
        _ = mallopt(topPad, step)
        _ = mallopt(trimThreshold, 2 * step)
        // A limit that is set no longer adapts to large bodies, so it starts with its maximum.
        _ = mallopt(mapThreshold, 32 << 20)
    }
}
