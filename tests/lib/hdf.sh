# Reading an HDF configuration file from a shell script (sourced by bash).

# hdf_flat FILE   its settings as "Full.Name<TAB>value", in file order: blocks are
# unfolded, multi-line values are cut at their first line.
hdf_flat() {
    awk '
        function full(name) { return depth ? prefix[depth] "." name : name }
        until != "" { if ($0 == until) until = ""; next }
        { sub(/^[ \t]+/, ""); sub(/[ \t\r]+$/, "") }
        /^#/ || $0 == "" { next }
        $0 == "}" { if (depth) depth--; next }
        {
            if (!match($0, /^[A-Za-z0-9_.]+/)) next
            name = substr($0, 1, RLENGTH)
            rest = substr($0, RLENGTH + 1)
            sub(/^[ \t]*(\[[^]]*\])?[ \t]*/, "", rest)
            if (rest == "{") { f = full(name); prefix[++depth] = f; next }
            if (rest ~ /^<</) {
                until = rest
                sub(/^<<[ \t]*/, "", until)
                print full(name) "\t"
            } else if (sub(/^:?=[ \t]*/, "", rest))
                print full(name) "\t" rest
        }' "$1"
}

# hdf_has FILE NAME   is NAME, or anything below it, set?
hdf_has() {
    hdf_flat "$1" | cut -f 1 | grep -qE "^$2(\$|\\.)"
}

# hdf_get FILE NAME   the last value of NAME, or nothing
hdf_get() {
    hdf_flat "$1" | awk -F '\t' -v name="$2" '$1 == name { value = $2 } END { print value }'
}
