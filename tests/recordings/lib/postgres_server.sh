# A PostgreSQL server of our own, run by nobody because it refuses to be run by root.

PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin /usr/local/pgsql/bin 2>/dev/null | tail -1)"
needs initdb postgres setpriv

postgres_server() { # OPTIONS…
  chmod 755 "$RECORD_WORLD/.." && server="$(realpath "$RECORD_WORLD/..")/server" && mkdir "$server" && chown 65534 "$server"
  (unprivileged initdb -D "$server/data" -U admin -A trust --no-sync) >/dev/null </dev/null
  cat >"$server/data/pg_hba.conf"
  port=$(free_port) closed=$(free_port)
  (unprivileged postgres -D "$server/data" -p "$port" -k "$server" -c listen_addresses=127.0.0.1 -c fsync=off "$@") >/dev/null 2>&1 &
  wait_for "$port"
  fixed "$server" /tmp/run
  fixed "$port" 5432
  fixed "$closed" 5433
  export PGHOST=127.0.0.1 PGPORT=$port PGUSER=admin
  # It listens before it lets anybody in
  for _ in $(seq 50); do psql -qd postgres -c 'select 1' >/dev/null 2>&1 </dev/null && break; sleep 0.1; done
}
