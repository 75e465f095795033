/// Which of the checks that conforming exchanges go through are on.
struct ConformityRules: Sendable {
    let parameters: Bool
    let requestBody: Bool
    let security: Bool
    let deprecation: Bool
    let responseHeaders: Bool
    let responseBody: Bool

    init(_ settings: ContractSettings) {
        parameters = settings.checks(.requestParameters)
        requestBody = settings.checks(.requestBody)
        security = settings.checks(.missingSecurity)
        deprecation = settings.checks(.deprecatedOperation)
        responseHeaders = settings.checks(.responseHeaders)
        responseBody = settings.checks(.responseBody)
    }
}
