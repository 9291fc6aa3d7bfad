needs pg_dump pg_restore pg_dumpall psql setpriv
use postgres_server
version "pg_dump $(pg_dump --version | sed 's/[^0-9]*\([0-9.]*\).*/\1/')"

postgres_server <<'CONF'
host all secret 127.0.0.1/32 scram-sha-256
host all banned 127.0.0.1/32 reject
host all all 127.0.0.1/32 trust
local all all trust
CONF
psql -qd postgres <<'SQL'
create role secret login password 'right';
create role reader login;
create role banned login;
create database shop;
create database empty;
\c shop
create table items (id int primary key, name text);
insert into items select n, 'item ' || n from generate_series(1, 5000) n;
create table parts (id int references items);
SQL
pg_dump -Fc -f shop.dump shop

PGPASSWORD=wrong record pg_dump -U secret shop
record pg_dump -w -U secret shop
record pg_dump -U stranger shop
record pg_dump -U banned shop
record pg_dump nowhere
record pg_dump -p "$closed" shop
record pg_dump -h "$RECORD_WORLD" shop
record pg_dump -h db.example.invalid shop
record pg_dump -U reader shop
record pg_dump -t nowhere shop
record pg_dump -n nowhere shop
record pg_dump -t items -f items.sql shop
record pg_dump -f nowhere/shop.sql shop
record pg_dump -Fq shop
record pg_dump -s -a shop
record pg_dump --frobnicate shop
record pg_dump -j 2 shop
record pg_dump -Fd -f "$RECORD_WORLD" shop
record pg_dump -Z 99 shop
mkdir full
mount -t tmpfs -o size=16k tmpfs full 2>/dev/null && {
  record pg_dump -f full/shop.sql shop
  umount full
}
psql -q -d shop -c 'begin; lock table items; select pg_sleep(5)' >/dev/null 2>&1 &
sleep 1
record pg_dump --lock-wait-timeout=100 -f late.sql shop
wait $!
version "pg_dumpall $(pg_dump --version | sed 's/[^0-9]*\([0-9.]*\).*/\1/')"
record pg_dumpall -U reader
record pg_dumpall -p "$closed"
version "pg_restore $(pg_dump --version | sed 's/[^0-9]*\([0-9.]*\).*/\1/')"
record pg_restore -d empty shop.dump
record pg_restore -d empty shop.dump --no-owner
record pg_restore -d shop --single-transaction shop.dump
record pg_restore -d shop --exit-on-error shop.dump
record pg_restore -d nowhere shop.dump
record pg_restore -d empty nowhere.dump
pg_dump -f shop.sql shop
record pg_restore -d empty shop.sql
head -c 600 shop.dump >cut.dump
record pg_restore -l cut.dump
record pg_restore shop.dump
echo 'this is no archive at all, only a line of text' >noise.dump
record pg_restore -d empty noise.dump
record pg_restore -U secret -w -d empty shop.dump
psql -qd postgres -c 'create database other'
record pg_restore -U reader -d other shop.dump
record pg_restore -l shop.dump
record pg_restore -d empty -t nowhere shop.dump
record pg_restore -c -d other --if-exists shop.dump
record pg_dump 'dbname=shop sslmode=require'
