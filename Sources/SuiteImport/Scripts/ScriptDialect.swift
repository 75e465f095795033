/// The names that a tool provides to its scripts.
struct ScriptDialect: Sendable {
    /// A function that translates in its own way.
    enum Function: Sendable {
        // Tests
        case test, expect, fail, assertion
        // The response
        case json, text, statusText, header, headerExists, cookie, cookieExists, textContains
        // Variables
        case get, set, unset, exists, replace
        /// A value without arguments.
        case value(ScriptValue)
        /// The value at a path in the body.
        case query
        /// A variable of the process.
        case environment
        // The run
        case next, skip, stop
        /// A request before that of the script.
        case send
        /// A change to the request of the script.
        case change(RequestChange.Function)
        /// The body of the request of the script.
        case requestBody
        /// Another part of the request of the script.
        case request(ScriptRequest.Part)
        /// A pause: the position of its time among the arguments.
        case wait(Int)
        /// A function without an effect.
        case nothing
        /// A library.
        case load
        /// Output, whose absence changes nothing.
        case output(String)
        // JavaScript and its libraries
        case parse, stringify, keys, values, isArray, string, number, round, truncate, random, randomInteger, now, path,
            isEqual,
            isEmpty
        case isString, isNumber, isBoolean, isNull, isObject, isNaN, contains, size, encode, decode, base64, uuid
        case absolute, ceiling, greatest, least, hasMember
        /// A digest or a signature of bytes, by the name of the function.
        case digest(String), signature(String)
        /// The text for bytes, and the bytes for a text.
        case encoded(ScriptEncoding), decoded(ScriptEncoding)
        /// A time of the library moment.
        case moment
        /// The bytes for a text in the encoding that the second argument names.
        case buffer
        /// A method of a list, by its name, with the list as the first argument.
        case listMethod(String)
        // JSON Schema: a validation, that with the schema first, and a function that validates
        case validSchema, schemaValidates, validator
    }

    /// The objects whose members are variables, such as `environment`.
    var scopes: Set<String> = []
    /// The beginnings of the functions for variables that those of an environment hide in requests.
    var outerScopes: [String] = []
    /// The objects whose members are response headers.
    var headerMaps: Set<String> = []
    /// The values by their paths.
    var values: [String: ScriptValue]
    /// The functions by their paths.
    var functions: [String: Function]
    /// The changes to the request by assigning a value to a path.
    var setters: [String: RequestChange.Function] = [:]
    /// The paths of the text of the request's body.
    var bodyTexts: Set<String> = []
}

extension ScriptDialect {
    /// The functions of JavaScript and of libraries that scripts use without loading them.
    static let common = language.merging(ScriptEncoding.functions) { $1 }.merging(MomentDates.functions) { $1 }

    private static let language: [String: Function] = [
        "setTimeout": .wait(1), "resolve": .nothing, "require": .load, "uuid.v4": .uuid, "uuid": .uuid,
        "JSON.parse": .parse, "JSON.stringify": .stringify, "Object.keys": .keys, "Object.values": .values,
        "Array.isArray": .isArray, "String": .string, "Number": .number, "parseInt": .number, "parseFloat": .number,
        "Number.parseInt": .number, "Number.parseFloat": .number, "Math.floor": .truncate, "Math.trunc": .truncate,
        "Math.round": .round, "Math.random": .random, "Date.now": .now, "isNaN": .isNaN, "Number.isNaN": .isNaN,
        "Number.isInteger": .isNumber, "encodeURIComponent": .encode, "decodeURIComponent": .decode, "btoa": .base64,
        "atob": .base64, "_.get": .path, "_.isEqual": .isEqual, "_.isEmpty": .isEmpty, "_.isString": .isString,
        "_.isNumber": .isNumber, "_.isBoolean": .isBoolean, "_.isNull": .isNull, "_.isArray": .isArray,
        "_.isObject": .isObject, "_.includes": .contains, "_.contains": .contains, "_.keys": .keys, "_.values": .values,
        "_.size": .size, "_.random": .randomInteger, "_.find": .listMethod("find"), "_.filter": .listMethod("filter"),
        "_.map": .listMethod("map"),
        "_.some": .listMethod("some"), "_.every": .listMethod("every"), "_.forEach": .listMethod("forEach"),
        "_.each": .listMethod("forEach"), "Math.abs": .absolute, "Math.ceil": .ceiling, "Math.max": .greatest,
        "Math.min": .least, "Object.prototype.hasOwnProperty.call": .hasMember, "tv4.validate": .validSchema,
        "ajv().validate": .schemaValidates, "ajv().compile": .validator, "crypto.randomUUID": .uuid,
    ]
}
