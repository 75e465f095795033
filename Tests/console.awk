# Condenses the output of `swift test`: a line for each suite, complete failures, the reasons of skipped tests, and the
# number of tests. Appends the names of failed tests to the file `failures`.
#
# Other lines of the tests, such as those for passing tests, are omitted; the log contains them. The output of a test is
# shown if it has the form "NAME PASSED/TOTAL", which the conformance tests use.

function show(line) { print line; fflush() }

# Returns the number after a word.
function number(word, at) {
    at = index($0, word)
    return at ? substr($0, at + length(word)) + 0 : 0
}

# The next event ends a failure or the reason of a skip.
/^(◇|✔|✘|➜|×|⚠|◈) / { isFailure = isSkip = 0; isRunning = 1 }

/^(✔|✘) Test run with / {
    tests += number("run with ")
    suites += number("tests in ") + number("test in ")
    next
}
/^(✔|✘) Suite / { show($0); next }
/^✘ / {
    isFailure = 1
    if (/^✘ Test .* recorded an issue/) show("")
    if (/^✘ Test .* failed after / && !/^✘ Test case passing /) {
        failed++
        print substr($0, length("✘ ") + 1) >>failures
    }
    show($0)
    next
}
/^➜ / {
    isSkip = 1
    skipped++
    reason = $0
    if (!sub(/^.*(skipped|cancelled[^:]*): "/, "", reason)) reason = "no reason"
    sub(/"$/, "", reason)
    reasons[reason]++
    next
}
/^(◇|✔|×|⚠|◈) / { next }
isFailure { show($0); next }
isSkip { next }

# Before the tests, a line that is not a step of the build or of package resolution is a warning or an error.
!isRunning && /^(\[[0-9]+\/[0-9]+\]|Building for |Build |Fetch|Comput|Creating |Working copy |Updat|Test Suite |\t Executed )/ { next }
!isRunning { show($0); next }

/^[A-Z][A-Za-z0-9_,:. -]* [0-9]+\/[0-9]+$/ { show($0); next }
/Fatal error|Program crashed|unexpected signal|^error: / { isFailure = 1; show($0) }

END {
    if (!tests) exit
    summary = tests (tests == 1 ? " test in " : " tests in ") suites (suites == 1 ? " suite" : " suites")
    if (failed) summary = summary ", " failed " failed"
    if (skipped) summary = summary ", " skipped " skipped"
    show(summary)
    for (reason in reasons) show("  skipped " reasons[reason] ": " reason)
}
