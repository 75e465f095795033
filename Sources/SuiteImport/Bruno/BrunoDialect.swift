extension ScriptDialect {
    /// The names that Bruno provides to scripts.
    static let bruno: ScriptDialect = {
        let own: [String: Function] = [
            "test": .test, "expect": .expect, "chai.expect": .expect, "expect.fail": .fail, "assert": .assertion,
            "res": .query, "res.getStatus": .value(.part(.status)), "res.getStatusText": .value(.part(.reason)),
            "res.getBody": .value(.part(.content)), "res.getResponseTime": .value(.part(.milliseconds)),
            "res.getHeaders": .value(.host("res.headers")), "res.getHeader": .header, "res.headerList.get": .header,
            "res.headerList.has": .headerExists, "bru.getFolderVar": .get, "bru.getRequestVar": .get,
            "bru.getSecretVar": .get, "bru.deleteAllVars": .output("unset variables"),
            "bru.getProcessEnv": .environment, "bru.interpolate": .replace, "bru.setNextRequest": .next,
            "req.getBody": .requestBody, "req.body": .requestBody, "req.setBody": .change(.setBody),
            "req.setHeader": .change(.setHeader), "req.setHeaders": .change(.setHeaders),
            "req.deleteHeader": .change(.deleteHeader), "req.deleteHeaders": .change(.deleteHeaders),
            "req.setUrl": .change(.setURL), "req.setMethod": .change(.setMethod),
            "req.setTimeout": .change(.setTimeout), "req.setMaxRedirects": .change(.setMaxRedirects),
            "bru.sleep": .wait(0), "bru.runner.setNextRequest": .next, "bru.runner.skipRequest": .skip,
            "bru.runner.stopExecution": .stop,
        ]
        var functions = common.merging(own) { $1 }
        for scope in ["Var", "EnvVar", "GlobalEnvVar", "CollectionVar"] {
            functions["bru.get\(scope)"] = .get
            functions["bru.set\(scope)"] = .set
            functions["bru.has\(scope)"] = .exists
            functions["bru.delete\(scope)"] = .unset
        }
        return ScriptDialect(
            headerMaps: ["res.headers"],
            values: [
                "res.status": .part(.status), "res.statusText": .part(.reason), "res.body": .part(.content),
                "res.responseTime": .part(.milliseconds),
            ], functions: functions)
    }()

    /// The names that Bruno provides to scripts after the response, with the method and the URL that were sent.
    static func bruno(method: String, url: ImportedText) -> ScriptDialect {
        var dialect = bruno
        var values = [("Method", ScriptValue.literal(method))]
        // A made-up value would be another one when it is evaluated again.
        if !url.expressions.contains(where: { DynamicValues.kind($0) != nil }) { values.append(("Url", .text(url))) }
        for (name, value) in values {
            dialect.values["req.\(name.lowercased())"] = value
            dialect.functions["req.get\(name)"] = .value(value)
        }
        return dialect
    }
}
