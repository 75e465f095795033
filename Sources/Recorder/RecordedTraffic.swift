package import OpenAPI
package import SuiteImport

extension RecordedExchange {
    /// Returns the exchange as input for the validation against a description; nil if its response body is unknown.
    ///
    /// - Parameter baseURL: The URL of the server.
    package func contractExchange(baseURL: String) -> ContractExchange? {
        guard let responseBody = hasNoBody ? [] : responseBody else { return nil }
        let requestBody: [UInt8]? = if case .bytes(let bytes) = body { bytes } else { [] }
        return ContractExchange(
            method: method, url: url, baseURL: baseURL, requestHeaders: headers, requestBody: requestBody,
            status: status, responseHeaders: responseHeaders, responseBody: responseBody)
    }

    private var hasNoBody: Bool { method == "HEAD" || status == 204 || status == 304 }
}
