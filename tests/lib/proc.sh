# Processes that belong to one private folder (sourced by bash, never run).
#
# A process is started in a session of its own, so that Ctrl-C in a terminal
# reaches only the script that started it, and is told to end when that script
# dies. Its number is kept in FOLDER/NAME.pid. It is ended by that number, and
# only while its command line still names the folder: a number that the system
# has given to somebody else since is left alone.

PATH=$PATH:/usr/sbin:/sbin

# proc_start DIR NAME LOG COMMAND...   start in the background; sets PROC_PID
proc_start() {
    local dir=$1 name=$2 log=$3
    shift 3
    setsid setpriv --pdeathsig TERM -- "$@" </dev/null >>"$log" 2>&1 9>&- &
    PROC_PID=$!
    echo "$PROC_PID" >"$dir/$name.pid"
}

# proc_is_ours PID DIR   does this process live, and does its command line name DIR?
proc_is_ours() {
    case $1 in '' | *[!0-9]*) return 1 ;; esac
    [ -r "/proc/$1/cmdline" ] && tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null |
        grep -qF -- "$2/"
}

# proc_lives PID   a zombie does not live
proc_lives() {
    [ -r "/proc/$1/stat" ] && ! grep -q '^[^)]*) Z' "/proc/$1/stat" 2>/dev/null
}

# wait_for SECONDS COMMAND...   until COMMAND succeeds; 1 when the time is up
wait_for() {
    local left=$(($1 * 20))
    shift
    until "$@" 2>/dev/null; do
        [ $((left -= 1)) -gt 0 ] || return 1
        sleep 0.05
    done
}

proc_gone() {
    ! proc_lives "$1"
}

# proc_members PID   who lives in the session that PID began
proc_members() {
    local stat line fields
    for stat in /proc/[0-9]*/stat; do
        read -r line 2>/dev/null <"$stat" || continue
        read -ra fields <<<"${line##*) }"
        [ "${fields[3]}" != "$1" ] || [ "${fields[0]}" = Z ] || basename "${stat%/stat}"
    done
}

# proc_holds PID DIR   has it a file of DIR open?
proc_holds() {
    find "/proc/$1/fd" -lname "$2/*" 2>/dev/null | grep -q .
}

# proc_orphans PID DIR   PID is gone, its children are not: end those that are ours
proc_orphans() {
    local child
    for child in $(proc_members "$1"); do
        if proc_is_ours "$child" "$2" || proc_holds "$child" "$2"; then
            kill -s KILL "$child" 2>/dev/null
            wait_for 5 proc_gone "$child"
        fi
    done
}

# proc_stop DIR NAME [SIGNAL]   end it and what it started; nothing happens if it is gone
proc_stop() {
    local pid=
    [ -f "$1/$2.pid" ] && read -r pid <"$1/$2.pid"
    rm -f "$1/$2.pid"
    [ -n "$pid" ] || return 0
    if proc_is_ours "$pid" "$1"; then
        kill -s "${3:-TERM}" "$pid" 2>/dev/null
        wait_for 15 proc_gone "$pid" || echo "$2 ($pid) did not end in 15 s and was killed"
        kill -s KILL -- "-$pid" 2>/dev/null
        wait_for 5 proc_gone "$pid"
    else
        proc_orphans "$pid" "$1"
    fi
    return 0
}

# short_dir DIR   where DIR's sockets may live: DIR itself, unless its name is too
# long for a socket address (108 bytes); then a private folder with a short name.
short_dir() {
    if [ ${#1} -le 80 ]; then
        echo "$1"
        return
    fi
    local short
    short=/tmp/casebook-$(id -u)-$(printf %s "$1" | cksum | cut -d ' ' -f 1)
    [ -d "$short" ] || mkdir -m 700 "$short" || return 1
    [ -O "$short" ] && echo "$short"
}
