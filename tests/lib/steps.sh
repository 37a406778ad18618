# Steps, each told in one line, each with a log of its own (sourced by bash).
# LOGS is the folder for the logs.

# step NAME TEXT COMMAND...   run it; 1, with the end of its log, when it fails
step() {
    local name=$1 text=$2 log=$LOGS/$1.log began=$SECONDS rc
    shift 2
    printf '  %-46s' "$text"
    # Appended, for a program that the step starts may go on writing there.
    : >"$log"
    "$@" >>"$log" 2>&1
    rc=$?
    if [ $rc = 0 ]; then
        echo "ok  $((SECONDS - began)) s"
        return 0
    fi
    echo FAILED
    echo
    echo "The step \"$text\" failed (status $rc). The end of its log:"
    tail -n 15 "$log" | sed 's/^/    /'
    echo "The whole log: $log"
    return 1
}
