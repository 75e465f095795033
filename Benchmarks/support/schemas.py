"""Schemas and documents of realistic size and shape, made anew by each run but always the same."""

import random

WORDS = ("account action actor author avatar base body branch build category channel check code comment commit config "
         "content count created creator default delivery deployment description digest email event expires fork gist "
         "group head history hook icon index issue item key kind label language license link list login mark member "
         "merge message meta milestone mode name node note number object order origin owner page parent patch path "
         "payload permission plan policy project public push query rate reaction ref release repo request review role "
         "rule scope score sender session size source stage state status store subject tag target team text title "
         "token topic total tree type update url user value version view watcher zone").split()


class Maker:
    """Makes a schema of events with hundreds of definitions, and documents that follow it."""

    def __init__(self, seed, definitions):
        self.random = random.Random(seed)
        self.definitions = {}
        for number in range(definitions):
            self.definitions[f"{self.word()}-{self.word()}-{number}"] = None
        self.names = list(self.definitions)
        for position, name in enumerate(self.names):
            self.definitions[name] = self.object(position)

    def word(self):
        return self.random.choice(WORDS)

    def name(self, used):
        """A new name of a member, of one to three words."""
        while True:
            name = "_".join(self.word() for _ in range(self.random.randint(1, 3)))
            if name not in used:
                return name

    # Schemas

    def object(self, position):
        properties = {}
        for _ in range(self.random.randint(6, 24)):
            properties[self.name(properties)] = self.member(position)
        names = list(properties)
        schema = {"type": "object", "properties": properties,
                  "required": sorted(self.random.sample(names, len(names) * 2 // 3))}
        if self.random.random() < 0.7:
            schema["additionalProperties"] = False
        return schema

    def member(self, position):
        kind = self.random.random()
        if kind < 0.18:
            return {"type": "string"}
        if kind < 0.26:
            return {"type": "string", "format": "uri"}
        if kind < 0.32:
            return {"type": "string", "minLength": 1, "maxLength": 255}
        if kind < 0.38:
            return {"type": "string", "pattern": "^[0-9a-f]{40}$"}
        if kind < 0.52:
            return {"type": "integer", "minimum": 0}
        if kind < 0.58:
            return {"type": "boolean"}
        if kind < 0.62:
            return {"type": "number", "exclusiveMinimum": -1.5, "maximum": 1e9}
        if kind < 0.70:
            return {"type": "string", "enum": [self.word() for _ in range(self.random.randint(2, 12))]}
        if kind < 0.76:
            return {"type": ["string", "null"]}
        if kind < 0.80:
            return {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
        # References lead to later definitions, so that documents end.
        later = self.names[position + 1:position + 40]
        if not later:
            return {"type": "null"}
        target = {"$ref": f"#/$defs/{self.random.choice(later)}"}
        if kind < 0.88:
            return target
        if kind < 0.94:
            return {"anyOf": [target, {"type": "null"}]}
        return {"type": "array", "items": target, "maxItems": 100}

    def schema(self, events):
        """A schema that is one of many events, each with its own `action` and members."""
        branches = []
        for number in range(events):
            action = f"{self.word()}.{number}"
            branches.append({
                "type": "object", "required": ["action", "sender", "subject"],
                "properties": {
                    "action": {"const": action},
                    "sender": {"$ref": f"#/$defs/{self.names[number % 20]}"},
                    "subject": {"$ref": f"#/$defs/{self.names[20 + number % 60]}"},
                    "extra": {"$ref": f"#/$defs/{self.names[80 + number % 20]}"},
                },
            })
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", "oneOf": branches,
                "$defs": self.definitions}

    # Documents

    def value(self, schema, depth):
        if "$ref" in schema:
            return self.value(self.definitions[schema["$ref"].rsplit("/", 1)[1]], depth)
        if "anyOf" in schema:
            return self.value(schema["anyOf"][0], depth) if depth > 0 and self.random.random() < 0.6 else None
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        if "pattern" in schema:
            return "".join(self.random.choice("0123456789abcdef") for _ in range(40))
        if schema.get("format") == "uri":
            return f"https://api.example.com/{self.word()}s/{self.random.randint(1, 10 ** 6)}/{self.word()}"
        kind = schema["type"]
        if kind == "object":
            required = set(schema["required"])
            return {name: self.value(member, depth - 1) for name, member in schema["properties"].items()
                    if name in required or depth > 0 and self.random.random() < 0.5}
        if kind == "array":
            items = schema["items"]
            if "$ref" not in items:
                return [f"{self.word()} {number}" for number in range(self.random.randint(0, 5))]
            return [self.value(items, depth - 1) for _ in range(self.random.randint(0, 3) if depth > 0 else 0)]
        if kind == "integer":
            return self.random.randint(0, 10 ** self.random.randint(1, 12))
        if kind == "number":
            return round(self.random.uniform(-1, 1000), 4)
        if kind == "boolean":
            return self.random.random() < 0.5
        if kind == "null":
            return None
        return " ".join(self.word() for _ in range(self.random.randint(1, 12)))

    def documents(self, schema, count, depth):
        return [self.value(self.random.choice(schema["oneOf"]), depth) for _ in range(count)]


def broken(documents, seed):
    """The documents with one scalar of each replaced by a value of another type, somewhere."""
    chooser = random.Random(seed)
    result = []
    for document in documents:
        document = copied(document)
        places = []
        collect(document, places)
        container, key = chooser.choice(places)
        container[key] = 1 if isinstance(container[key], str) else "1"
        result.append(document)
    return result


def copied(value):
    if isinstance(value, dict):
        return {name: copied(member) for name, member in value.items()}
    return [copied(element) for element in value] if isinstance(value, list) else value


def collect(value, places):
    """All places of scalars below a value, but those of the members that say which event it is."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in pairs:
        if isinstance(member, (dict, list)):
            collect(member, places)
        elif key != "action":
            places.append((value, key))


def records(seed, count):
    """A flat schema and one array of many small records: numbers, short strings, enums."""
    chooser = random.Random(seed)
    schema = {
        "type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["id", "name", "score", "state", "tags", "at"],
            "properties": {
                "id": {"type": "integer", "minimum": 1}, "name": {"type": "string", "minLength": 1, "maxLength": 80},
                "score": {"type": "number", "minimum": 0, "maximum": 100}, "state": {"enum": ["new", "open", "done"]},
                "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 8}, "at": {"type": "string"},
                "parent": {"type": ["integer", "null"]},
            },
        },
    }
    documents = [[{
        "id": number + 1, "name": f"{chooser.choice(WORDS)} {number}", "score": round(chooser.uniform(0, 100), 2),
        "state": chooser.choice(["new", "open", "done"]),
        "tags": [chooser.choice(WORDS) for _ in range(chooser.randint(0, 3))], "at": "2026-11-21T16:30:00Z",
        "parent": None if number % 3 else number,
    } for number in range(count)]]
    return schema, documents


def composed(seed, count):
    """A schema of parts put together with allOf and closed with unevaluatedProperties, and documents."""
    chooser = random.Random(seed)
    part = {}
    for number in range(8):
        names = [f"{WORDS[(number * 7 + offset) % len(WORDS)]}_{number}" for offset in range(5)]
        part[f"part{number}"] = {
            "properties": {name: {"type": ["string", "integer"]} for name in names}, "required": names[:3]}
    schema = {
        "type": "object", "allOf": [{"$ref": f"#/$defs/part{number}"} for number in range(6)],
        "anyOf": [{"$ref": "#/$defs/part6"}, {"$ref": "#/$defs/part7"}],
        "properties": {"id": {"type": "integer"}}, "unevaluatedProperties": False, "$defs": part,
    }
    documents = []
    for _ in range(count):
        document = {"id": chooser.randint(1, 1000)}
        for number in [*range(6), chooser.choice([6, 7])]:
            for name in part[f"part{number}"]["properties"]:
                document[name] = chooser.choice(WORDS)
        documents.append(document)
    return schema, documents
