/// A file that has been downloaded.
public struct DownloadedFile: Sendable {
    /// The path of the file.
    public var path: String
    /// The length of the file in bytes.
    public var length: Int
    /// How many of the bytes an earlier transfer had left.
    public var resumedBytes: Int
    /// The response, its body empty; of the last transfer, so its status may be 206.
    public var response: Response
    /// Where the time of the last transfer went, the body included.
    public var metrics: ExchangeMetrics
}
