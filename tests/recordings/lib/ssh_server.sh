# An SSH server of our own; a configuration file names it once for every way in.

[ -x /usr/sbin/sshd ] || needs sshd

host() { # NAME PORT KEY KNOWN-HOSTS
  printf 'Host %s\n HostName 127.0.0.1\n Port %s\n User %s\n IdentityFile %s\n UserKnownHostsFile %s\n' "$1" "$2" "$me" "$PWD/$3" "$PWD/$4"
}

ssh_server() {
  chmod 755 "$RECORD_WORLD/.." && server="$(realpath "$RECORD_WORLD/..")/server" && mkdir "$server"
  [ "$(id -u)" = 0 ] && mkdir -p /run/sshd
  port=$(free_port) closed=$(free_port) only=$(free_port) silent=$(free_port) hangup=$(free_port)
  ssh-keygen -q -t ed25519 -N '' -f "$server/host" && ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' -f other
  cp key.pub "$server/authorized"
  cat >"$server/sshd" <<CONF
HostKey $server/host
AuthorizedKeysFile $server/authorized
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
ListenAddress 127.0.0.1
Subsystem sftp internal-sftp
CONF
  grep -v Subsystem "$server/sshd" >"$server/nosftp"
  /usr/sbin/sshd -D -f "$server/sshd" -p "$port" 2>/dev/null &
  daemon=$!
  /usr/sbin/sshd -D -f "$server/nosftp" -p "$only" 2>/dev/null &
  "$RECORD_PYTHON" - "$silent" "$hangup" <<'PYTHON' &
import socket, sys, threading
silent, hangup = (socket.create_server(("127.0.0.1", int(each))) for each in sys.argv[1:])
kept = []
threading.Thread(target=lambda: [kept.append(silent.accept()) for _ in iter(int, 1)], daemon=True).start()
while True:
    hangup.accept()[0].close()
PYTHON
  wait_for "$port"; wait_for "$only"; wait_for "$hangup"
  echo "[127.0.0.1]:$port $(cat "$server/host.pub")" >known
  echo "[127.0.0.1]:$only $(cat "$server/host.pub")" >>known
  echo "[127.0.0.1]:$port $(cat other.pub)" >wrong
  me=$(id -un)
  {
    host srv "$port" key known
    host nokey "$port" other known
    host stranger "$port" key none
    host changed "$port" key wrong
    host closed "$closed" key known
    host nosftp "$only" key known
    host silent "$silent" key known
    host hangup "$hangup" key known
    printf 'Host *\n IdentitiesOnly yes\n BatchMode yes\n GlobalKnownHostsFile /dev/null\n ConnectTimeout 2\n'
  } >cfg
  chmod 600 cfg
  fixed "$port" 2222
  fixed "$only" 2223
  fixed "$closed" 9
  fixed "$silent" 2224
  fixed "$hangup" 2225
  fixed "$(realpath "$server")" /tmp/run
}
