/// How many bytes a body may become when its codings are undone.
struct DecodingBudget {
    private let limits: Limits
    /// The length of the encoded body that is known beforehand, or that has been received so far.
    private var encodedLength: Int

    /// The most bytes that may come out of any of the codings.
    private(set) var maximum = 0

    init(limits: Limits, encodedLength: Int) {
        self.limits = limits
        self.encodedLength = encodedLength
        update()
    }

    /// Notes that so many bytes of the encoded body have been received.
    mutating func received(_ count: Int) {
        guard count > encodedLength else { return }
        encodedLength = count
        update()
    }

    private mutating func update() {
        let (product, overflow) = encodedLength.multipliedReportingOverflow(by: max(1, limits.decompressionRatio))
        maximum = max(0, min(limits.decodedBodyBytes, max(1 << 20, overflow ? .max : product)))
    }

    /// The error of a body that becomes longer than `maximum`.
    func failure(_ coding: ContentCoding) -> ContentCodingError {
        if maximum == max(0, limits.decodedBodyBytes) {
            return ContentCodingError(
                coding: coding, reason: .limitExceeded(.decodedBodyBytes, maximum),
                message: "is larger than the limit of \(maximum) bytes when it is decoded")
        }
        return ContentCodingError(
            coding: coding, reason: .limitExceeded(.decompressionRatio, limits.decompressionRatio),
            message: "becomes more than \(limits.decompressionRatio) times as long when it is decoded")
    }
}
