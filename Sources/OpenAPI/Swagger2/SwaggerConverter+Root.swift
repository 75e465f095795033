import JSON

extension SwaggerConverter {
    /// Converts a complete document.
    mutating func whole() -> JSONValue {
        guard let root = document.objectValue else { return document }
        var object = JSONObject()
        object.append("openapi", "3.0.4")
        locations.note(["openapi"], from: ["swagger"])
        if let info = root["info"] { object.append("info", info) }
        let servers = self.servers(schemes: root["schemes"])
        if !servers.isEmpty {
            object.append("servers", .array(servers))
            for index in servers.indices {
                locations.noteOrigin(of: ["servers", String(index)], [root["host"] == nil ? "basePath" : "host"])
            }
        }
        if let paths = root["paths"] { object.append("paths", self.paths(paths)) }
        object.append("components", .object(components(root)))
        for name in ["security", "tags", "externalDocs"] {
            if let value = root[name] { object.append(name, value) }
        }
        for (name, value) in root where name.hasPrefix("x-") { object.append(name, value) }
        return withDeferredReferences(.object(object))
    }

    /// Returns the servers for `host`, `basePath`, and the schemes.
    func servers(schemes: JSONValue?) -> [JSONValue] {
        let path = settings["basePath"]?.stringValue ?? ""
        guard let host = settings["host"]?.stringValue, !host.isEmpty else {
            return path.isEmpty ? [] : [["url": .string(path)]]
        }
        let rest = host + (path == "/" ? "" : path.isEmpty || path.hasPrefix("/") ? path : "/" + path)
        // The default is the scheme of the description's own URL, which a file does not have.
        let known = mediaTypes(schemes) ?? ["https", "http"]
        return known.map { ["url": .string("\($0)://\(rest)")] }
    }

    private mutating func paths(_ value: JSONValue) -> JSONValue {
        guard let paths = value.objectValue else { return value }
        var object = JSONObject()
        object.reserveCapacity(paths.count)
        for (path, item) in paths {
            let tokens = ["paths", path]
            object.append(path, path.hasPrefix("x-") ? item : pathItem(item, from: tokens, to: tokens))
        }
        return .object(object)
    }

    private mutating func components(_ root: JSONObject) -> JSONObject {
        var components = JSONObject()
        if let definitions = root["definitions"] {
            locations.note(["components", "schemas"], from: ["definitions"])
            components.append("schemas", each(definitions) { converter, value, _ in converter.schema(value) })
        }
        if let responses = root["responses"] {
            locations.note(["components", "responses"], from: ["responses"])
            components.append(
                "responses",
                each(responses) { converter, value, name in
                    converter.response(
                        value, from: ["responses", name], to: ["components", "responses", name], converter.produces)
                })
        }
        if let parameters = root["parameters"] { append(parameters, to: &components) }
        if let schemes = root["securityDefinitions"] {
            locations.note(["components", "securitySchemes"], from: ["securityDefinitions"])
            components.append(
                "securitySchemes",
                each(schemes) { $0.securityScheme($1, at: ["securityDefinitions", $2]) })
        }
        return components
    }

    private mutating func each(
        _ value: JSONValue, _ convert: (inout SwaggerConverter, JSONValue, String) -> JSONValue
    ) -> JSONValue {
        guard let members = value.objectValue else { return value }
        var object = JSONObject()
        object.reserveCapacity(members.count)
        for (name, member) in members { object.append(name, convert(&self, member, name)) }
        return .object(object)
    }

    private mutating func append(_ parameters: JSONValue, to components: inout JSONObject) {
        guard let members = parameters.objectValue else {
            locations.note(["components", "parameters"], from: ["parameters"])
            return components.append("parameters", parameters)
        }
        var others = JSONObject()
        var bodies = JSONObject()
        for (name, value) in members {
            let tokens = ["parameters", name]
            switch value["in"]?.stringValue {
            case "body":
                bodies.append(
                    name, body(value, from: tokens, to: ["components", "requestBodies", name], consumes))
            // A form parameter becomes part of the operations that use it.
            case "formData": break
            default:
                others.append(name, parameter(value, from: tokens, to: ["components", "parameters", name]))
            }
        }
        locations.noteOrigin(of: ["components", "parameters"], ["parameters"])
        locations.noteOrigin(of: ["components", "requestBodies"], ["parameters"])
        if !others.isEmpty { components.append("parameters", .object(others)) }
        if !bodies.isEmpty { components.append("requestBodies", .object(bodies)) }
    }

    // MARK: Security

    private mutating func securityScheme(_ value: JSONValue, at original: [String]) -> JSONValue {
        guard let scheme = value.objectValue, let type = scheme["type"]?.stringValue else { return value }
        var object = JSONObject()
        switch type {
        case "basic":
            object.append("type", "http")
            object.append("scheme", "basic")
        case "oauth2":
            object.append("type", "oauth2")
            object.append("flows", flows(scheme, at: original))
        default: return value
        }
        if let description = scheme["description"] { object.append("description", description) }
        for (name, value) in scheme where name.hasPrefix("x-") { object.append(name, value) }
        return .object(object)
    }

    private mutating func flows(_ scheme: JSONObject, at original: [String]) -> JSONValue {
        let names = [
            "implicit": "implicit", "password": "password", "application": "clientCredentials",
            "accessCode": "authorizationCode",
        ]
        let written = scheme["flow"]?.stringValue ?? "implicit"
        let name = names[written] ?? written
        var flow = JSONObject()
        for key in ["authorizationUrl", "tokenUrl", "scopes"] {
            if let value = scheme[key] { flow.append(key, value) }
        }
        if flow["scopes"] == nil { flow.append("scopes", .object(JSONObject())) }
        let location = ["components", "securitySchemes", original.last ?? "", "flows"]
        locations.noteOrigin(of: location + [name], original)
        return .object([name: .object(flow)])
    }
}
