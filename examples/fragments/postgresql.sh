# Starts PostgreSQL in a temporary directory: sh postgresql.sh PORT. The server does not run as root.
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
PATH=$PATH:$programs
directory=$(mktemp -d)
if [ "$(id -u)" = 0 ]; then
    chown nobody "$directory"
    as() { runuser -u nobody -- "$@"; }
else
    as() { "$@"; }
fi
trap 'kill $!; wait; rm -rf "$directory"' TERM
as initdb --pgdata "$directory/data" --username postgres --auth trust --no-sync >/dev/null || exit
as postgres -D "$directory/data" -h 127.0.0.1 -p "$1" -k '' -c fsync=off &
wait
