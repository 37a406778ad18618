# A private nginx on 127.0.0.1 before a private casebook-web (sourced by bash).
# It uses the very snippets that are shipped in nginx/, with their four paths
# changed. Needs proc.sh and ROOT, the top of the source tree. Lives in DIR/nginx.*.

# nginx_snippets DIR BASE SOCKET STATIC   shipped snippets, fitted, in DIR/nginx/
nginx_snippets() {
    local dir=$1 base=$2 socket=$3 static=$4 file
    local edit="s|/etc/nginx/snippets/|$dir/nginx/|
        s|/run/casebook/web.sock|$socket|
        s|/usr/share/casebook/cs-templates/static|$static|
        s|/casebook\\([ /({]\\)|$base\\1|g
        s|/casebook;|$base;|g"

    mkdir -p "$dir/nginx" || return 1
    for file in casebook-location.conf casebook-fastcgi.conf; do
        sed -e "$edit" "$ROOT/nginx/$file" >"$dir/nginx/$file" || return 1
    done
    # Below the root there is no path that lacks its slash.
    [ -n "$base" ] || sed -i '/^location = {/,/^}/d' "$dir/nginx/casebook-location.conf"
    # No password here: the name that is sent is believed, so two people can be played.
    cat >"$dir/nginx/casebook-auth.conf" <<EOF
set \$casebook_user \$played_user;
EOF
}

# nginx_conf DIR PORT BASE SOCKET STATIC [ADMIN_PORT]   write DIR/nginx.conf
nginx_conf() {
    local dir=$1 port=$2 base=$3 socket=$4 static=$5 admin=${6:-}
    local user=

    # A master that is root gives its workers to nobody, who may not enter DIR.
    [ "$(id -u)" = 0 ] && user='user root;'
    nginx_snippets "$dir" "$base" "$socket" "$static" || return 1
    {
        cat <<EOF
daemon off;
$user
worker_processes 1;
pid $dir/nginx.server.pid;
error_log stderr warn;
events {
    worker_connections 256;
}
http {
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    access_log $dir/nginx.access.log;
    client_body_temp_path $dir/nginx/body;
    fastcgi_temp_path $dir/nginx/fastcgi;
    proxy_temp_path $dir/nginx/proxy;
    scgi_temp_path $dir/nginx/scgi;
    uwsgi_temp_path $dir/nginx/uwsgi;
    server_tokens off;
    map \$remote_user \$played_user {
        "" demo;
        default \$remote_user;
    }
    server {
        listen 127.0.0.1:$port;
        server_name localhost;
        include $dir/nginx/casebook-location.conf;
EOF
        [ -z "$base" ] || cat <<EOF
        location = / {
            absolute_redirect off;
            return 302 $base/;
        }
EOF
        echo '    }'
        [ -z "$admin" ] || cat <<EOF
    server {
        listen 127.0.0.1:$admin;
        server_name localhost;
        location ~ ^$base/(healthz|readyz|metrics)\$ {
            set \$casebook_user "";
            include $dir/nginx/casebook-fastcgi.conf;
        }
        location @casebook_down {
            return 503 "casebook-web is not answering";
        }
    }
EOF
        echo '}'
    } >"$dir/nginx.conf"
}

# nginx_args DIR   the server's arguments, one a line
nginx_args() {
    printf '%s\n' -e stderr -p "$1/" -c "$1/nginx.conf"
}

# port_taken PORT   does somebody listen there?
port_taken() {
    (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# nginx_start DIR PORT   start with DIR/nginx.conf, wait until it listens
nginx_start() {
    local args left=200
    mapfile -t args < <(nginx_args "$1")
    nginx "${args[@]}" -t >>"$1/nginx.log" 2>&1 || return 1
    proc_start "$1" nginx "$1/nginx.log" nginx "${args[@]}"
    until port_taken "$2"; do
        { [ $((left -= 1)) -gt 0 ] && proc_lives "$PROC_PID"; } || return 1
        sleep 0.05
    done
    proc_lives "$PROC_PID"
}
