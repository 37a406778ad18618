# A private MariaDB: a socket, no network port, little memory (sourced by bash).
# Needs proc.sh. Everything lives in DIR/mariadb and DIR/mariadb.*.

MARIADB_PASSWORD=private

mariadb_socket() {
    echo "$(short_dir "$1")/mariadb.sock"
}

# mariadb_as   MariaDB refuses to run as root unless told to; it owns only DIR here
mariadb_as() {
    [ "$(id -u)" = 0 ] && echo --user=root
}

# mariadb_init DIR   make the data folder, once
mariadb_init() {
    [ -f "$1/mariadb/made" ] && return 0
    rm -rf "$1/mariadb" "$1/mariadb.new"
    # shellcheck disable=SC2046
    mariadb-install-db --no-defaults $(mariadb_as) --datadir="$1/mariadb.new" \
        --auth-root-authentication-method=normal --skip-test-db \
        --innodb-log-file-size=16M >>"$1/mariadb.log" 2>&1 || return 1
    touch "$1/mariadb.new/made" && mv "$1/mariadb.new" "$1/mariadb"
}

# mariadb_args DIR   the server's arguments, one a line
mariadb_args() {
    mariadb_as
    printf '%s\n' --datadir="$1/mariadb" --socket="$(mariadb_socket "$1")" \
        --pid-file="$1/mariadb.server.pid" --skip-networking --skip-name-resolve \
        --character-set-server=utf8mb4 --collation-server=utf8mb4_unicode_ci \
        --innodb-buffer-pool-size=64M --innodb-log-file-size=16M \
        --innodb-flush-log-at-trx-commit=2 --key-buffer-size=1M \
        --aria-pagecache-buffer-size=8M --performance-schema=OFF --max-connections=100
}

# mariadb_root DIR [ARGS...]   the client, as the server's administrator
mariadb_root() {
    local dir=$1
    shift
    mariadb --no-defaults --socket="$(mariadb_socket "$dir")" --user=root \
        --default-character-set=utf8mb4 --connect-timeout=5 "$@"
}

mariadb_answers() {
    mariadb_root "$1" -e 'SELECT 1' >/dev/null
}

# mariadb_ready DIR PID   wait until it answers; 1 at once when the server has ended
mariadb_ready() {
    local left=1200
    until mariadb_answers "$1" 2>/dev/null; do
        { [ $((left -= 1)) -gt 0 ] && proc_lives "$2"; } || return 1
        sleep 0.05
    done
}

# mariadb_database DIR   the database and the user that Casebook's programs use
mariadb_database() {
    mariadb_root "$1" -e "CREATE DATABASE IF NOT EXISTS casebook CHARACTER SET utf8mb4;
        CREATE USER IF NOT EXISTS casebook@localhost IDENTIFIED BY '$MARIADB_PASSWORD';
        GRANT ALL ON casebook.* TO casebook@localhost;"
}

# mariadb_start DIR   make it if need be, start it, wait until it can be used
mariadb_start() {
    local args
    mariadb_init "$1" || return 1
    mapfile -t args < <(mariadb_args "$1")
    proc_start "$1" mariadb "$1/mariadb.log" mariadbd --no-defaults "${args[@]}"
    mariadb_ready "$1" "$PROC_PID" && mariadb_database "$1" >>"$1/mariadb.log" 2>&1
}

# mariadb_config DIR   the lines for casebook.hdf
mariadb_config() {
    printf 'Database.%s = %s\n' Socket "$(mariadb_socket "$1")" Name casebook \
        User casebook Password "$MARIADB_PASSWORD"
}
