needs redis-cli redis-server
version "redis-cli $(redis-cli --version | cut -d' ' -f2)"
port=$(free_port) locked=$(free_port) small=$(free_port) closed=$(free_port) cluster=$(free_port)
for each in "$port 7001" "$locked 7002" "$small 7003" "$closed 7009" "$cluster 7004"; do
  set -- $each
  fixed "127.0.0.1:$1" "127.0.0.1:$2" && fixed "\"$1\"" "\"$2\"" && fixed "localhost:$1" "localhost:$2"
done
mkdir -p ../r1 ../r2 ../r3 ../r4
redis-server --port "$port" --bind 127.0.0.1 --save '' --dir ../r1 --logfile log --user default on nopass '~*' '&*' '+@all' --user reader on '>secret' '~*' '+get' >/dev/null &
redis-server --port "$locked" --bind 127.0.0.1 --save '' --dir ../r2 --logfile log --requirepass secret >/dev/null &
redis-server --port "$small" --bind 127.0.0.1 --save '' --dir ../r3 --logfile log --maxmemory 1000k --replicaof 127.0.0.1 "$closed" >/dev/null &
redis-server --port "$cluster" --bind 127.0.0.1 --save '' --dir ../r4 --logfile log --cluster-enabled yes >/dev/null &
for each in "$port" "$locked" "$small" "$cluster"; do wait_for "$each"; done
redis-cli -p "$port" set s text >/dev/null && redis-cli -p "$port" rpush l 1 2 >/dev/null

record redis-cli -p "$closed" ping
record redis-cli -p "$closed" get s
record redis-cli -h no-such-host.invalid ping
record redis-cli -s nosuch.sock ping
record redis-cli -p "$port" get s
record redis-cli -p "$port" set s 'ERR unknown command'
record redis-cli -p "$port" get s
record redis-cli -p "$port" get missing
record redis-cli -p "$port" --json hgetall missing
record redis-cli -p "$port" nosuch x
record redis-cli -p "$port" get
record redis-cli -p "$port" lpush s 1
record redis-cli -p "$port" incr s
record redis-cli -p "$port" set s x EX abc
record redis-cli -p "$port" lset l 99 x
record redis-cli -p "$port" rename missing other
record redis-cli -p "$port" config set nosuch 1
record redis-cli -p "$port" eval 'return redis.call("nosuch")' 0
record redis-cli -p "$port" eval 'return (' 0
record redis-cli -p "$port" evalsha 0123456789012345678901234567890123456789 0
redis-cli -p "$port" set b x >/dev/null; redis-cli -p "$port" xadd st "*" a 1 >/dev/null; redis-cli -p "$port" xgroup create st g 0 >/dev/null
record redis-cli -p "$port" exec
record redis-cli -p "$port" -n 99 get s
record redis-cli -p "$port" xread count x
record redis-cli -p "$port" xgroup create nostream g 0
record redis-cli -p "$port" -e lpush s 1
record redis-cli -p "$port" -e get missing
record redis-cli -p "$locked" get s
record redis-cli -p "$locked" -e get s
record redis-cli -p "$locked" -a wrong get s
record redis-cli -p "$locked" -a secret get s
record redis-cli -p "$port" --user reader --pass secret set s x
record redis-cli -p "$port" --user reader --pass wrong get s
record redis-cli -p "$small" set s x
record redis-cli -p "$cluster" set s x
record redis-cli -p "$port" cluster info
record redis-cli --cluster check "127.0.0.1:$port"
record redis-cli -p "$port" --nosuch
record redis-cli -p
record redis-cli -p "$port" --eval nofile.lua
record --stdin redis-cli -p "$port" <<<$'set a 1\nlpush a 2\nset b 1'
record --stdin redis-cli -p "$port" --pipe <<<$'SET p 1\r\nLPUSH p 2\r'
record --stdin redis-cli -p "$port" --pipe <<<$'SET p 1\r'
record redis-cli -p "$port" --rdb nodir/x.rdb
record redis-cli -p "$port" keys 'l*'
redis-cli -p "$port" config set maxmemory 1 >/dev/null
record redis-cli -p "$port" set big x
redis-cli -p "$port" config set maxmemory 0 >/dev/null
record redis-cli -p "$port" xgroup create st g 0
record redis-cli -p "$locked" auth wrong
record redis-cli -p "$port" json.get a
record redis-cli -p "$port" --no-raw lpush s 1
http_server
fixed "\"${HTTP##*:}\"" '"8000"' && fixed "\"${HANGUP##*:}\"" '"8002"'
record redis-cli -h 127.0.0.1 -p "${HTTP##*:}" ping
record redis-cli -h 127.0.0.1 -p "${HANGUP##*:}" ping
