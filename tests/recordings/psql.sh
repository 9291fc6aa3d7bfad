needs psql setpriv openssl
use postgres_server
version "psql $(psql --version | sed 's/[^0-9]*\([0-9.]*\).*/\1/')"

# A server of our own, run by nobody, with a user for every kind of access
postgres_server -c max_connections=6 -c superuser_reserved_connections=1 -c deadlock_timeout=200ms <<'CONF'
host all secret 127.0.0.1/32 scram-sha-256
host all banned 127.0.0.1/32 reject
local all peered peer
local all all trust
host postgres,shop all 127.0.0.1/32 trust
host nowhere all 127.0.0.1/32 trust
CONF
export PGDATABASE=shop
psql -qd postgres <<'SQL'
create database shop;
create role secret login password 'right';
create role reader login;
create role banned login;
create role peered login;
create role narrow login connection limit 0;
\c shop
create table items (id int primary key, name varchar(5) not null, price numeric check (price > 0));
insert into items values (1, 'one', 1), (2, 'two', 2);
create table parts (id int references items);
insert into parts values (1);
create view cheap as select * from items;
SQL

# Ways to be refused at the door
PGPASSWORD=wrong record psql -U secret -c 'select 1'
record psql -w -U secret -c 'select 1'
record psql -U stranger -c 'select 1'
record psql -U banned -c 'select 1'
record psql -h "$server" -U peered -c 'select 1'
record psql -U narrow -c 'select 1'
record psql -d nowhere -c 'select 1'
record psql -d template1 -c 'select 1'
record psql -p "$closed" -c 'select 1'
record psql -h "$server" -p "$closed" -c 'select 1'
record psql -h db.example.invalid -c 'select 1'
record psql 'sslmode=require' -c 'select 1'
record psql 'host=127.0.0.1 prot=5' -c 'select 1'
record psql "postgres://127.0.0.1:port/shop" -c 'select 1'
record psql service=nowhere -c 'select 1'
"$RECORD_PYTHON" - "$closed" <<'PYTHON' &
import socket, sys, time
server = socket.create_server(("127.0.0.1", int(sys.argv[1]) + 1 if int(sys.argv[1]) < 60000 else int(sys.argv[1]) - 1))
time.sleep(50)
PYTHON
silent=$((closed < 60000 ? closed + 1 : closed - 1))
wait_for "$silent"
fixed "$silent" 5434
PGCONNECT_TIMEOUT=2 record psql -p "$silent" -c 'select 1'

# One statement
record psql -c 'select * form items'
record psql -c 'select * from item'
record psql -c 'select prise from items'
record psql -c 'select frob(1)'
record psql -c 'select * from nowhere.items'
record psql -c "insert into items values (1, 'again', 1)"
record psql -c "insert into items values (3, null, 1)"
record psql -c "insert into items values (3, 'x', -1)"
record psql -c "insert into items values (3, 'much too long', 1)"
record psql -c "insert into parts values (9)"
record psql -c "delete from items where id = 1"
record psql -c "drop table items"
record psql -c "create table items (id int)"
record psql -c "create database shop"
record psql -c "create role reader"
record psql -c "drop role nobody_else"
record psql -c "select 'abc'::int"
record psql -c "select 1/0"
record psql -c "select name, count(*) from items"
record psql -U reader -c "select * from items"
record psql -U reader -c "drop table items"
record psql -U reader -c "create role boss superuser"
record psql -c "set default_transaction_read_only = on" -c "delete from parts"
record psql -c "set statement_timeout = 100" -c "select pg_sleep(3)"
record psql -c "create extension postgis"
record psql -c "begin; create database other"
record psql -c "vacuum full nowhere_table"
record psql -c "select pg_terminate_backend(pg_backend_pid())"
record psql -c "select pg_cancel_backend(pg_backend_pid())"
record psql -c "do \$\$ begin raise exception 'custom failure 7'; end \$\$"
record psql -v VERBOSITY=verbose -c 'select * from item'
record psql -v VERBOSITY=sqlstate -c "insert into items values (1, 'again', 1)"
record psql -c "copy items from '/nowhere.csv'"
record psql -c "\\copy items from nowhere.csv"
echo 'not,enough' >bad.csv
record psql -c "\\copy items from bad.csv csv"
record psql -c "\\frobnicate"
record psql -c "\\d nowhere"
record psql -f nowhere.sql
record psql --frobnicate
record psql -p abc -c 'select 1'
record psql -c
record psql -c "insert into items values (3, 'three', 3); select * from item"

# Locks: somebody else holds one, or both wait for each other
psql -q -c "begin; lock table items; select pg_sleep(4)" >/dev/null 2>&1 &
sleep 0.5
record psql -c "begin; lock table items nowait"
record psql -c "set lock_timeout = 100" -c "select * from items"
wait $!
psql -qd postgres -c 'create database busy'
printf 'host all all 127.0.0.1/32 trust\n' >>"$server/data/pg_hba.conf" && psql -qAtc 'select pg_reload_conf()' >/dev/null
psql -q -d busy -c 'select pg_sleep(20)' >/dev/null 2>&1 &
sleep 1
record psql -d postgres -c 'drop database busy'
psql -qAtc "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'busy'" >/dev/null
wait $!
cat >first.sql <<'SQL'
begin; update items set price = 5 where id = 1; select pg_sleep(1.5); update items set price = 5 where id = 2; commit;
SQL
cat >second.sql <<'SQL'
begin; update items set price = 6 where id = 2; select pg_sleep(1.5); update items set price = 6 where id = 1; commit;
SQL
psql -q -f first.sql >/dev/null 2>&1 &
record psql -q -v ON_ERROR_STOP=1 -f second.sql
wait $!
cat >serial.sql <<'SQL'
begin isolation level repeatable read; select count(*) from items; select pg_sleep(2); update items set price = 7 where id = 1; commit;
SQL
(sleep 1; psql -q -c "update items set price = 8 where id = 1") &
record psql -q -v ON_ERROR_STOP=1 -f serial.sql
wait $!
for _ in 1 2 3 4 5 6 7; do psql -q -U reader -c 'select pg_sleep(5)' >/dev/null 2>&1 & sleep 0.05; done
sleep 1
record psql -U reader -c 'select 1'
sleep 5

# Scripts: psql goes on after an error and ends with 0 unless told otherwise
printf "insert into items values (10, 'ten', 10);\nselect * from item;\ninsert into items values (11, 'elf', 11);\n" >half.sql
printf "select * from item;\n" >none.sql
printf "create table if not exists items (id int);\nselect 1 as one;\n" >notice.sql
printf "begin;\ninsert into items values (12, 'x', 12);\nselect * from item;\ncommit;\n" >block.sql
record psql -f half.sql
record psql -f none.sql
record psql -f notice.sql
record psql -f block.sql
record psql -v ON_ERROR_STOP=1 -f block.sql
sed -i 's/10/20/g; s/11/21/g' half.sql
record psql -v ON_ERROR_STOP=1 -f half.sql
sed -i 's/20/30/g' half.sql
record psql -v ON_ERROR_STOP=1 -1 -f half.sql
record --stdin psql -v ON_ERROR_STOP=1 <none.sql
record --stdin psql -At <none.sql
record --stdin psql -q -At <notice.sql
record psql -At -c "select 'ERROR:  nothing is wrong'"
record psql -c "do \$\$ begin raise warning 'ERROR: only a warning'; end \$\$"
printf "do \$\$ begin raise exception 'custom failure 8'; end \$\$;\n" >custom.sql
record psql -f custom.sql
record psql --csv -c "select id, name from items where id < 3 order by id"
record psql -c "select id, name from items where id < 3 order by id"

# A transaction pooler and a server that is not ready yet speak before anybody is let in
for words in "the database system is starting up" "sorry, too many clients already" "the database system is not yet accepting connections"; do
  "$RECORD_PYTHON" - "$closed" "$words" <<'PYTHON' &
import socket, struct, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
peer, _ = server.accept()
peer.close()
fields = b"SFATAL\0VFATAL\0C57P03\0M" + sys.argv[2].encode() + b"\0\0"
for _ in range(3):
    peer, _ = server.accept()
    asked = peer.recv(4096)
    if asked[4:8] == struct.pack("!i", 80877103):  # it asks for TLS first
        peer.sendall(b"N")
        peer.recv(4096)
    peer.sendall(b"E" + struct.pack("!i", 4 + len(fields)) + fields)
    peer.close()
PYTHON
  wait_for "$closed"
  version "psql $(psql --version | sed 's/[^0-9]*\([0-9.]*\).*/\1/') (simulated server)"
  record psql -p "$closed" -c "select '$words'"
  kill $!; wait $! 2>/dev/null
done
