extension ScriptDialect {
    /// The names that Postman provides to scripts, including those of its first versions.
    static let postman: ScriptDialect = {
        var functions = common
        functions["pm.test"] = .test
        functions["pm.expect"] = .expect
        functions["expect"] = .expect
        functions["pm.expect.fail"] = .fail
        functions["assert"] = .assertion
        functions["pm.response.json"] = .json
        functions["pm.response.text"] = .text
        functions["pm.response.reason"] = .statusText
        functions["pm.response.headers.get"] = .header
        functions["pm.response.headers.has"] = .headerExists
        functions["postman.getResponseHeader"] = .header
        functions["pm.cookies.get"] = .cookie
        functions["pm.cookies.has"] = .cookieExists
        functions["postman.getResponseCookie"] = .cookie
        functions["responseBody.has"] = .textContains
        for scope in ["pm.environment", "pm.globals", "pm.collectionVariables", "pm.variables", "pm.iterationData"] {
            functions["\(scope).get"] = .get
            functions["\(scope).set"] = .set
            functions["\(scope).unset"] = .unset
            functions["\(scope).has"] = .exists
            functions["\(scope).replaceIn"] = .replace
            functions["\(scope).clear"] = .output("unset variables")
        }
        functions["postman.setEnvironmentVariable"] = .set
        functions["postman.setGlobalVariable"] = .set
        functions["postman.getEnvironmentVariable"] = .get
        functions["postman.getGlobalVariable"] = .get
        functions["postman.clearEnvironmentVariable"] = .unset
        functions["postman.clearGlobalVariable"] = .unset
        functions["postman.clearEnvironmentVariables"] = .output("unset variables")
        functions["postman.clearGlobalVariables"] = .output("unset variables")
        functions["postman.setNextRequest"] = .next
        functions["pm.execution.setNextRequest"] = .next
        functions["pm.setNextRequest"] = .next
        functions["pm.execution.skipRequest"] = .skip
        return ScriptDialect(
            scopes: ["environment", "globals", "data"], headerMaps: ["responseHeaders"],
            values: [
                "pm.response.code": .part(.status), "pm.response.status": .part(.reason),
                "pm.response.responseTime": .part(.milliseconds), "pm.response.responseSize": .part(.size),
                "responseCode.code": .part(.status), "responseCode.name": .part(.reason),
                "responseTime": .part(.milliseconds), "responseBody": .part(.text),
                "pm.response.to": .chain(ChaiChain(.host("pm.response"))),
            ], functions: functions)
    }()
}
