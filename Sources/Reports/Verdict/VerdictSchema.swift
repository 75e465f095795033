package import JSON

/// The JSON Schema of the verdict of a run.
public enum VerdictSchema {
    /// The text of the schema (JSON Schema 2020-12) with a trailing line break.
    public static var json: String { schema.serialized(.pretty) + "\n" }

    /// The schema as a JSON value. Readers ignore unknown members, which later versions may add.
    package static var schema: JSONValue {
        [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "The verdict of an apitest run",
            "description": "Long texts end with an ellipsis. The document has at most 64 KiB.", "type": "object",
            "required": ["version", "verdict", "counts", "seed", "failures"],
            "properties": [
                "version": ["const": 1, "description": "The version of the format."],
                "verdict": [
                    "enum": .array(Verdict.allCases.map { .string($0.rawValue) }),
                    "description": "The result of the run. An incomplete run lacks tests, so it is never passed.",
                ],
                "counts": [
                    "type": "object", "description": "The number of tests, in total and by outcome.",
                    "required": ["tests", "passed", "flaky", "known", "failed", "errored", "blocked", "skipped"],
                    "additionalProperties": ["type": "integer", "minimum": 0],
                ],
                "requests": count("The number of requests."),
                "milliseconds": count("The duration of the run."),
                "seed": text("The seed of random values, an unsigned 64-bit integer."),
                "problems": [
                    "type": "array", "description": "Failures outside of tests, such as that of a server.",
                    "items": [
                        "type": "object", "required": ["id", "message"],
                        "properties": ["id": text("The kind of the failure."), "message": text("The description.")],
                    ],
                ],
                "failures": [
                    "type": "array", "maxItems": 20,
                    "description": "The tests that failed or errored, one for each cause, in the order of the suites.",
                    "items": ["$ref": "#/$defs/failure"],
                ],
                "omittedFailures": count("The number of tests that failed or errored and are not described."),
            ], "$defs": ["failure": failure, "finding": finding],
        ]
    }

    private static let failure: JSONValue = [
        "type": "object", "required": ["test", "outcome", "location"],
        "properties": [
            "test": text("The names of the suite and the test."),
            "outcome": ["enum": ["failed", "errored"], "description": "The outcome of the test."],
            "location": text("The test in its suite, as `file:line:column`."),
            "step": text("The name of the step that did not pass, if the test has several."),
            "findings": [
                "type": "array", "maxItems": 4, "description": "The problems of the step, errors first.",
                "items": ["$ref": "#/$defs/finding"],
            ],
            "omittedFindings": count("The number of further problems."),
            "request": text("The method and the URL."),
            "status": ["type": "integer", "description": "The status of the response."],
            "body": text("The beginning of the response body."),
            "curl": text("The equivalent curl command."),
            "alsoFailed": count("The number of further tests that failed for the same cause."),
            "others": [
                "type": "array", "maxItems": 5, "items": ["type": "string"],
                "description": "The names of the first of these tests.",
            ],
        ],
    ]

    private static let finding: JSONValue = [
        "type": "object", "required": ["id", "subject", "message"],
        "properties": [
            "id": text("The id for `apitest explain`."),
            "location": text("The expectation in the suite, as `file:line:column`."),
            "subject": text("The part of the response, such as `json $.title`."),
            "message": text("The problem in one sentence."),
            "expected": ["description": "The expected value; if it is long, the beginning of its JSON as a string."],
            "got": ["description": "The actual value; if it is long, the beginning of its JSON as a string."],
            "details": text("Further lines, such as the difference or the values of subexpressions."),
        ],
    ]

    private static func text(_ description: String) -> JSONValue {
        ["type": "string", "description": .string(description)]
    }

    private static func count(_ description: String) -> JSONValue {
        ["type": "integer", "minimum": 0, "description": .string(description)]
    }
}
