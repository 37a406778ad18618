# Counts a TAP stream: prints "PASSED FAILED SKIPPED" last, and each failing line
# before it, as it was, with what follows it up to the next result (at most 12 lines).
#
# A result that closes a group of indented ones is no test of its own, but counts
# when it fails although all of them passed. Without a plan, or with a plan that
# promised another number, one failure more.

function depth_of(line) {
    match(line, /^ */)
    return RLENGTH
}

function closes_group(d,    deeper, found) {
    found = 0
    for (deeper in seen)
        if (deeper + 0 > d && seen[deeper]) {
            found = 1
            failed_inside = failed_inside || bad[deeper]
            seen[deeper] = bad[deeper] = 0
        }
    return found
}

function complain(text) {
    failed++
    print text
}

# What a test says about itself is between these two, and is no result.
/^ *---$/ { inside = 1 }
/^ *\.\.\.$/ { inside = 0 }
inside {
    if (show-- > 0)
        print
    next
}

/^ *(not )?ok([^A-Za-z]|$)/ {
    d = depth_of($0)
    is_bad = ($1 == "not" && $0 !~ /# *[Ss][Kk][Ii][Pp]/) # cmocka writes a skip so
    failed_inside = 0
    group = closes_group(d)
    seen[d] = 1
    bad[d] = bad[d] || is_bad
    if (d == 0)
        results++
    show = 0
    if (group && !(is_bad && !failed_inside))
        next
    if (is_bad) {
        complain($0)
        show = 12
    } else if ($0 ~ /# *[Ss][Kk][Ii][Pp]/)
        skipped++
    else
        passed++
    next
}

/^1\.\.[0-9]+/ {
    plans++
    planned += substr($1, 4)
    if ($0 ~ /^1\.\.0 *# *[Ss][Kk][Ii][Pp]/)
        skipped++
    show = 0
    next
}

/^Bail out!/ { complain($0) }

show > 0 { print; show-- }

END {
    if (!plans)
        complain("not ok - no plan was printed")
    else if (planned != results)
        complain("not ok - " planned " tests were planned, " results + 0 " ended")
    print passed + 0, failed + 0, skipped + 0
}
