"""OpenAPI descriptions of any size, always the same."""

import json


def description(operations, schemas):
    """Returns a description with the given numbers of operations, four per path, and of schemas that refer to each other."""
    paths = {}
    for number in range(operations // 4):
        paths[f"/shelves{number}/{{id}}"] = _path(number, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Library", "version": "1.0.0"},
        "servers": [{"url": "https://library.example.com/v1"}],
        "tags": [{"name": "shelves"}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "schemas": {f"Book{number}": _schema(number, schemas) for number in range(schemas)},
            "parameters": {
                "Trace": {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                "Page": {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1}},
            },
            "responses": {
                "NotFound": {"description": "not there", "content": _json({"$ref": "#/components/schemas/Book0"})},
                "Problem": {"description": "something is wrong"},
            },
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
        },
    }


def _json(schema):
    return {"application/json": {"schema": schema}}


def _responses(number, schemas):
    return {
        "200": {
            "description": "what was asked for",
            "headers": {"X-Rate": {"schema": {"type": "integer"}}},
            "content": _json({"$ref": f"#/components/schemas/Book{number % schemas}"}),
        },
        "404": {"$ref": "#/components/responses/NotFound"},
        "default": {"$ref": "#/components/responses/Problem"},
    }


def _path(number, schemas):
    body = {"$ref": f"#/components/schemas/Book{number * 5 % schemas}"}
    example = {"id": "a2b1c2d3-0000-4000-8000-000000000000", "title": "Momo"}
    return {
        "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}},
            {"$ref": "#/components/parameters/Trace"},
        ],
        "get": {
            "operationId": f"read{number}",
            "tags": ["shelves"],
            "summary": f"Read shelf {number}",
            "parameters": [
                {"name": "fields", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                {"$ref": "#/components/parameters/Page"},
            ],
            "responses": _responses(number * 2, schemas),
        },
        "put": {
            "operationId": f"write{number}",
            "tags": ["shelves"],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body, "example": example}}},
            "responses": _responses(number * 2 + 1, schemas),
        },
        "delete": {
            "operationId": f"remove{number}",
            "responses": {"204": {"description": "gone"}, "404": {"$ref": "#/components/responses/NotFound"}},
        },
        "patch": {
            "operationId": f"change{number}",
            "requestBody": {"content": _json({"type": "object", "properties": {"title": {"type": "string"}}})},
            "responses": _responses(number * 3, schemas),
        },
    }


def _schema(number, schemas):
    return {
        "type": "object",
        "description": f"A book of kind {number}, as it is stored and shown.",
        "required": ["id", "title"],
        "properties": {
            "id": {"type": "string", "format": "uuid"},
            "title": {"type": "string", "minLength": 1, "maxLength": 200},
            "copies": {"type": "integer", "minimum": 0},
            "state": {"type": "string", "enum": ["new", "lent", "lost"]},
            "sequel": {"$ref": f"#/components/schemas/Book{(number * 7 + 1) % schemas}"},
            "parts": {"type": "array", "items": {"$ref": f"#/components/schemas/Book{(number * 3 + 2) % schemas}"}},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        },
    }


def as_yaml(value, indentation=0):
    """Returns the value as YAML in block style, with every string quoted."""
    space = "  " * indentation
    if isinstance(value, dict) and value:
        lines = []
        for name, member in value.items():
            lines.append(f"{space}{json.dumps(name)}:{_nested(member, indentation)}")
        return "\n".join(lines)
    if isinstance(value, list) and value:
        return "\n".join(f"{space}-{_nested(element, indentation)}" for element in value)
    return space + json.dumps(value)


def _nested(value, indentation):
    if isinstance(value, (dict, list)) and value:
        return "\n" + as_yaml(value, indentation + 1)
    return " " + json.dumps(value)
