needs mysql mysqldump mariadbd mariadb-install-db setpriv
version "mysql $(mysql --version | sed -n 's/.*[ ]\([0-9.]*-MariaDB\).*/\1/p')"

# A server of our own, run by nobody
chmod 755 "$RECORD_WORLD/.." && server="$(realpath "$RECORD_WORLD/..")/server" && mkdir "$server" && chown 65534 "$server"
(unprivileged mariadb-install-db --no-defaults --datadir="$server/data" --auth-root-authentication-method=normal --skip-test-db) >/dev/null 2>&1
port=$(free_port) closed=$(free_port) silent=$(free_port)
(unprivileged mariadbd --no-defaults --datadir="$server/data" --port="$port" \
  --socket="$server/my.sock" --pid-file="$server/pid" --bind-address=127.0.0.1 --max-connections=10 --skip-ssl --skip-name-resolve --innodb-lock-wait-timeout=1 --secure-file-priv="$server") >/dev/null 2>&1 &
wait_for "$port"
fixed "$(realpath "$server")" /tmp/run
fixed "$server" /tmp/run
fixed "$port" 3306
fixed "$closed" 3307
fixed "$silent" 3308
sock="$(realpath "$server")/my.sock"
for _ in $(seq 50); do mysql --no-defaults -uroot -S "$sock" -e 'select 1' >/dev/null 2>&1 && break; sleep 0.1; done
mysql --no-defaults -uroot -S "$sock" <<'SQL'
create database shop;
create user admin@'127.0.0.1' identified by 'right'; grant all on *.* to admin@'127.0.0.1' with grant option;
create user reader@'127.0.0.1' identified by 'right';
create user narrow@'127.0.0.1' identified by 'right' with max_queries_per_hour 1; grant select on shop.* to narrow@'127.0.0.1';
create user locked@'127.0.0.1' identified by 'right' account lock;
create user stale@'127.0.0.1' identified by 'right' password expire;
use shop;
create table items (id int primary key, name varchar(5) not null, price int check (price > 0)) engine=innodb;
insert into items values (1, 'one', 1), (2, 'two', 2);
create table parts (id int, foreign key (id) references items (id)) engine=innodb;
insert into parts values (1);
grant select on shop.items to reader@'127.0.0.1';
SQL
cat >my.cnf <<CONF
[client]
host=127.0.0.1
port=$port
user=admin
password=right
CONF
chmod 600 my.cnf && cp my.cnf "$HOME/.my.cnf"
export MYSQL_TCP_PORT=$port
my() { record mysql "$@"; }

my -uadmin -pwrong -e 'select 1'
my --no-defaults -h127.0.0.1 -P"$port" -ustranger -e 'select 1'
my -ulocked -pright -e 'select 1'
my -ustale -pright -e 'select 1'
my nowhere -e 'select 1'
my -P"$closed" -e 'select 1'
my --no-defaults -S "$RECORD_WORLD/none.sock" -e 'select 1'
my --no-defaults -hdb.example.invalid -uadmin -e 'select 1'
my --ssl-verify-server-cert --ssl -e 'select 1'
"$RECORD_PYTHON" - "$silent" <<'PYTHON' &
import socket, sys, time
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
time.sleep(60)
PYTHON
wait_for "$silent"
my -P"$silent" --connect-timeout=1 -e 'select 1'
my shop -e 'selct * from items'
my shop -e 'select * from item'
my shop -e 'select prise from items'
my shop -e 'select frob(1)'
my -e 'select * from items'
my shop -e "insert into items values (1, 'again', 1)"
my shop -e "insert into items values (3, null, 1)"
my shop -e "insert into items values (3, 'x', -1)"
my shop -e "insert into items values (3, 'much too long', 1)"
my shop -e "insert into items (id) values (3)"
my shop -e "insert into items values (3, 'x')"
my shop -e "insert into parts values (9)"
my shop -e "delete from items where id = 1"
my shop -e "create table items (id int)"
my -e "create database shop"
my -e "drop database nowhere"
my -e "drop user nobody@nowhere"
my -e "create user admin@'127.0.0.1'"
my shop -ureader -pright -e "delete from items"
my shop -ureader -pright -e "select * from parts"
my mysql -ureader -pright -e "select 1"
my -ureader -pright -e "create database mine"
my shop -unarrow -pright -e "select 1; select 2; select 3"
my shop -e "set max_statement_time = 0.1; select sleep(3)"
my shop -e "kill connection_id()"
my shop -e "set session transaction read only; start transaction; delete from parts"
my shop -e "load data infile '/nowhere.csv' into table items"
my shop -e "select * into outfile '/etc/x' from items"
my shop -e "select * from items where"
my -e "install soname 'frob'"
my -e "select 'abc' + frob"
my shop -e "lock tables items read; insert into items values (7, 'seven', 7)"
my shop -e "set max_heap_table_size = 16384; create table heap (t char(200)) engine=memory; insert into heap select seq from seq_1_to_1000"
unshare -rn "$RECORD_PYTHON" -m tests.record --one mysql --no-defaults -h10.0.0.1 -uadmin -e 'select 1'
my shop -e 'source nowhere.sql'
my shop -e "select 'unterminated"
my shop -e 'drop table items'
my shop -e 'alter table items drop column frob'
my shop -e 'alter table items add column name int'
my -e 'set global frob = 1'
my -e "create table t.x (id int) collate utf8mb4_0900_frob_ci"
my --frobnicate
my --port=abc -e 'select 1'
my --defaults-file=nowhere.cnf -e 'select 1'

# Locks
mysql shop -e "begin; update items set price = 9 where id = 1; select sleep(4)" >/dev/null 2>&1 &
sleep 0.5
my shop -e "update items set price = 8 where id = 1"
my shop -e "select * from items for update nowait"
wait $!
mysql shop -e "set innodb_lock_wait_timeout = 20; begin; update items set price = 5 where id = 1; select sleep(2); update items set price = 5 where id = 2; commit" >/dev/null 2>&1 &
my shop -e "set innodb_lock_wait_timeout = 20; begin; update items set price = 6 where id = 2; update items set price = 6 where id = 2; select sleep(2); update items set price = 6 where id = 1; commit"
wait $!
for _ in $(seq 11); do mysql -e 'select sleep(4)' >/dev/null 2>&1 & done
sleep 1
my -ureader -pright -e 'select 1'
sleep 4
mysql -e 'set global read_only = 1'
my shop -ureader -pright -e 'select count(*) from items'

# Scripts: it stops at the first error, what came before stays
printf "insert into items values (10, 'ten', 10);\nselect * from item;\n" >half.sql
record --stdin mysql shop <half.sql
printf 'select * from item;\n' >none.sql
record --stdin mysql --database=shop <none.sql
printf "select * from item;\nselect 1;\n" >force.sql
record --stdin mysql --force shop <force.sql
my shop -e 'select id, name from items where id < 3'
my -N -e "select 'ERROR 1045 (28000) is only text'"

version "mysqldump $(mysqldump --version | sed -n 's/.*[ ]\([0-9.]*-MariaDB\).*/\1/p')"
record mysqldump nowhere
record mysqldump shop nowhere
record mysqldump -uadmin -pwrong shop
record mysqldump -P"$closed" shop
record mysqldump shop -ureader -pright
record mysqldump
record mysqldump shop -r nowhere/x.sql
record mysqldump shop --frobnicate
