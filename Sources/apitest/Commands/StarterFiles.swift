import CAssets

/// The files that `apitest init` writes, which are those of `examples/starter`.
enum StarterFiles {
    /// A file of the starter project.
    struct File {
        /// The file name.
        let name: String
        /// A short description of the file.
        let purpose: String
        /// The contents of the file.
        let text: String

        fileprivate init(_ name: String, purpose: String, _ asset: Asset) {
            self.name = name
            self.purpose = purpose
            text = String(decoding: UnsafeBufferPointer(start: asset.bytes, count: asset.count), as: UTF8.self)
        }
    }

    /// The files, in the order in which they are listed.
    static let all: [File] = [
        File("shop.apitest.yaml", purpose: "a suite of six tests", .starterSuite),
        File("shop.mock.yaml", purpose: "a mock of the server under test", .starterMock),
        File(".apitest.yaml", purpose: "project defaults", .starterConfiguration),
    ]
}
