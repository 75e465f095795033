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
            "req.getName": .request(.name), "req.name": .request(.name), "req.getMethod": .request(.method),
            "req.method": .request(.method), "req.getUrl": .request(.url), "req.url": .request(.url),
            "req.getHeader": .request(.header),
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
}
