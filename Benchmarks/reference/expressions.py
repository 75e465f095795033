"""Measures one case of Benchmarks/expressions with a Python library: reference/expressions.py LIBRARY CASES NUMBER SECONDS."""

import json
import sys
import time


def regex(library, case):
    if library == "re":
        import re as module
    else:
        import re2 as module
    source, text = case["source"], case["text"]
    if case["kind"] == "groups":
        search = module.compile(source).search
        return lambda: (lambda match: match.end() - match.start() if match else 0)(search(text))
    if case.get("compile"):
        def compile_and_search():
            module.purge()
            return 1 if module.compile(source).search(text) else 0
        return compile_and_search
    search = module.compile(source).search
    return lambda: 1 if search(text) else 0


def path(case):
    import jsonpath_rfc9535 as jsonpath
    document = case["document"]
    if case.get("compile"):
        return lambda: len(jsonpath.compile(case["source"]).find(document))
    find = jsonpath.compile(case["source"]).find
    return lambda: len(find(document))


def cel(case):
    import cel
    context = cel.Context(variables=case["variables"])
    if case.get("compile"):
        return lambda: 1 if cel.evaluate(case["source"], context) is True else 0
    program = cel.compile(case["source"])
    return lambda: 1 if program.execute(context) is True else 0


def cel_cpp(case):
    from cel_expr_python import cel as library
    environment = library.NewEnv(variables={name: library.Type.DYN for name in case["variables"]})
    variables = case["variables"]
    if case.get("compile"):
        return lambda: 1 if environment.compile(case["source"]).eval(data=variables).value() is True else 0
    program = environment.compile(case["source"])
    return lambda: 1 if program.eval(data=variables).value() is True else 0


def main():
    library, cases, number, seconds = sys.argv[1:]
    with open(cases, encoding="utf-8") as file:
        case = json.load(file)[int(number)]
    body = {"re": lambda: regex("re", case), "google-re2": lambda: regex("re2", case), "jsonpath-rfc9535": lambda: path(case),
            "common-expression-language": lambda: cel(case), "cel-expr-python": lambda: cel_cpp(case)}[library]()
    result = body()
    count, batch, elapsed = 0, 1, 0
    while elapsed < float(seconds) * 1e9:
        start = time.perf_counter_ns()
        for _ in range(batch):
            body()
        spent = time.perf_counter_ns() - start
        elapsed += spent
        count += batch
        if spent < 5_000_000:
            batch *= 2
    print(count, elapsed, result)


main()
