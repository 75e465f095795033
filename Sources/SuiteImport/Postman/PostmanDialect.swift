extension ScriptDialect {
    /// The names that Postman provides to scripts, including those of its first versions.
    static let postman: ScriptDialect = {
        let own: [String: Function] = [
            "pm.test": .test, "pm.expect": .expect, "expect": .expect, "pm.expect.fail": .fail, "assert": .assertion,
            "pm.response.json": .json, "pm.response.text": .text, "pm.response.reason": .statusText,
            "pm.response.headers.get": .header, "pm.response.headers.has": .headerExists,
            "postman.getResponseHeader": .header, "pm.cookies.get": .cookie, "pm.cookies.has": .cookieExists,
            "postman.getResponseCookie": .cookie, "responseBody.has": .textContains,
            "postman.setEnvironmentVariable": .set, "postman.setGlobalVariable": .set,
            "postman.getEnvironmentVariable": .get, "postman.getGlobalVariable": .get,
            "postman.clearEnvironmentVariable": .unset, "postman.clearGlobalVariable": .unset,
            "postman.clearEnvironmentVariables": .output("unset variables"),
            "postman.clearGlobalVariables": .output("unset variables"), "postman.setNextRequest": .next,
            "pm.execution.setNextRequest": .next, "pm.setNextRequest": .next, "pm.sendRequest": .send,
            "pm.execution.skipRequest": .skip, "pm.request.headers.add": .change(.addHeader),
            "pm.request.headers.upsert": .change(.upsertHeader), "pm.request.headers.remove": .change(.deleteHeader),
            "pm.request.addHeader": .change(.addHeader), "pm.request.upsertHeader": .change(.upsertHeader),
            "pm.request.removeHeader": .change(.deleteHeader),
            "pm.info.requestName": .request(.name), "request.name": .request(.name),
            "pm.request.method": .request(.method), "request.method": .request(.method),
            "pm.request.url.toString": .request(.url), "pm.request.url.getRaw": .request(.url),
            "request.url": .request(.url), "pm.request.url.query.get": .request(.parameter),
            "pm.request.headers.get": .request(.header),
            "postman-collection.Property.replaceSubstitutions": .replace,
        ]
        var functions = common.merging(own) { $1 }
        for scope in ["pm.environment", "pm.globals", "pm.collectionVariables", "pm.variables", "pm.iterationData"] {
            functions["\(scope).get"] = .get
            functions["\(scope).set"] = .set
            functions["\(scope).unset"] = .unset
            functions["\(scope).has"] = .exists
            functions["\(scope).replaceIn"] = .replace
            functions["\(scope).clear"] = .output("unset variables")
        }
        return ScriptDialect(
            scopes: ["environment", "globals", "data"],
            outerScopes: [
                "pm.collectionVariables.", "pm.globals.", "postman.setGlobalVariable", "postman.getGlobalVariable",
            ], headerMaps: ["responseHeaders"],
            values: [
                "pm.response.code": .part(.status), "pm.response.status": .part(.reason),
                "pm.response.responseTime": .part(.milliseconds), "pm.response.responseSize": .part(.size),
                "responseCode.code": .part(.status), "responseCode.name": .part(.reason),
                "responseTime": .part(.milliseconds), "responseBody": .part(.text),
                "pm.response.to": .chain(ChaiChain(.host("pm.response"))),
            ], functions: functions,
            setters: [
                "pm.request.url": .setURL, "pm.request.method": .setMethod, "pm.request.body.raw": .setBody,
            ], bodyTexts: ["pm.request.body.raw", "request.data"])
    }()
}
