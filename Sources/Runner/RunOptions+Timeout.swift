import SuiteModel

extension RunOptions {
    /// The request with the run's bound of its time, where it has none of its own.
    func completed(_ request: RequestSpec) -> RequestSpec {
        guard let timeout, request.timeout.total == nil else { return request }
        var request = request
        request.timeout.total = timeout
        return request
    }
}
