import CAssets

/// The embedded lists of words and names that fake data consists of.
///
/// The value for a seed depends on the contents and the order of the lists.
enum FakeLists {
    static let firstNames = AssetLines.lines(of: Asset.fakeFirstNames)
    static let lastNames = AssetLines.lines(of: Asset.fakeLastNames)
    static let streets = AssetLines.lines(of: Asset.fakeStreets)
    static let cities = AssetLines.lines(of: Asset.fakeCities)
    static let countries = AssetLines.lines(of: Asset.fakeCountries)
    static let words = AssetLines.lines(of: Asset.fakeWords)
}

/// The lines of an embedded text file.
enum AssetLines {
    static func lines(of asset: Asset) -> [String] {
        String(decoding: UnsafeBufferPointer(start: asset.bytes, count: asset.count), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}
