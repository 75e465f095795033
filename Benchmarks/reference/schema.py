"""The equivalent of schema-load with jsonschema-rs, with the same arguments and output."""

import json
import sys
import time

import jsonschema_rs


def main():
    task, schema_path, documents_path, seconds = sys.argv[1:]
    with open(schema_path, encoding="utf-8") as file:
        source = json.load(file)
    with open(documents_path, encoding="utf-8") as file:
        documents = json.load(file)
    validator = jsonschema_rs.validator_for(source)
    valid = sum(validator.is_valid(document) for document in documents)
    begin = time.perf_counter()
    end = begin + float(seconds)
    passes = total = 0
    while True:
        if task == "valid":
            is_valid = validator.is_valid
            for document in documents:
                total += is_valid(document)
        elif task == "violations":
            for document in documents:
                total += sum(1 for _ in validator.iter_errors(document))
        else:
            total += jsonschema_rs.validator_for(source).is_valid(None)
        passes += 1
        if time.perf_counter() >= end:
            break
    print(passes, time.perf_counter() - begin, valid, total)


main()
