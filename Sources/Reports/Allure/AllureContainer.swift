/// What the container of a suite needs: its results, and the fixtures that are around them.
struct AllureContainer {
    /// The names of the results.
    var children: [AllureHash] = []
    /// The objects of `setup`.
    var befores: [[UInt8]] = []
    /// The objects of `teardown`.
    var afters: [[UInt8]] = []
}
