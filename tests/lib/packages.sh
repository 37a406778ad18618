# The Debian packages that Casebook needs (sourced by bash).

PACKAGES_BUILD="autoconf automake make gcc libc6-dev pkg-config
    libfcgi-dev clearsilver-dev libjansson-dev libmariadb-dev libcurl4-openssl-dev
    libpcre2-dev uuid-dev nettle-dev zlib1g-dev libmicrohttpd-dev libcmocka-dev"
PACKAGES_CHECK="clang clang-format cppcheck chromium fonts-dejavu-core"

# Programs: any version that is there will do, whoever packed it. PROGRAM PACKAGE
PROGRAMS_RUN="nginx nginx
    mariadbd mariadb-server-core
    mariadb-install-db mariadb-server-core
    mariadb mariadb-client-core"
PROGRAMS_CHECK="node nodejs
    npm npm"

# package_there NAME   is it installed? Asks dpkg's own list: no network.
package_there() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# packages_missing run|check   one a line
packages_missing() {
    local name program programs=$PROGRAMS_RUN packages=$PACKAGES_BUILD
    if [ "$1" = check ]; then
        packages="$packages $PACKAGES_CHECK"
        programs="$programs
            $PROGRAMS_CHECK"
    fi
    {
        for name in $packages; do
            package_there "$name" || echo "$name"
        done
        while read -r program name; do
            command -v "$program" >/dev/null || echo "$name"
        done <<<"$programs"
    } | sort -u
}

# as_root COMMAND...
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -- "$@"
    else
        echo "needs root, and there is no sudo here: $*"
        return 1
    fi
}

# packages_install NAME...   Services that come with a package (a system nginx) stay
# stopped: for the time of the installation a policy says so, unless there is one.
packages_install() {
    local policy=/usr/sbin/policy-rc.d made="" rc
    if [ ! -e "$policy" ]; then
        made=1
        printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null &&
            as_root chmod 755 "$policy" || return 1
    fi
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq \
        -o DPkg::Lock::Timeout=600 update ||
        echo "the package lists could not be renewed; going on with those that are here"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
        -o DPkg::Lock::Timeout=600 install --no-install-recommends "$@"
    rc=$?
    [ -z "$made" ] || as_root rm -f "$policy"
    return $rc
}
