# Building outside of the source tree (sourced by bash). ROOT is the top of the
# source tree; builds live in ROOT/var. Two builds of one folder wait for each other.

# build_prepare   make ./configure, if there is none or its sources have changed
build_prepare() {
    local stamp=$ROOT/var/configure.made newer
    mkdir -p "$ROOT/var"
    (
        flock 8 || exit 1
        if [ -f "$ROOT/configure" ] && [ -f "$stamp" ]; then
            newer=$(find "$ROOT" -path "$ROOT/var" -prune -o \( -name configure.ac \
                -o -name Makefile.am -o -name '*.mk' -o -name '*.m4' \) \
                ! -name aclocal.m4 -newer "$stamp" -print)
            [ -n "$newer" ] || exit 0
        fi
        cd "$ROOT" && autoreconf -fi && touch "$stamp"
    ) 8>"$ROOT/var/configure.lock"
}

# build_tree NAME CC FLAGS [TARGET...]   configure and make ROOT/var/NAME
build_tree() {
    local dir=$ROOT/var/$1 cc=$2 flags=$3
    shift 3
    build_prepare || return 1
    mkdir -p "$dir"
    (
        flock 8 || exit 1
        cd "$dir" || exit 1
        # shellcheck disable=SC2086
        if [ ! -f Makefile ] || [ "$(cat flags 2>/dev/null)" != "$cc $flags" ]; then
            rm -f flags
            "$ROOT/configure" CC="$cc" $flags && echo "$cc $flags" >flags || exit 1
        fi
        make -j"$(nproc)" "$@"
    ) 8>"$dir.lock"
}

# build_check_programs NAME   the unit test programs of ROOT/var/NAME, one a line
build_check_programs() {
    make -s -C "$ROOT/var/$1" print-check-programs
}

# build_npm   tests/node_modules as the lock file says, unless it is so already
build_npm() {
    local dir=$ROOT/tests mark
    mark=$(cat "$dir/package.json" "$dir/package-lock.json" | cksum)
    (
        flock 8 || exit 1
        [ "$(cat "$dir/node_modules/.made" 2>/dev/null)" != "$mark" ] || exit 0
        cd "$dir" && npm ci && echo "$mark" >node_modules/.made
    ) 8>"$ROOT/var/npm.lock"
}
