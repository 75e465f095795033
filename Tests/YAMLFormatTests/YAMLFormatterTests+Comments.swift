extension YAMLFormatterTests {
    static let comments = [
        Case("only comments", "\n  # one\n\n\n# two", "# one\n\n# two\n"),
        Case("before the first key", "# one\n\n# two\na: 1\n"),
        Case("after the last", "a:\n  b: 1\n\n\n# end\n", "a:\n  b: 1\n\n# end\n"),
        Case(
            "after values", "a: 1 # one\nb:  2   # two\nc: 'x'# three\n", "a: 1 # one\nb: 2    # two\nc: 'x' # three\n"
        ),
        Case(
            "in a column", "a: 1          # one\nb:            # two\n  c: [ 1 ]    # three\n",
            "a: 1          # one\nb:            # two\n  c: [1]      # three\n"),
        Case(
            "in a column, moved with their lines", "a:\n    b: 1   # one\n    cc: 2  # two\n",
            "a:\n  b: 1   # one\n  cc: 2  # two\n"),
        Case(
            "after keys", "a: # one\n    b: 1\nc: # two\n- 1\nd: # three\n  4\n",
            "a: # one\n  b: 1\nc: # two\n  - 1\nd: # three\n  4\n"),
        Case(
            "below keys", "a:\n   # one\n   b: 1\nc:\n# two\n- 1\nd:\n  # three\n  4\n",
            "a:\n  # one\n  b: 1\nc:\n  # two\n  - 1\nd:\n  # three\n  4\n"),
        Case(
            "between elements", "a:\n- 1\n# two\n- 2\n\n   # three\n\n- 3\n# b\nb: 4\n",
            "a:\n  - 1\n  # two\n  - 2\n\n  # three\n\n  - 3\n# b\nb: 4\n"),
        Case(
            "at the ends of blocks",
            "a:\n    b:\n        c: 1\n        # end of c\n    # end of b\n# before d\nd:\n    - 1\n    # end\n",
            "a:\n  b:\n    c: 1\n    # end of c\n  # end of b\n# before d\nd:\n  - 1\n  # end\n"),
        Case(
            "at the ends of blocks, misaligned", "a:\n    b:\n        c: 1\n      # end of b\n  # before d\nd: 1\n",
            "a:\n  b:\n    c: 1\n  # end of b\n# before d\nd: 1\n"),
        Case(
            "commented lines", "a:\n    b: 1\n#    c: 2\n    d: 3\n#  e: 4\nf: 5\n",
            "a:\n  b: 1\n  #    c: 2\n  d: 3\n#  e: 4\nf: 5\n"),
        Case(
            "after a dash", "-   # one\n    a: 1\n- # two\n  - 1\n- # three\n  4\n",
            "- # one\n  a: 1\n- # two\n  - 1\n- # three\n  4\n"),
        Case(
            "below a dash", "-\n    # one\n    # two\n    a: 1\n-\n  # three\n  4\n",
            "- # one\n  # two\n  a: 1\n-\n  # three\n  4\n"),
        Case(
            "after anchors and tags", "a: &x # one\n    b: 1\nc: !!str # two\n  3\n",
            "a: &x # one\n  b: 1\nc: !!str # two\n  3\n"),
        Case(
            "between an anchor and its value", "a: &x\n    # one\n    b: 1\nc:\n  # two\n  &y\n  3\n",
            "a: &x\n  # one\n  b: 1\nc:\n  # two\n  &y\n  3\n"),
        Case(
            "in brackets", "a: [ # one\n   1, # two\n   # three\n   2 # four\n     # five\n ] # six\n",
            "a: [ # one\n  1, # two\n  # three\n  2 # four\n  # five\n] # six\n"),
        Case("in braces", "a: { b: 1, # one\n  c: # two\n   2 }\n", "a: { b: 1, # one\n  c: # two\n    2 }\n"),
        Case(
            "before commas", "a: [1 # one\n, 2 # two\n # three\n, 3]\n", "a: [1, # one\n  2, # two\n  # three\n  3]\n"),
        Case("around a trailing comma", "[1 # one\n, # two\n]\n", "[1, # one\n  # two\n]\n"),
        Case("in empty brackets", "a: [ # one\n]\nb: {\n # two\n}\n", "a: [ # one\n]\nb: {\n  # two\n}\n"),
        Case(
            "after the header of a block", "a: |   # one\n    # text\nb: >- # two\n    c\n# d\n",
            "a: |   # one\n  # text\nb: >- # two\n  c\n# d\n"),
        Case(
            "after scalars on multiple lines", "a: 'one\n    two' # three\nb: one\n    two # three\n",
            "a: 'one\n  two' # three\nb: one\n  two # three\n"),
        Case(
            "with tabs", "#\tone\t\na: 1\t# two\tthree\nb: 2 \t # four\t\n",
            "#\tone\na: 1 # two\tthree\nb: 2   # four\n"),
        Case("not comments", "a: b#c\nd: '#e'\nf: \"# g\"\nh: [i#j, k]\n"),
        Case("empty comments", "#\na: 1 #\n#\n"),
        Case(
            "between an explicit key and its value", "? a # one\n# two\n: # three\n  b: 1\n",
            "? a # one\n# two\n: # three\n  b: 1\n"),
        Case(
            "deeply nested",
            "a:\n   - b:\n       -   c: # one\n           # two\n            - d # three\n            # four\n           # five\n",
            "a:\n  - b:\n      - c: # one\n          # two\n          - d # three\n          # four\n        # five\n"),
        Case("after a block in brackets", "a: [\n  1,\n\n  # one\n\n  2\n\n]\n", "a: [\n  1,\n\n  # one\n\n  2\n]\n"),
    ]

    static let documents = [
        Case("separators", "a: 1\n---\nb: 2\n\n\n---\n\nc: 3\n", "a: 1\n---\nb: 2\n\n---\n\nc: 3\n"),
        Case("a first separator", "---\na:   1\n...\n", "---\na: 1\n...\n"),
        Case(
            "after a separator", "--- # one\na: 1\n---   {b: 2}\n--- &x\nc: 3\n--- text\n",
            "--- # one\na: 1\n--- { b: 2 }\n--- &x\nc: 3\n--- text\n"),
        Case(
            "around separators", "# one\n---\n# two\na: 1\n# three\n\n---\n# four\n",
            "# one\n---\n# two\na: 1\n# three\n\n---\n# four\n"),
        Case("empty documents", "---\n---\n# one\n---\n...\n# two\n", "---\n---\n# one\n---\n...\n# two\n"),
        Case(
            "a directive", "%YAML   1.2 # one\n# two\n---\na: !!str   1\n",
            "%YAML   1.2 # one\n# two\n---\na: !!str 1\n"),
        Case(
            "directives of several documents",
            "%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1\n...\n%YAML 1.2\n---\nb: 2\n"),
        Case("a document after an end marker", "a: 1\n... # one\n---\nb: 2\n"),
        Case(
            "blocks before separators", "a: |\n   one\n---\nb: |+\n   two\n\n---\nc: 3\n",
            "a: |\n  one\n---\nb: |+\n  two\n\n---\nc: 3\n"),
    ]
}
