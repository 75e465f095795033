"""The parts of Benchmarks/run. Each is a module with a title and a function `measure_part(bench, section)`."""
