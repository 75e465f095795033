"""The parts of Benchmarks/run: each a module with a title and a function `measure(bench, section)`."""
