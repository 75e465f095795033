extension ScriptDialect {
    /// The names that Bruno provides to scripts.
    static let bruno: ScriptDialect = {
        var functions = common
        functions["test"] = .test
        functions["expect"] = .expect
        functions["chai.expect"] = .expect
        functions["expect.fail"] = .fail
        functions["assert"] = .assertion
        functions["res"] = .query
        functions["res.getStatus"] = .value(.part(.status))
        functions["res.getStatusText"] = .value(.part(.reason))
        functions["res.getBody"] = .value(.part(.content))
        functions["res.getResponseTime"] = .value(.part(.milliseconds))
        functions["res.getHeaders"] = .value(.host("res.headers"))
        functions["res.getHeader"] = .header
        functions["res.headerList.get"] = .header
        functions["res.headerList.has"] = .headerExists
        for scope in ["Var", "EnvVar", "GlobalEnvVar", "CollectionVar"] {
            functions["bru.get\(scope)"] = .get
            functions["bru.set\(scope)"] = .set
            functions["bru.has\(scope)"] = .exists
            functions["bru.delete\(scope)"] = .unset
        }
        functions["bru.getFolderVar"] = .get
        functions["bru.getRequestVar"] = .get
        functions["bru.getSecretVar"] = .get
        functions["bru.deleteAllVars"] = .output("unset variables")
        functions["bru.getProcessEnv"] = .environment
        functions["bru.interpolate"] = .replace
        functions["bru.setNextRequest"] = .next
        functions["bru.runner.setNextRequest"] = .next
        functions["bru.runner.skipRequest"] = .skip
        functions["bru.runner.stopExecution"] = .stop
        return ScriptDialect(
            headerMaps: ["res.headers"],
            values: [
                "res.status": .part(.status), "res.statusText": .part(.reason), "res.body": .part(.content),
                "res.responseTime": .part(.milliseconds),
            ], functions: functions)
    }()
}
