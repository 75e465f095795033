import Testing

/// A histogram that the Python package hdrhistogram 0.10.8 encoded, with the statistics that it reports after decoding.
struct EncodedHistogram: Sendable, CustomTestStringConvertible {
    /// The percentiles of `values`.
    static let percentiles = [0, 25, 50, 75, 90, 99, 99.9, 100]

    let testDescription: String
    let range: ClosedRange<Int64>
    let digits: Int
    let count: Int
    let values: [Int64]
    let mean: Double
    let standardDeviation: Double
    let text: String

    init(
        _ testDescription: String, _ range: ClosedRange<Int64>, digits: Int, count: Int, values: [Int64], mean: Double,
        standardDeviation: Double, text: String
    ) {
        self.testDescription = testDescription
        self.range = range
        self.digits = digits
        self.count = count
        self.values = values
        self.mean = mean
        self.standardDeviation = standardDeviation
        self.text = text
    }

    static let all = [
        Self(
            "exponential distribution", 1_000...3_600_000_000_000, digits: 3, count: 200,
            values: [
                154_624, 4_763_647, 12_009_471, 24_330_239, 41_779_199, 88_735_743, 99_745_791,
                99_745_791,
            ],
            mean: 18756979.2, standardDeviation: 19747990.996691067,
            text: """
                HISTFAAAAVl4nC2QsUtCURTG3/m994gQkcdDQkoeIiEiYiHS0CARBSISTtHQGA7R1CDNBSENDY4tRUSDhIRL0NAfENEUDQ6tQQRB/0\
                Df097lvnvuvd/5fefchZN+6Dg2dKaf+798am4uPVw69Z/pydhjAKMEBZ6MLhu0ufPpGV8uv8YK18YicxSpk+bR2GOfN/gwno0+JJjn\
                FpK4dAg44hWqklc9nxTvprMDwpjeYWzsaB9xbmQxil5dmlMFrLItl1BzZGKuU5JdLy6pIaGCNscxKydlWn/T8DUC7TqqcFbUIJakVU\
                hZmGUOxc4pqpAXpDIR5bk3WvJpqGx5RDSlTjE0XfkyTjIjRKDyulIVNEtS1oRJKi8j15rumtqF0odSfhu73JiIeVk0lX9lk8SWusgK\
                6Yofad1S8ppgZbXrKsqgJa7GZxA3M/S4iBUtvV9FhIgXV92WY/iZnhv4A/XBOk4=
                """),
        Self(
            "bimodal distribution with outliers", 1...3_600_000_000, digits: 2, count: 1_000,
            values: [
                692, 879, 927, 40_447, 49_919, 58_367, 2_834_431, 2_867_199,
            ],
            mean: 39427.074, standardDeviation: 266468.5697104455,
            text: """
                HISTFAAAAKp4nDWOQQrCQAxFZ77xE0IYZCylSJGuShERcSmCl/MGLt16BM8ieAK3HsHRakLeJ+EnpD2d5yGEWxgDP40f3M/XcHyNgw\
                cxh0gUgqJQVyNckmtOdVPVuduu2lz3w2LYHfb9pl13/Tav2l3XVE2uZWbJkylJiYlFcTGZlqRFCLSchqg4jNSkxWLmrJYw9xmqnJTG\
                zCjin21GoryDiCiYAE8rLM2X/3oDntEPuA==
                """),
        Self(
            "large counts", 1...4_611_686_018_427_387_904, digits: 1, count: 2_000_000_000_000_000,
            values: [
                0, 0, 0, 2_449_958_197_289_549_823, 2_449_958_197_289_549_823,
                2_449_958_197_289_549_823, 2_449_958_197_289_549_823, 2_449_958_197_289_549_823,
            ],
            mean: 1.1876430369441723e+18, standardDeviation: 1.1889495829492347e+18,
            text: """
                HISTFAAAADt4nJNpmSzMwMCgwAABjDDaAcqw/wChGxq2nLly/xgzi2wDCDhsZatjbGC8z/7v7+YzV+YfYwYApIETDA==
                """),
    ]
}
