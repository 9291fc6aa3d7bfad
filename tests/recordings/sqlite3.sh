needs sqlite3
version "SQLite $(sqlite3 --version | cut -d' ' -f1)"
sqlite3 a.db "create table t(id integer primary key, name text not null unique, n int check (n > 0)); insert into t values (1, 'a', 1), (2, 'b', 2); create table k(t references t(id));"
echo 'this is not a database, it is a text of some length that is longer than the header' >no.db
printf "insert into t values (7, 'g', 1);\ninsert into t values (8, 'g', 1);\ninsert into t values (9, 'h', 1);\n" >batch.sql
printf "create table u(a);\nselec 1;\n" >typo.sql
printf "begin;\ninsert into t values (20, 'z', 1);\ninsert into t values (21, 'z', 1);\ncommit;\n" >transaction.sql
printf '1,a\n2,b,c\n' >a.csv
mkdir folder

record sqlite3 a.db 'select * from nope'
record sqlite3 a.db 'select nope from t'
record sqlite3 a.db 'selec 1'
record sqlite3 a.db 'select * from t where'
record sqlite3 a.db "select 'open"
record sqlite3 a.db "insert into t values (1, 'x', 1)"
record sqlite3 a.db "insert into t values (3, 'a', 1)"
record sqlite3 a.db "insert into t values (4, null, 1)"
record sqlite3 a.db "insert into t values (5, 'e', 0)"
record sqlite3 a.db 'pragma foreign_keys=on; insert into k values (99)'
record sqlite3 a.db "insert into t values ('x', 'f', 1)"
record sqlite3 a.db 'create table t(a)'
record sqlite3 a.db 'drop table nope'
record sqlite3 a.db 'insert into t values (1)'
record sqlite3 a.db 'select nofunc(1)'
record sqlite3 a.db 'select count(1, 2) from t'
record sqlite3 a.db "select 'no such table: nope'"
record sqlite3 -json a.db 'select id, name from t limit 2'
record sqlite3 a.db .tables
record sqlite3 no.db 'select 1 from t'
record sqlite3 nodir/x.db 'create table t(a)'
record sqlite3 folder 'create table t(a)'
record sqlite3 -readonly a.db 'delete from t'
record sqlite3 -readonly missing.db 'select * from t'
record sqlite3 --nosuch a.db
record sqlite3 -cmd
record sqlite3 a.db .nosuch
record sqlite3 a.db '.read nofile.sql'
record sqlite3 a.db '.import nofile.csv t'
record sqlite3 a.db '.import --csv a.csv t'
printf '50,x1,1\n51,x1,1\n52,x2,1\n' >some.csv
record sqlite3 a.db '.import --csv some.csv t'
printf '60,x3\n' >short.csv
record sqlite3 a.db '.import --csv short.csv t'
record sqlite3 a.db 'create virtual table v using nomodule(a)'
record sqlite3 a.db 'insert into t(nope) values (1)'
record sqlite3 a.db '.mode nosuch'
record sqlite3 a.db '.load nolib'
record sqlite3 a.db '.schema nope'
cp a.db b.db
record --stdin sqlite3 b.db <batch.sql
record --stdin sqlite3 -bail b.db <batch.sql
record --stdin sqlite3 b.db <typo.sql
record sqlite3 b.db '.read batch.sql'
record sqlite3 b.db "insert into t values (30, 'q', 1); insert into t values (31, 'q', 1)"
record --stdin sqlite3 -bail b.db <transaction.sql
# Somebody else writes
"$RECORD_PYTHON" -c 'import sqlite3, time
c = sqlite3.connect("b.db"); c.execute("begin exclusive"); print(1, flush=True); time.sleep(8)' >lock.out &
until [ -s lock.out ]; do sleep 0.1; done
record sqlite3 b.db 'select * from t'
record sqlite3 -cmd '.timeout 100' b.db "insert into t values (40, 'y', 1)"
wait
head -c 1500 a.db >cut.db
record sqlite3 cut.db 'select * from t'
if [ "$(id -u)" = 0 ]; then
  chmod 755 "$RECORD_WORLD/.."
  mkdir ../nobody full && printf '#!/bin/sh\nPATH=/usr/bin:/bin exec setpriv --reuid=65534 --regid=65534 --clear-groups -- sqlite3 "$@"\n' >../nobody/sqlite3 && chmod 755 ../nobody ../nobody/sqlite3
  PATH="$RECORD_WORLD/../nobody:$PATH" record sqlite3 a.db 'delete from t'
  chmod 600 no.db
  PATH="$RECORD_WORLD/../nobody:$PATH" record sqlite3 no.db 'select 1 from t'
  mount -t tmpfs -o size=64k tmpfs full && cp a.db full/a.db
  record sqlite3 full/a.db 'create table big as with recursive c(x) as (select 1 union all select x + 1 from c limit 9999) select x, hex(randomblob(50)) from c'
  umount full
fi
