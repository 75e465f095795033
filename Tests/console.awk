# Reads the output of `swift test` and prints it for people: a line for each suite, failures whole, what was skipped and why, and
# the number of tests. Names of failed tests are appended to the file `failures`.
#
# Other lines of the tests, such as those for each test that starts and passes, are dropped; they are in the log. What a test prints
# is shown if it has the form "NAME PASSED/TOTAL", as the conformance tests print it.

function show(line) { print line; fflush() }

# The number behind a word.
function number(word, at) {
    at = index($0, word)
    return at ? substr($0, at + length(word)) + 0 : 0
}

# A failure, or the reason of a skip, ends with the next event.
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

# Before the tests: what is neither a step of the build nor of resolving packages is a warning or an error.
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
